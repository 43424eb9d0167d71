import { type AnyOperation, FAILURE_CODES, refusalCodes } from "@signalbox/core/plugin";
import { type JsonSchema, type SharedSchemas, schemaOf } from "./schema.ts";

const UNKNOWN_SCHEMA: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description: "Dotted paths of parameters that the operation does not know; absent when there are none.",
};

const ERROR: JsonSchema = {
  type: "object",
  properties: { code: { type: "string" }, description: { type: "string" } },
  required: ["code", "description"],
};

/** An error with one of these codes. */
const errorWith = (codes: readonly string[]): JsonSchema => ({
  allOf: [{ $ref: "#/components/schemas/Error" }, { type: "object", properties: { code: { enum: codes } } }],
});

const json = (description: string, schema: JsonSchema): object => ({
  description,
  content: { "application/json": { schema } },
});

/** Parts that the answers of all operations share. */
export const SHARED_ANSWERS = {
  schemas: { Error: ERROR },
  responses: { Failure: json("Not the caller's fault: the call may succeed later.", errorWith(FAILURE_CODES)) },
};

/** Every answer that an operation may give, by status. */
export function answersOf(operation: AnyOperation, id: string, shared: SharedSchemas): object {
  return {
    "200": successOf(operation, id, shared),
    "4XX": refusalOf(operation),
    "5XX": { $ref: "#/components/responses/Failure" },
  };
}

function successOf(operation: AnyOperation, id: string, shared: SharedSchemas): object {
  if (operation.kind === "stream") return { description: "Success.", content: { "*/*": {} } };
  const schema = schemaOf(operation.output, `${id}_answer`, shared);
  const { properties = {}, required = [] } = schema;
  const withCode = {
    ...schema,
    properties: { code: { const: 0 }, ...properties, unknown: UNKNOWN_SCHEMA },
    required: ["code", ...required],
  };
  return json("Success.", withCode);
}

function refusalOf(operation: AnyOperation): object {
  const codes = refusalCodes(operation);
  return json(`The call was refused: ${codes.map((code) => `\`${code}\``).join(", ")}.`, errorWith(codes));
}

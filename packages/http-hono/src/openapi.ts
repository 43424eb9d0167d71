import type { AnyOperation } from "@signalbox/core/plugin";
import { type JsonSchema, schemaOf } from "./openapi-schema.ts";
import type { Engine } from "./options.ts";

export interface OpenApiOptions {
  /** Default "/api". */
  readonly apiBase?: string;
  /** Version of the described service. Default "1". */
  readonly version?: string;
}

type Described = Pick<Engine, "config" | "operations" | "privileges">;

/** A document that is made piece by piece, because a few hundred schemas in one go would hold up the host. */
export interface OpenApiDocument {
  /** Describes some operations; false when there are no more. */
  advance(): boolean;
  /** The whole document in JSON text. `mount` is the path that the host put in front of the router. */
  text(mount: string): string;
}

const AT_ONCE = 8;

export function openApiDocument(
  engine: Described,
  { apiBase = "/api", version = "1" }: OpenApiOptions,
): OpenApiDocument {
  const pending = [...engine.operations.values()];
  const schemas: Record<string, JsonSchema> = { Error: ERROR_SCHEMA };
  const paths: Record<string, object> = {};
  let rest: string | undefined;
  const advance = (): boolean => {
    for (const operation of pending.splice(0, AT_ONCE))
      paths[`${apiBase}/${operation.namespace}/${operation.name}/v1`] = describePath(
        operation,
        engine.privileges,
        schemas,
      );
    return pending.length > 0;
  };
  const finish = (): string => {
    while (advance());
    const info = { title: engine.config.client.name, version, description: INTRODUCTION };
    const components = {
      schemas,
      securitySchemes: SECURITY_SCHEMES,
      parameters: { Strict: STRICT_HEADER },
      responses: { Error: ERROR_RESPONSE },
    };
    return JSON.stringify({ info, security: ANY_CREDENTIAL, paths, components }).slice(1);
  };
  return {
    advance,
    text(mount) {
      rest ??= finish();
      return `{"openapi":"3.1.0","servers":${JSON.stringify([{ url: mount || "/" }])},${rest}\n`;
    },
  };
}

/**
 * Describes every operation of an engine, those of plugins included, as an OpenAPI 3.1 document in JSON text. The
 * document is made on the first call and kept; `mount` is the path that the host put in front of the router.
 */
export function createOpenApi(engine: Described, options: OpenApiOptions = {}): (mount: string) => string {
  const document = openApiDocument(engine, options);
  return document.text;
}

const INTRODUCTION =
  "Every operation answers at the path given here and also without the version segment. Without it, errors travel with " +
  "status 200, and `code` tells them from successes. Reads also take POST with a JSON body. Parameters that an operation " +
  "does not know have no effect; its answer names them under `unknown`, and with `X-Strict: 1` the call is refused.";

const STRICT_HEADER = {
  name: "X-Strict",
  in: "header",
  description: "`1` refuses parameters that the operation does not know, as `api.strict` of the configuration does.",
  schema: { type: "string", enum: ["1", "true", "0", "false"] },
};
const STRICT = { $ref: "#/components/parameters/Strict" };
const UNKNOWN_SCHEMA: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description: "Dotted paths of parameters that the operation does not know; absent when there are none.",
};

const ERROR_SCHEMA: JsonSchema = {
  type: "object",
  properties: { code: { type: "string" }, description: { type: "string" } },
  required: ["code", "description"],
};
const ERROR_RESPONSE = {
  description: "The call was refused or failed.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};
const SECURITY_SCHEMES = {
  apiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key" },
  apiKeyQuery: { type: "apiKey", in: "query", name: "api_key" },
  sessionHeader: { type: "apiKey", in: "header", name: "X-Session-ID" },
  sessionCookie: { type: "apiKey", in: "cookie", name: "session_id" },
};
const ANY_CREDENTIAL = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

function describePath(
  operation: AnyOperation,
  privileges: ReadonlyMap<string, string>,
  schemas: Record<string, JsonSchema>,
): object {
  const methods = operation.method === "ANY" ? ["get", "post"] : [operation.method.toLowerCase()];
  return Object.fromEntries(
    methods.map((method) => [
      method,
      {
        operationId: methods.length > 1 ? `${idOf(operation)}_${method}` : idOf(operation),
        summary: operation.summary,
        description: describeAccess(operation, privileges),
        tags: [operation.namespace],
        ...securityOf(operation),
        ...(method === "get"
          ? { parameters: [...queryOf(operation, schemas), STRICT] }
          : { parameters: [STRICT], requestBody: bodyOf(operation, schemas) }),
        responses: { "200": successOf(operation, schemas), default: { $ref: "#/components/responses/Error" } },
      },
    ]),
  );
}

const idOf = ({ namespace, name }: AnyOperation): string => (namespace === "app" ? name : `${namespace}_${name}`);

function describeAccess({ access }: AnyOperation, privileges: ReadonlyMap<string, string>): string {
  if (access.kind === "anyone") return "Needs no credentials.";
  if (access.kind === "token") return "Takes a token in place of credentials.";
  if (access.kind === "unchecked") return "Looks at a session itself, if there is one.";
  if (access.kind === "credentials") return "Needs credentials.";
  return `Needs the privilege \`${access.id}\` (${privileges.get(access.id) ?? access.id}).`;
}

function securityOf({ access }: AnyOperation): { security?: object[] } {
  if (access.kind === "anyone") return { security: [] };
  return access.kind === "token" || access.kind === "unchecked" ? { security: [{}, ...ANY_CREDENTIAL] } : {};
}

function queryOf(operation: AnyOperation, schemas: Record<string, JsonSchema>): object[] {
  const { properties = {}, required = [] } = schemaOf(operation.input, idOf(operation), schemas);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function bodyOf(operation: AnyOperation, schemas: Record<string, JsonSchema>): object {
  const schema = schemaOf(operation.input, idOf(operation), schemas);
  const form = {
    type: "object",
    properties: { json: { type: "string", contentMediaType: "application/json", contentSchema: schema } },
    additionalProperties: { type: "string", format: "binary" },
  };
  const multipart = operation.files ? { "multipart/form-data": { schema: form } } : {};
  return { content: { "application/json": { schema }, ...multipart } };
}

function successOf(operation: AnyOperation, schemas: Record<string, JsonSchema>): object {
  if (operation.kind === "stream") return { description: "Success.", content: { "*/*": {} } };
  const schema = schemaOf(operation.output, `${idOf(operation)}_answer`, schemas);
  const { properties = {}, required = [] } = schema;
  const withCode = {
    ...schema,
    properties: { code: { const: 0 }, ...properties, unknown: UNKNOWN_SCHEMA },
    required: ["code", ...required],
  };
  return { description: "Success.", content: { "application/json": { schema: withCode } } };
}

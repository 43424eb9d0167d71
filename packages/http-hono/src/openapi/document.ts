import type { AnyOperation } from "@signalbox/core/plugin";
import type { Engine } from "../options.ts";
import { answersOf, SHARED_ANSWERS } from "./answers.ts";
import { exampleOf } from "./example.ts";
import { type SharedSchemas, schemaOf } from "./schema.ts";

export interface OpenApiOptions {
  /** Path of the operations. Default "/api". */
  readonly apiBase?: string;
  /** Version of the described service. Default "1". */
  readonly version?: string;
}

type Described = Pick<Engine, "config" | "operations" | "privileges">;

/** A document that is built piece by piece, because a few hundred schemas in one go would block the host. */
export interface OpenApiDocument {
  /** Describes some more operations; returns false when there are none left. */
  advance(): boolean;
  /** The whole document as JSON text. `mount` is the path that the host put before the router's. */
  text(mount: string): string;
}

/** An unfinished document. It consists of texts, because the garbage collector traverses objects but not texts. */
interface Draft {
  readonly pending: AnyOperation[];
  readonly schemas: SharedSchemas;
  readonly paths: string[];
}

/** The first user of a shared record also generates its schema, as long as ten others: two stay below 30 ms even cold. */
const AT_ONCE = 2;

export function openApiDocument(
  engine: Described,
  { apiBase = "/api", version = "1" }: OpenApiOptions,
): OpenApiDocument {
  // Only the text is kept once it is complete.
  let made: Draft | string = {
    pending: [...engine.operations.values()],
    schemas: { ...SHARED_ANSWERS.schemas },
    paths: [],
  };
  const advance = (): boolean => {
    if (typeof made === "string") return false;
    describeSome(made, engine, apiBase);
    return made.pending.length > 0;
  };
  const finish = (): string => {
    while (advance());
    if (typeof made !== "string") made = textOf(made, { title: engine.config.client.name, version });
    return made;
  };
  return {
    advance,
    text: (mount) => `{"openapi":"3.1.0","servers":${JSON.stringify([{ url: mount || "/" }])},${finish()}\n`,
  };
}

function describeSome({ pending, paths, schemas }: Draft, { privileges }: Described, apiBase: string): void {
  for (const operation of pending.slice(0, AT_ONCE)) {
    const path = `${apiBase}/${operation.namespace}/${operation.name}/v1`;
    paths.push(`${JSON.stringify(path)}:${JSON.stringify(describePath(operation, privileges, schemas))}`);
    // An operation whose schema throws stays pending: a document without it would claim that there is no such operation.
    pending.shift();
  }
}

/** The document after its first members. */
function textOf({ paths, schemas }: Draft, named: { readonly title: string; readonly version: string }): string {
  const info = JSON.stringify({ ...named, description: INTRODUCTION, license: LICENSE });
  const components = JSON.stringify({
    schemas,
    securitySchemes: SECURITY_SCHEMES,
    parameters: { Strict: STRICT_HEADER },
    responses: SHARED_ANSWERS.responses,
  });
  const security = JSON.stringify(ANY_CREDENTIAL);
  return `"info":${info},"security":${security},"paths":{${paths.join(",")}},"components":${components}}`;
}

/**
 * Describes every operation of an engine, including those of plugins, as an OpenAPI 3.1 document in JSON text. The document is
 * generated on the first call and cached; `mount` is the path that the host put before the router's.
 */
export function createOpenApi(engine: Described, options: OpenApiOptions = {}): (mount: string) => string {
  const document = openApiDocument(engine, options);
  return document.text;
}

const INTRODUCTION =
  "Every operation answers at the path given here and also without the version segment. Without it, errors travel with " +
  "status 200, and `code` tells them from successes. Reads also take POST with a JSON body. Parameters that an operation " +
  "does not know have no effect; its answer names them under `unknown`, and with `X-Strict: 1` the call is refused.";

/** Licence of the interface, which is ours; operations of a host are described along with it. */
const LICENSE = { name: "MIT", identifier: "MIT" };

const STRICT_HEADER = {
  name: "X-Strict",
  in: "header",
  description: "`1` refuses parameters that the operation does not know, as `api.strict` of the configuration does.",
  schema: { type: "string", enum: ["1", "true", "0", "false"] },
};
const STRICT = { $ref: "#/components/parameters/Strict" };
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
  schemas: SharedSchemas,
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
        responses: answersOf(operation, idOf(operation), schemas),
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
  const named = (id: string): string => `\`${id}\` (${privileges.get(id) ?? id})`;
  return `Needs the privilege ${named(access.id)}${access.or === undefined ? "" : ` or ${named(access.or)}`}.`;
}

function securityOf({ access }: AnyOperation): { security?: object[] } {
  if (access.kind === "anyone") return { security: [] };
  return access.kind === "token" || access.kind === "unchecked" ? { security: [{}, ...ANY_CREDENTIAL] } : {};
}

function queryOf(operation: AnyOperation, schemas: SharedSchemas): object[] {
  const schema = schemaOf(operation.input, idOf(operation), schemas);
  const { properties = {}, required = [] } = schema;
  const example = exampleOf(operation, schema, schemas);
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: member,
    ...(Object.hasOwn(example, name) ? { example: example[name] } : {}),
  }));
}

function bodyOf(operation: AnyOperation, schemas: SharedSchemas): object {
  const schema = schemaOf(operation.input, idOf(operation), schemas);
  const example = exampleOf(operation, schema, schemas);
  const form = {
    type: "object",
    properties: { json: { type: "string", contentMediaType: "application/json", contentSchema: schema } },
    additionalProperties: { type: "string", format: "binary" },
  };
  const multipart = operation.files ? { "multipart/form-data": { schema: form } } : {};
  return { content: { "application/json": { schema, example }, ...multipart } };
}

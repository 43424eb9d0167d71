/** The operations of a running server, according to its own description. */
import type { Described, Schema } from "../inputs/from-schema.ts";
import type { Stage } from "./attack.ts";

interface Documented {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The operations of the running server, from its OpenAPI document. */
export async function describeOperations({ http }: Pick<Stage, "http">): Promise<Described[]> {
  const { text } = await http.ask({ path: "/api/openapi.json" });
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Documented>> };
  return Object.entries(paths).map(([path, methods]) => ({
    name: path.split("/")[3] ?? path,
    path,
    methods: Object.keys(methods),
    schema:
      Object.values(methods)
        .map(schemaOf)
        .find(({ properties }) => properties !== undefined) ?? {},
  }));
}

function schemaOf({ parameters = [], requestBody }: Documented): Schema {
  const body = requestBody?.content["application/json"]?.schema;
  if (body) return body;
  return {
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

import type * as z from "zod";

const names = new WeakMap<z.ZodType, string>();

/** Names a schema: descriptions of the API define it once, under this name, and generated clients have a separate type for it. */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.set(schema, name);
  return schema;
}

/** Name of a schema that was made by `named`; otherwise undefined. */
export const nameOfSchema = (schema: z.ZodType): string | undefined => names.get(schema);

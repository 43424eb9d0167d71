import type * as z from "zod";

const names = new WeakMap<z.ZodType, string>();

/**
 * Names a schema: descriptions of the API show it under this name, once, and generated clients have a type of its own
 * for it.
 */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.set(schema, name);
  return schema;
}

/** Name of a schema that was made by `named`; otherwise undefined. */
export const nameOfSchema = (schema: z.ZodType): string | undefined => names.get(schema);

import type * as z from "zod";

const names = new WeakMap<z.ZodType, string>();

/**
 * The same schema, which descriptions of the API show under this name wherever it occurs: once, and with a type of its
 * own in generated clients.
 */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.set(schema, name);
  return schema;
}

/** Name of a schema that was made by `named`; otherwise undefined. */
export const nameOfSchema = (schema: z.ZodType): string | undefined => names.get(schema);

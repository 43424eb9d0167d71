import { entryShapeOf, nameOfSchema, shownShapeOf, toJSONSchema } from "@signalbox/core/plugin";
import type * as z from "zod";

/** The part of JSON Schema that this package reads. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Schemas that several operations share, by their names. */
export type SharedSchemas = Record<string, JsonSchema>;

const OPTIONS = { io: "input", unrepresentable: "any" } as const;

type Override = NonNullable<NonNullable<Parameters<typeof toJSONSchema>[1]>["override"]>;

/** The JSON Schema for use inside of a document, which names its dialect only once. */
function inside(schema: z.ZodType, override?: Override): JsonSchema {
  const { $schema: _dialect, ...shape } = toJSONSchema(schema, override ? { ...OPTIONS, override } : OPTIONS);
  return shape as JsonSchema;
}

const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function become(place: object, shape: JsonSchema): void {
  for (const keyword of Object.keys(place)) delete (place as Record<string, unknown>)[keyword];
  Object.assign(place, shape);
}

/** Shows each part of a schema as intended, and moves named parts to `shared`. */
function overrideFor(root: z.ZodType, shared: SharedSchemas): Override {
  return ({ zodSchema, jsonSchema }) => {
    const member = zodSchema as unknown as z.ZodType;
    const name = member === root ? undefined : nameOfSchema(member);
    if (name !== undefined) {
      shareUnder(name, member, shared);
      return become(jsonSchema, referenceTo(name));
    }
    const shown = shownShapeOf(member);
    if (shown) Object.assign(jsonSchema, shownIn(shown, shared));
    const entry = entryShapeOf(member);
    if (!entry) return;
    jsonSchema.items = { $ref: `#/components/schemas/${entry.name}` };
    shared[entry.name] ??= inside(entry.schema());
  };
}

function shownIn(shown: z.ZodType, shared: SharedSchemas): JsonSchema {
  const name = nameOfSchema(shown);
  if (name === undefined) return inside(shown, overrideFor(shown, shared));
  shareUnder(name, shown, shared);
  return referenceTo(name);
}

function shareUnder(name: string, schema: z.ZodType, shared: SharedSchemas): void {
  if (Object.hasOwn(shared, name)) return;
  // The name is reserved before the schema is generated, because the schema may contain itself.
  shared[name] = {};
  try {
    shared[name] = inside(schema, overrideFor(schema, shared));
  } catch (error) {
    delete shared[name];
    throw error;
  }
}

/**
 * The JSON Schema of an input or an answer. Definitions that a recursive schema needs move to `shared` under `name`, because
 * references are relative to the root of the document.
 */
export function schemaOf(schema: z.ZodType, name: string, shared: SharedSchemas): JsonSchema {
  const root = inside(schema, overrideFor(schema, shared));
  const text = JSON.stringify(root);
  if (!/"\$ref":"#(?:"|\/\$defs\/)/.test(text)) return root;
  const moved = JSON.parse(
    text
      .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)
      .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${name}_`),
  ) as JsonSchema & { readonly $defs?: SharedSchemas };
  const { $defs = {}, ...rest } = moved;
  for (const [key, definition] of Object.entries($defs)) shared[`${name}_${key}`] = definition;
  shared[name] = rest;
  return rest;
}

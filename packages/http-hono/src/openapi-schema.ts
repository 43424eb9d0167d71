import { entryShapeOf, shownShapeOf, toJSONSchema } from "@signalbox/core/plugin";
import type * as z from "zod";

/** The part of JSON Schema that this package looks into. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const OPTIONS = { io: "input", unrepresentable: "any" } as const;

type Override = NonNullable<NonNullable<Parameters<typeof toJSONSchema>[1]>["override"]>;

/** For a place inside of a document, which names its dialect once. */
function inside(schema: z.ZodType, override?: Override): JsonSchema {
  const { $schema: _dialect, ...shape } = toJSONSchema(schema, override ? { ...OPTIONS, override } : OPTIONS);
  return shape as JsonSchema;
}

/**
 * The JSON Schema of what a caller sends or receives. Definitions that a recursive schema needs move to `shared` under
 * `name`, because references inside the document count from its root.
 */
export function schemaOf(schema: z.ZodType, name: string, shared: Record<string, JsonSchema>): JsonSchema {
  const override: Override = ({ zodSchema, jsonSchema }) => {
    const member = zodSchema as unknown as z.ZodType;
    const shown = shownShapeOf(member);
    if (shown) Object.assign(jsonSchema, inside(shown, override));
    const entry = entryShapeOf(member);
    if (!entry) return;
    jsonSchema.items = { $ref: `#/components/schemas/${entry.name}` };
    shared[entry.name] ??= inside(entry.schema());
  };
  const root = inside(schema, override);
  const text = JSON.stringify(root);
  if (!text.includes('"$ref":"#')) return root as JsonSchema;
  const moved = JSON.parse(
    text
      .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)
      .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${name}_`),
  ) as JsonSchema & { readonly $defs?: Record<string, JsonSchema> };
  const { $defs = {}, ...rest } = moved;
  for (const [key, definition] of Object.entries($defs)) shared[`${name}_${key}`] = definition;
  shared[name] = rest;
  return rest;
}

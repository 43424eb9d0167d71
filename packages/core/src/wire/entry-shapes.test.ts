import { expect, test } from "vitest";
import type * as z from "zod";
import { knownTriggers } from "../work/events/rules/triggers/trigger-members.ts";
import { checkTriggers } from "../work/events/rules/triggers/trigger-shape.ts";
import { checkActions } from "./entries/action-shape.ts";
import { knownActions, knownLimits } from "./entries/entry-members.ts";
import { checkLimits } from "./entries/limit-shape.ts";
import type { Known } from "./schemas/known-members.ts";

interface Shaped {
  readonly options?: readonly (z.ZodType & Shaped)[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

/** The members of each type that a union describes; types from plugins have no separate description. */
function shapesOf(schema: z.ZodType & Shaped): Map<string, string[]> {
  const { options = [], shape } = schema;
  if (options.length > 0) return new Map(options.flatMap((option) => [...shapesOf(option)]));
  const type = shape?.["type"] as { readonly values?: ReadonlySet<string> } | undefined;
  return new Map([...(type?.values ?? [])].map((value) => [value, Object.keys(shape ?? {})]));
}

const isKnownType: Readonly<Record<string, (type: string) => boolean>> = {
  Trigger: (type) => !checkTriggers([{ type, enabled: true }])?.endsWith("Unknown type"),
  Limit: (type) => !checkLimits([{ type, enabled: true }])?.endsWith("Unknown type"),
  Action: (type) => !checkActions([{ type, enabled: true, condition: "start" }])?.endsWith("Unknown type"),
};

test.each<[Known, number]>([
  [knownTriggers, 15],
  [knownLimits, 10],
  [knownActions, 14],
])("descriptions of entries agree with their checks: %#", ({ entry, items }, count) => {
  const shapes = shapesOf(entry?.schema() as z.ZodType);
  expect(shapes.size).toBe(count);
  for (const [type, members] of shapes) {
    expect([type, isKnownType[entry?.name ?? ""]?.(type)]).toEqual([type, true]);
    expect(members.filter((member) => !items?.members?.has(member))).toEqual([]);
  }
});

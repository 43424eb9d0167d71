import fc from "fast-check";
import { expect, test } from "vitest";
import { findValueFault, withDefaults } from "./fields.ts";
import { createValueCheck } from "./value-checks.ts";

const testPattern = (pattern: string, text: string): boolean => new RegExp(pattern).test(text);

const ids = ["a", "b", "c"] as const;
const value = fc.constantFrom<unknown>(undefined, null, "", "x", "yy", 5);
const values = fc.dictionary(fc.constantFrom(...ids, "other", "constructor"), value);
const definition = fc.record({
  type: fc.constantFrom("text", "hidden"),
  value: fc.constantFrom(undefined, "", "x", "zz"),
  required: fc.boolean(),
  regex: fc.constantFrom(undefined, "^x$", "^y*$"),
  range: fc.constantFrom(undefined, "1-4"),
});
const definitions = fc
  .tuple(definition, definition, definition)
  .map((list) => list.map((each, at) => ({ ...each, id: ids[at] })));

test.each([
  ["as they are", undefined],
  ["with defaults", withDefaults],
])("values merged into others have the fault of the merged values, %s", (_which, fill) => {
  const property = fc.property(definitions, values, fc.array(values), (list, base, sets) => {
    const check = createValueCheck({ testPattern, ...(fill && { fill }) });
    for (const sent of sets) {
      const both = { ...base, ...sent };
      expect(check(list, base, sent)).toEqual(findValueFault(list, fill?.(list, both) ?? both, testPattern));
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test("checking values costs only their number, however many definitions there are", () => {
  let tests = 0;
  const counting = (): boolean => {
    tests++;
    return true;
  };
  const list = Array.from({ length: 2000 }, (_, at) => ({ id: `p${at}`, type: "text", value: "x", regex: "^x$" }));
  const check = createValueCheck({ testPattern: counting, fill: withDefaults });
  const base = {};
  for (let at = 0; at < 1000; at++) expect(check(list, base, { [`p${at}`]: "x" })).toBeUndefined();
  expect(tests).toBe(2000 + 1000);
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeSparse, newStamps, updateRecord } from "./stamps.ts";

test("new stamps contain user, time and revision 1", () => {
  expect(newStamps("joe", 100)).toEqual({ username: "joe", created: 100, modified: 100, revision: 1 });
});

describe("mergeSparse", () => {
  const stored = { id: "a", username: "joe", created: 1, modified: 2, revision: 3, n: 10, text: "10", list: [1, 2] };

  test.each<[Record<string, unknown>, object]>([
    [{}, {}],
    [{ list: [3] }, { list: [3] }],
    [{ text: null }, { text: null }],
    [{ extra: { deep: 1 } }, { extra: { deep: 1 } }],
    [{ id: "b", username: "x", created: 9, modified: 9, revision: 9 }, {}],
    [{ n: "+5" }, { n: 15 }],
    [{ n: "-2.5" }, { n: 7.5 }],
    [{ n: "5" }, { n: "5" }],
    [{ n: "+1.2.3" }, { n: "+1.2.3" }],
    [{ n: "+" }, { n: "+" }],
    [{ text: "+5" }, { text: "+5" }],
    [{ absent: "+5" }, { absent: "+5" }],
  ])("%j", (sent, changed) => {
    expect(mergeSparse(stored, sent)).toEqual({ ...stored, ...changed });
  });

  test("neither side is changed, and merging again changes nothing", async () => {
    await fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), fc.dictionary(fc.string(), fc.integer()), (left, right) => {
        const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
        const once = mergeSparse(left, right);
        expect([JSON.stringify(left), JSON.stringify(right)]).toEqual([a, b]);
        expect(mergeSparse(once, right)).toEqual(once);
      }),
    );
  });
});

describe("updateRecord", () => {
  test("sets modified and increments revision", () => {
    expect(updateRecord({ id: "a", modified: 1, revision: 4 }, { revision: 99 }, 50)).toEqual({
      id: "a",
      modified: 50,
      revision: 5,
    });
  });

  test.each([undefined, "+1", null])("a stored revision of %j becomes 1", (revision) => {
    expect(updateRecord({ id: "a", revision }, {}, 50).revision).toBe(1);
  });
});

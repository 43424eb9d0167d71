import { expect, test } from "vitest";
import { addMeta } from "./meta.ts";

const row = (n: number, msg = `line ${n}`) => ({ id: `m${n}`, epoch: n, msg, server: "m:node" });

test("rows are appended in order", () => {
  const { activity } = addMeta({ activity: [row(1)] }, [row(2), row(3)]);
  expect(activity.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
});

test("nothing to add leaves the details unchanged", () => {
  const details = { activity: [row(1)] };
  expect(addMeta(details, [])).toBe(details);
});

test("the last thousand rows are kept", () => {
  const { activity } = addMeta(
    { activity: Array.from({ length: 999 }, (_, n) => row(n)) },
    Array.from({ length: 2000 }, (_, n) => row(1000 + n)),
  );
  expect([activity.length, activity[0]?.id, activity.at(-1)?.id]).toEqual([1000, "m2000", "m2999"]);
});

test("a row of any length is cut to the bound", () => {
  const { activity } = addMeta({ activity: [] }, [row(1, "x".repeat(1_000_000))]);
  expect(activity[0]?.msg).toHaveLength(10_000);
});

test("other details stay", () => {
  expect(addMeta({ activity: [], data: 1 }, [row(1)])).toMatchObject({ data: 1 });
});

import { expect, test } from "vitest";
import { close, refusalSince, say, shown } from "./said.ts";

test("the same refusal is shown once, as the newest message", () => {
  say({ text: "refused", tone: "crit" });
  say({ text: "no answer", tone: "crit" });
  say({ text: "refused", tone: "crit" });
  expect(shown.value.map(({ text, id }) => [text, id])).toEqual([
    ["no answer", 2],
    ["refused", 3],
  ]);
  expect(refusalSince(2)).toBe("refused");
  for (const { id } of shown.value) close(id);
});

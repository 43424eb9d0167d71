import { expect, test } from "vitest";
import { createAnswerMask } from "./mask-answer.ts";

const mask = createAnswerMask(["tok3n-value", "123456"]);

test("texts, names and numbers are masked at any depth", () => {
  expect(mask.json({ a: ["is tok3n-value"], "tok3n-value": { n: 123456, m: 12345, b: true, z: null } })).toEqual({
    a: ["is ****"],
    "****": { n: "****", m: 12345, b: true, z: null },
  });
});

test("the end of a cut text is held back where a value may begin", () => {
  expect(mask.written({ text: "out tok3n-val", isCut: true })).toBe("out ");
  expect(mask.written({ text: "out tok3n-val", isCut: false })).toBe("out tok3n-val");
  expect(mask.written({ text: "out tok3n-value", isCut: true })).toBe("out ****");
});

test("without secrets everything stays unchanged", () => {
  const plain = createAnswerMask([]);
  expect([plain.json({ a: 1 }), plain.written({ text: "a", isCut: true })]).toEqual([{ a: 1 }, "a"]);
});

import { expect, test } from "vitest";
import { createReplacedText } from "./replaced-text.ts";

test("returns the newest text, whether longer, shorter, empty or not ASCII", () => {
  const text = createReplacedText();
  expect(text.get()).toBe("");
  const texts = [
    "short",
    "longer than the one before",
    "ü€😀",
    "a",
    "x".repeat(20_000),
    "tiny",
    "",
    "y".repeat(70_000),
  ];
  for (const each of texts) {
    text.set([each]);
    expect(text.get()).toBe(each);
  }
});

import { expect, test } from "vitest";
import { nextFallback, unreachedText } from "./fallback.ts";

test.each<[string, Parameters<typeof nextFallback>, string | undefined]>([
  ["its own", [["room"], "ops", "usual"], "ops"],
  ["the fallback of the configuration", [["room"], undefined, "usual"], "usual"],
  ["the administrators", [["room"], null, ""], "@admins"],
  ["the fallback of a fallback", [["room", "ops"], "lead", ""], "lead"],
  ["no one after two", [["room", "ops", "lead"], "boss", ""], undefined],
  ["no one in place of the administrators", [["@admins"], undefined, ""], undefined],
  ["no one where the fallback was notified already", [["room", "ops"], undefined, "room"], undefined],
  ["no one in place of the fallback of the configuration", [["usual"], undefined, "usual"], undefined],
])("the fallback is %s", (_which, given, expected) => {
  expect(nextFallback(...given)).toBe(expected);
});

test("the text names all receivers that were tried", () => {
  expect(unreachedText(["Room"])).toBe("Room could not be reached.");
  expect(unreachedText(["Room", "Ops"])).toBe("Room and Ops could not be reached.");
});

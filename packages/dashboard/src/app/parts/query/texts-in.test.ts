import { expect, test } from "vitest";
import { textsIn } from "./texts-in.ts";

test.each([
  ["texts alone", { title: "Flag", revision: 17, enabled: true, notes: null }, "Flag"],
  ["texts within lists and records", { headers: [{ name: "Accept", value: "text/plain" }] }, "Accept text/plain"],
  ["nothing without texts", { created: 1795009741 }, ""],
])("a record has %s", (_case, record, texts) => {
  expect(textsIn(record).trim()).toBe(texts);
});

import { expect, test } from "vitest";
import { fits } from "./filter.ts";

const event = {
  ...{ id: "e1", title: "Nightly invoice run", notes: "For the bank", category: "billing", plugin: "shellplug" },
  ...{ enabled: true, tags: ["money"], targets: ["worker_1"] },
};
const known = { isFailing: true, isRunning: false };

test.each([
  ["", true],
  ["invoice", true],
  ["INVOICE nightly", true],
  ["bank", true],
  ["e1", true],
  ["invoice backup", false],
  ["category:billing tag:money", true],
  ["category:data", false],
  ["-category:data", true],
  ["server:worker_1 plugin:shellplug", true],
  ["server:worker_2", false],
  ["is:on is:failed", true],
  ["is:off", false],
  ["is:running", false],
  ["-is:running", true],
  ["is:workflow", false],
  ["is:something", false],
  ["colour:red", false],
])("%s matches: %s", (query, isFitting) => {
  expect(fits(event, query, known)).toBe(isFitting);
});

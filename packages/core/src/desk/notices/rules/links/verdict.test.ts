import { expect, test } from "vitest";
import { type LinkFacts, linkVerdict, typedName } from "./verdict.ts";

const facts: LinkFacts = {
  ...{ now: 100, expires: 200, isOpen: true, isOffered: true, mayAct: true, live: 2, taken: 0 },
};

test.each<[string, Partial<LinkFacts>, string, number]>([
  ["asks while firings are not acknowledged", {}, "ask", 200],
  ["asks for firings since the acknowledgement", { taken: 1 }, "ask", 200],
  ["says so when all is acknowledged", { taken: 2 }, "taken", 200],
  ["is good in its last second", { now: 199 }, "ask", 200],
  ["is spent when it expires", { now: 200 }, "spent", 410],
  ["is spent when the problem is closed", { isOpen: false }, "spent", 410],
  ["is spent when nothing of it is live", { live: 0 }, "spent", 410],
  ["is spent when the receiver gives none any more", { isOffered: false }, "spent", 410],
  ["is refused to an account that may not", { mayAct: false }, "forbidden", 403],
  ["says nothing of an account once it has expired", { mayAct: false, now: 300 }, "spent", 410],
])("a link %s", (_what, changed, state, status) => {
  expect(linkVerdict({ ...facts, ...changed })).toMatchObject({ state, status });
});

test.each([
  ["  Mia B. ", "Mia B."],
  ["<b>Mia</b>", "Mia"],
  ["<<b>script>Mia", "scriptMia"],
  ["Mia\r\nBcc: x\u202e", "Mia Bcc: x"],
  ["x".repeat(100), "x".repeat(64)],
  ["", ""],
])("the name %j is kept as %j", (typed, kept) => {
  expect(typedName(typed)).toBe(kept);
});

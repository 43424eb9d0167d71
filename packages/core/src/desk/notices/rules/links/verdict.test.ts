import { expect, test } from "vitest";
import { type LinkFacts, linkVerdict, typedName } from "./verdict.ts";

const facts: LinkFacts = {
  ...{ now: 100, expires: 200, isOpen: true, isOffered: true, mayAct: true, live: 2, taken: 0 },
};

test.each<[string, Partial<LinkFacts>, string, number]>([
  ["shows its form while firings are not acknowledged", {}, "ask", 200],
  ["shows its form for firings since the acknowledgement", { taken: 1 }, "ask", 200],
  ["says that all is acknowledged", { taken: 2 }, "taken", 200],
  ["is valid in its last second", { now: 199 }, "ask", 200],
  ["is spent when it expires", { now: 200 }, "spent", 410],
  ["is spent when the problem is closed", { isOpen: false }, "spent", 410],
  ["is spent when nothing of it is live", { live: 0 }, "spent", 410],
  ["is spent when the receiver sends no links any more", { isOffered: false }, "spent", 410],
  ["is refused to an account without the right", { mayAct: false }, "forbidden", 403],
  ["reveals nothing about an account once it has expired", { mayAct: false, now: 300 }, "spent", 410],
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

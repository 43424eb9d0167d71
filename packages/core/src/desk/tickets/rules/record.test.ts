import { expect, test } from "vitest";
import type { Ticket } from "../model.ts";
import { compact, compactText } from "./record.ts";

const ticket: Ticket = {
  ...{ id: "t1", num: 1, subject: 'The "lamp"', type: "issue", status: "open" },
  ...{ username: "ada", created: 1, modified: 2, revision: 1 },
  body: 'A body, "changes": [1, 2]',
  changes: [{ type: "change", username: "ada", date: 1, key: "created" }],
} as unknown as Ticket;

test.each([
  ["in the usual order", ticket],
  ["with its changes first", { ...Object.fromEntries(Object.entries(ticket).toReversed()) } as Ticket],
  ["without changes, and a member of the caller's", { ...ticket, changes: [], extra: { body: "kept" } }],
])("the compact text of a ticket %s equals the text of the compact ticket", (_how, each) => {
  expect(compactText(JSON.stringify(each))).toBe(JSON.stringify(compact(each)));
});

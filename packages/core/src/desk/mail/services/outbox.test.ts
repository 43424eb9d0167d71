import { expect, test } from "vitest";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { createOutbox, MAIL_KIND } from "./outbox.ts";

const mail = { from: "ops@example.com", to: ["ada@example.com"], subject: "S", text: "T", messageId: "<m1>" };

test.each([
  ["the ticket it is about", { ticket: "t1" }, { kind: "ticket", id: "t1" }],
  ["the actor of the transaction", undefined, { kind: "system", id: "system" }],
])("a queued mail names %s", async (_what, about, cause) => {
  const storage = memoryStorage();
  await storage.open([]);
  await storage.write((tx) => createOutbox({ config: {} as never }).post(tx, mail, about));
  const order = { node: "n1", kinds: [MAIL_KIND], limit: 10, now: Number.MAX_SAFE_INTEGER, leaseSec: 60 };
  expect((await storage.work.claim(order)).map(({ payload }) => payload)).toEqual([
    { mail, failures: 0, cause, ...about },
  ]);
});

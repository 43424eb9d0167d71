import { expect, onTestFinished, test } from "vitest";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { startJobs } from "../../../testing/test-jobs.ts";
import { createOutbox, MAIL_KIND } from "./outbox.ts";

const mail = { from: "ops@example.com", to: ["ada@example.com"], subject: "S", text: "T", messageId: "<m1>" };

test.each([
  ["the ticket it is about", { ticket: "t1" }, { kind: "ticket", id: "t1" }],
  ["the actor of the transaction", undefined, { kind: "system", id: "system" }],
])("a queued mail names %s", async (_what, about, cause) => {
  const storage = memoryStorage();
  await storage.open([]);
  await storage.write((tx) => createOutbox({ clock: fakeClock(), config: {} as never }).post(tx, mail, about));
  const order = { node: "n1", kinds: [MAIL_KIND], limit: 10, now: Number.MAX_SAFE_INTEGER, leaseSec: 60 };
  expect((await storage.work.claim(order)).map(({ payload }) => payload)).toEqual([
    { mail, failures: 0, cause, ...about },
  ]);
});

test("a temporarily refused recipient gets the mail of an action alone, without delaying job or others", async () => {
  const sendings: unknown[] = [];
  const mailer = {
    async send({ to, only, messageId }: Mail) {
      sendings.push([only ?? to, messageId]);
      return { refused: ["bob@example.com"], later: sendings.length < 3 ? ["bob@example.com"] : [] };
    },
  };
  const { clock, connect, event, settle, signalbox } = await startJobs({ mailer });
  onTestFinished(() => signalbox.stop());
  const server = await connect();
  const action = {
    enabled: true,
    condition: "complete",
    type: "email",
    users: [],
    email: "ann@example.com, bob@example.com",
  };
  const { id } = await signalbox.api.runEvent({ id: await event({ actions: [action] }) });
  await settle();
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await settle();
  await settle();
  const { job } = await signalbox.api.getJob({ id });
  expect(job).toMatchObject({ final: true, actions: [{ code: 0 }] });
  expect(JSON.stringify(job["actions"])).toContain("- **Tried again later:** `bob@example.com`");
  await clock.advance(59);
  expect(sendings).toHaveLength(1);
  for (let minute = 0; minute < 40; minute++) await clock.advance(60);
  const [[, messageId] = []] = sendings as string[][];
  const rest = [["bob@example.com"], messageId];
  expect(sendings).toEqual([[["ann@example.com", "bob@example.com"], messageId], rest, rest]);
});

import { silentLogger as silent } from "@signalbox/core";
import { expect, test } from "vitest";
import type { Notification } from "./messages.ts";
import { createWakes } from "./wakes.ts";

test("above a thousand, news that wait for a statement become one gap, and waiting work is still announced", async () => {
  const statements: unknown[][] = [];
  const answered = Promise.withResolvers<readonly []>();
  const { send, end } = createWakes({
    ...{ nodeId: "a", channel: "news", log: silent, carrier: { polls: false } },
    pulse: {
      run(_sql, [, news]) {
        statements.push(JSON.parse(String(news)).map((one: string) => JSON.parse(one)));
        return answered.promise;
      },
    },
    mailbox: { putForAll: async () => undefined },
  });
  const message = (n: number): Notification => ({ node: "a", message: { type: "test", payload: n } });
  const first = send([message(0)]);
  void send([{ node: "a", work: true, to: ["b"] }]);
  void send([{ node: "a", work: true }]);
  for (let n = 1; n <= 2100; n++) void send([message(n)]);
  answered.resolve([]);
  await first;
  await end();
  const [gap, ...rest] = statements[1] ?? [];
  expect([statements[0], gap]).toEqual([[message(0)], { node: "a", gap: true }]);
  // The first thousand were collapsed while they waited, and the second thousand too.
  expect(rest.length).toBeLessThan(200);
  expect(rest).toContainEqual({ node: "a", work: true });
  expect(rest).toContainEqual(message(2100));
});

test("wake-ups that wait for a statement are joined, for all named nodes", async () => {
  const statements: unknown[][] = [];
  const { send, end } = createWakes({
    ...{ nodeId: "a", channel: "news", log: silent, carrier: { polls: false } },
    pulse: {
      async run(_sql, [, news]) {
        statements.push(JSON.parse(String(news)).map((one: string) => JSON.parse(one)));
        return [];
      },
    },
    mailbox: { putForAll: async () => undefined },
  });
  const call = (...to: string[]): Notification => ({ node: "a", work: true, to });
  await send([call("b"), call("c"), call("b")]);
  await send([call("b"), { node: "a", work: true }]);
  await end();
  expect(statements).toEqual([[call("b", "c")], [{ node: "a", work: true }]]);
});

test("after the end nothing is sent, because the connection is closed next", async () => {
  const statements: unknown[] = [];
  const { send, end } = createWakes({
    ...{ nodeId: "a", channel: "news", log: silent, carrier: { polls: false } },
    pulse: {
      async run(_sql, news) {
        statements.push(news);
        return [];
      },
    },
    mailbox: { putForAll: async () => undefined },
  });
  const told: Notification = { node: "a", work: true };
  void send([told]);
  await end();
  await send([told]);
  expect(statements).toEqual([["news", JSON.stringify([JSON.stringify(told)])]]);
});

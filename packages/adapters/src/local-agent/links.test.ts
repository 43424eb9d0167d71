import { type LogFields, silentLogger } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { agent, start } from "../../test/agents/timed-agent.ts";

test("after retry and after a closed link the agent reconnects, later each time", async () => {
  const { next, untilCommand, clock, events, close } = await start(
    {},
    {
      onHello: (link, count) =>
        void (count < 3 ? link.send({ cmd: "retry", data: {} }) : link.send({ cmd: "hello", data: { id: "s9" } })),
    },
  );
  await untilCommand("hello");
  for (const seconds of [1, 2]) {
    const hello = next("hello");
    await clock.advance(seconds);
    await hello;
  }
  await untilCommand("join");
  await clock.advance(0.1);
  const again = next("join");
  close("Ping timeout");
  await clock.advance(1);
  await again;
  expect(events).toEqual([
    "connected",
    "disconnected",
    "connected",
    "disconnected",
    "connected",
    "disconnected",
    "connected",
  ]);
});

test("after an authentication failure the agent stays disconnected and says so", async () => {
  const errors: LogFields[] = [];
  const { untilCommand, clock, events, messages } = await start(
    {},
    {
      log: { ...silentLogger, error: (fields) => errors.push(fields) },
      onHello: (link) => void link.send({ cmd: "auth_failure", data: { description: "Duplicate server" } }),
    },
  );
  await untilCommand("hello");
  await clock.advance(120);
  expect(events).toEqual(["connected", "disconnected"]);
  expect(messages).toHaveLength(1);
  expect(errors).toEqual([{ reason: "Duplicate server" }]);
});

test("after stop nothing is sent any more", async () => {
  const { untilCommand, clock, messages, events } = await start();
  await untilCommand("join");
  await agent?.stop();
  const before = messages.length;
  await clock.advance(120);
  expect(messages).toHaveLength(before);
  expect(events).toEqual(["connected", "disconnected"]);
});

test("a job continues while the connection is lost, and its end is sent after the reconnect", async () => {
  const gate = Promise.withResolvers<void>();
  const { next, untilCommand, clock, close, launch, finished, logOf, metaOf, messages } = await start(
    { quickEverySec: 0 },
    {
      functions: {
        e1: async ({ log }) => {
          await gate.promise;
          log("done meanwhile");
          return { rows: 1 };
        },
      },
    },
  );
  await untilCommand("join");
  launch({ event: "e1", command: "[host-function]" });
  await clock.advance(0.1);
  close("Line cut");
  await clock.advance(0.1);
  gate.resolve();
  await clock.advance(0.1);
  expect(messages.some(({ cmd }) => cmd === "jobs")).toBe(false);
  const joined = next("join");
  await clock.advance(1);
  await joined;
  expect(await finished()).toMatchObject({ code: 0, data: { rows: 1 } });
  expect(logOf()).toBe("done meanwhile\n");
  expect(metaOf()).toEqual(["Job is finishing"]);
});

test("a job that still runs after a reconnect says that the connection is back", async () => {
  const gate = Promise.withResolvers<void>();
  const { next, untilCommand, clock, close, launch, untilJob, metaOf, finished } = await start(
    { quickEverySec: 0 },
    { functions: { e1: () => gate.promise } },
  );
  await untilCommand("join");
  launch({ event: "e1", command: "[host-function]" });
  await clock.advance(0.1);
  const joined = next("join");
  close("Line cut");
  await clock.advance(1);
  await joined;
  await clock.advance(1);
  expect((await untilJob((job) => "reconnected" in job)).cmd).toBe("jobs");
  expect(metaOf()).toEqual(["Connection to conductor is back"]);
  gate.resolve();
  await finished();
});

import type { HostFunction } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { start } from "../../../test/agents/function-agent.ts";

test("a function gets its parameters, secrets and input, and its result is the data of the job", async () => {
  const { launch, finished } = await start({
    e1: ({ jobId, params, secrets, input }) => ({ jobId, params, secrets, input, when: new Date(0), skip: undefined }),
  });
  launch({ params: { n: 1 } }, { details: { input: { data: { d: 1 } } }, sec: { KEY: "v" } });
  expect(await finished()).toMatchObject({
    state: "complete",
    code: 0,
    data: {
      jobId: "j1",
      params: { n: 1 },
      secrets: { KEY: "v" },
      input: { data: { d: 1 } },
      when: "1970-01-01T00:00:00.000Z",
    },
  });
});

test("a function uses the clock, the random source and the requests of the engine", async () => {
  const { clock, launch, finished } = await start({
    e1: async ({ clock: given, random, fetch }) => {
      const { status } = await fetch("data:,hello");
      return { now: given.now(), bytes: random.bytes(8).length, chance: random.fraction() < 1, status };
    },
  });
  launch();
  expect(await finished()).toMatchObject({ data: { now: clock.now(), bytes: 8, chance: true, status: 200 } });
});

test("a rejected promise that a function did not await is in the log of its job, with its stack", async () => {
  const { launch, finished, logOf } = await start({
    async e1() {
      void Promise.reject(new Error("nobody waits for me"));
      await new Promise((next) => setTimeout(next, 5));
    },
  });
  launch();
  expect(await finished()).toMatchObject({ code: 0 });
  expect(logOf()).toMatch(
    /^A promise that the function does not wait for was rejected: nobody waits for me\nError: nobody waits for me\n +at /,
  );
});

test("log, progress and tags of a function reach the job", async () => {
  const { launch, finished, logOf, messages } = await start({
    e1: async ({ log, progress, tag }) => {
      log("first");
      log("second\n");
      progress(0.5, "Half way");
      tag("nightly", "big");
    },
  });
  launch();
  expect(await finished()).toMatchObject({ code: 0, progress: 1, status: "Half way" });
  expect(logOf()).toBe("first\nsecond\n");
  const jobs = messages.filter(({ cmd }) => cmd === "jobs").map(({ data }) => data["j1"] as Record<string, unknown>);
  expect(jobs.map((job) => job["progress"])).toContain(0.5);
  expect(jobs.flatMap((job) => (job["push"] as { tags: string[] } | undefined)?.tags ?? [])).toEqual([
    "nightly",
    "big",
  ]);
});

test.each<[string, HostFunction, Record<string, unknown>]>([
  [
    "a throw",
    () => {
      throw new Error("No disk");
    },
    { code: 1, description: "No disk" },
  ],
  [
    "a rejection with a code",
    async () => {
      throw Object.assign(new Error("No disk"), { code: "ENOSPC" });
    },
    { code: "ENOSPC", description: "No disk" },
  ],
  [
    "a thrown text",
    () => {
      throw "plain";
    },
    { code: 1, description: "plain" },
  ],
  [
    "an empty error",
    () => {
      throw new Error("");
    },
    { code: 1, description: "Unknown Error (no description provided)" },
  ],
  [
    "a circular result",
    () => {
      const a: Record<string, unknown> = {};
      a["a"] = a;
      return a;
    },
    { code: 1, description: expect.stringContaining("circular") },
  ],
])("%s fails the job with a clear message", async (_, call, expected) => {
  const { launch, finished } = await start({ e1: call });
  launch();
  expect(await finished()).toMatchObject(expected);
});

test("an unregistered function fails its job", async () => {
  const { launch, finished } = await start({});
  launch();
  expect(await finished()).toMatchObject({ code: 1, description: "Host function not found: e1" });
});

test("an abort reaches the function through its signal", async () => {
  const { launch, finished, send, clock, logOf } = await start({
    e1: ({ signal, log }) => {
      log("started");
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  launch();
  await clock.advance(0.1);
  expect(logOf()).toBe("started\n");
  send("abort_job", { id: "j1", reason: "Enough" });
  expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
});

test("a function is not called when its job was aborted before", async () => {
  let called = false;
  const { launch, finished, send } = await start({
    e1: () => {
      called = true;
    },
  });
  launch();
  send("abort_job", { id: "j1", reason: "Enough" });
  expect(await finished()).toMatchObject({ code: "abort" });
  expect(called).toBe(false);
});

test("a function that ignores its abort is abandoned after the kill time, and its later output is ignored", async () => {
  const late = Promise.withResolvers<void>();
  const { launch, finished, send, untilCommand, clock, messages } = await start({
    e1: async ({ log }) => {
      await late.promise;
      log("too late");
      return { a: 1 };
    },
  });
  launch();
  await clock.advance(0.1);
  send("abort_job", { id: "j1", reason: "Enough" });
  await untilCommand("job_meta");
  await clock.advance(2.1);
  expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
  const before = messages.length;
  late.resolve();
  await clock.advance(0.5);
  expect(messages.slice(before).filter(({ cmd }) => cmd.startsWith("job"))).toEqual([]);
});

test("at most the given number runs at once, and the others wait", async () => {
  const gates = new Map<string, () => void>();
  const order: string[] = [];
  const call: HostFunction = async ({ jobId }) => {
    order.push(jobId);
    await new Promise<void>((resolve) => gates.set(jobId, resolve));
  };
  const { launch, finished, clock } = await start({ e1: call }, { maxFunctions: 2 });
  for (const id of ["j1", "j2", "j3", "j4"]) launch({ id });
  await clock.advance(0.1);
  expect(order).toEqual(["j1", "j2"]);
  gates.get("j2")?.();
  await finished("j2");
  await clock.advance(0.1);
  expect(order).toEqual(["j1", "j2", "j3"]);
  gates.get("j1")?.();
  await finished("j1");
  await clock.advance(0.1);
  expect(order).toEqual(["j1", "j2", "j3", "j4"]);
  for (const open of gates.values()) open();
  await finished("j4");
});

test("a waiting job can be aborted, and does not use up a place", async () => {
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const call: HostFunction = async ({ jobId }) => {
    order.push(jobId);
    await gate.promise;
  };
  const { launch, finished, send, clock } = await start({ e1: call }, { maxFunctions: 1 });
  for (const id of ["j1", "j2", "j3"]) launch({ id });
  await clock.advance(0.1);
  send("abort_job", { id: "j2", reason: "Not needed" });
  expect(await finished("j2")).toMatchObject({ code: "abort", description: "Not needed" });
  gate.resolve();
  expect(await finished("j3")).toMatchObject({ code: 0 });
  expect(order).toEqual(["j1", "j3"]);
});

test.each([
  ["text", ["Warning: The result is not kept: only an object becomes the data of a job."]],
  [[1, 2], ["Warning: The result is not kept: only an object becomes the data of a job."]],
  [undefined, []],
  [{ n: 1 }, []],
])("a result that cannot be the data of a job is reported: %j", async (result, told) => {
  const { launch, finished, metaOf } = await start({ e1: () => result });
  launch();
  expect(await finished()).toMatchObject({ code: 0 });
  expect(metaOf().filter((text) => text.startsWith("Warning"))).toEqual(told);
});

test("a running job is reported once a second", async () => {
  const gate = Promise.withResolvers<void>();
  const { launch, clock, messages } = await start({ e1: () => gate.promise });
  launch();
  await clock.advance(3.5);
  expect(messages.filter(({ cmd }) => cmd === "jobs")).toHaveLength(3);
  gate.resolve();
});

test("many changes are reported at most five times a second, the last one always", async () => {
  const gate = Promise.withResolvers<void>();
  const { launch, clock, messages, finished } = await start({
    e1: async ({ progress }) => {
      for (let step = 1; step <= 90; step++) progress(step / 100);
      await gate.promise;
    },
  });
  launch();
  await clock.advance(0.9);
  const told = messages
    .filter(({ cmd }) => cmd === "jobs")
    .map(({ data }) => (data["j1"] as { progress: number }).progress);
  expect(told).toEqual([0.01, 0.9]);
  gate.resolve();
  await finished();
});

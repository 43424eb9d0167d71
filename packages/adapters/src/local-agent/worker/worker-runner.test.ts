import { createSignalbox, defineEvent, type LimitInput, memoryStorage } from "@signalbox/core";
import { systemClock, systemRandom } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../../../core/test/engine.ts";
import { MODULE, start } from "../../../test/agents/worker-agent.ts";
import { localConductor } from "../../../test/local-conductor.ts";
import { localAgent } from "../index.ts";

describe("a function in a thread", () => {
  test("gets the arguments of a function in process, and its output and result reach the job", async () => {
    const { launch, finished, logOf, messages } = await start(undefined);
    const files = [{ filename: "in.txt", path: "files/x/in.txt", size: 7 }];
    launch({ params: { n: 1 } }, { details: { input: { data: { d: 1 }, files } }, sec: { KEY: "v" } });
    expect(await finished()).toMatchObject({
      state: "complete",
      code: 0,
      status: "Half way",
      data: {
        params: { n: 1 },
        secrets: { KEY: "v" },
        input: { data: { d: 1 } },
        data: { d: 1 },
        job: { id: "j1", event: "e1" },
        files: [{ filename: "in.txt", sizeBytes: 7 }],
        when: "1970-01-01T00:00:00.000Z",
      },
    });
    expect(logOf()).toBe("first\nsecond\n");
    const jobs = messages.filter(({ cmd }) => cmd === "jobs").map(({ data }) => data["j1"] as Record<string, unknown>);
    expect(jobs.flatMap((job) => (job["push"] as { tags: string[] } | undefined)?.tags ?? [])).toEqual([
      "nightly",
      "big",
    ]);
  });

  test("uses a clock, a random source and requests of its own thread", async () => {
    const { launch, finished } = await start("live");
    const began = systemClock.now();
    launch();
    const { data } = (await finished()) as { data: Record<"now" | "took" | "bytes" | "chance" | "status", number> };
    expect(data).toMatchObject({ bytes: 8, status: 200 });
    expect(data.now).toBeGreaterThan(began);
    expect(data.took).toBeGreaterThanOrEqual(19);
    expect(data.chance).toBeLessThan(1);
  });

  test("computes for most of a second while the main thread is never blocked for 100 ms", async () => {
    const { launch, finished } = await start("burn");
    // The first call starts and loads the thread, which must not count in the measurement.
    launch({ params: { ms: 1 } });
    await finished();
    launch({ id: "j2", params: { ms: 700 } });
    const done = finished("j2");
    let longest = 0;
    let turns = 0;
    let last = performance.now();
    const cpu = process.threadCpuUsage();
    let isOver = false;
    const watch = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      turns += 1;
      last = now;
      if (!isOver) setTimeout(watch, 5);
    };
    watch();
    const job = await done;
    isOver = true;
    const { user } = process.threadCpuUsage(cpu);
    expect((job["data"] as { turns: number }).turns).toBeGreaterThan(400);
    // On a busy machine, wall-clock time says little, so the thread's CPU time counts where it is shorter.
    expect(turns).toBeGreaterThan(1);
    expect(Math.min(longest, user / 1000)).toBeLessThan(100);
  });

  test("gets its parameters as the schema returned them", async () => {
    const { run } = defineEvent({
      id: "e1",
      title: "Work",
      params: {
        "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: { made: value as { n: number } } }) },
      },
      worker: { module: MODULE },
    });
    const targets: unknown[] = [];
    const files = { input: [], read: async function* () {}, write: async () => undefined };
    const call = { jobId: "j1", params: { n: 1 }, secrets: {}, input: {}, files, signal: AbortSignal.abort() };
    const deaf = { log: () => undefined, progress: () => undefined, tag: () => undefined };
    const world = { clock: systemClock, random: systemRandom(), fetch };
    await run({ ...call, ...deaf, ...world, inWorker: async (target) => targets.push(target) });
    expect(targets).toEqual([
      { module: String(MODULE), export: "run", event: "e1", data: {}, params: { made: { n: 1 } } },
    ]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["fail", { code: "ENOSPC", description: "No disk" }],
    ["plain", { code: 1, description: "plain" }],
    ["circular", { code: 1, description: expect.stringContaining("circular") }],
    ["large", { code: 1, description: expect.stringMatching(/^Result is too large: \d+ characters$/) }],
    ["leave", { code: 1, description: "The thread of the function ended before it, with code 3" }],
    ["stumble", { code: 1, description: "Beside the point" }],
    ["name", { code: 1, description: `Worker module exports no function "name": ${MODULE}` }],
    ["nobody", { code: 1, description: `Worker module exports no function "nobody": ${MODULE}` }],
  ])("a function that ends as %s fails its job in words, and the next one has a thread", async (name, expected) => {
    const { launch, finished } = await start(name);
    launch();
    expect(await finished()).toMatchObject(expected);
    launch({ id: "j2" });
    expect(await finished("j2")).toMatchObject(expected);
  });

  test("a module that cannot be loaded fails its job with the reason", async () => {
    const missing = new URL("./no-such-module.ts", import.meta.url);
    const { launch, finished } = await start("run", {}, missing);
    launch();
    expect(await finished()).toMatchObject({
      code: 1,
      description: expect.stringMatching(/^Worker module could not be loaded: file:.*no-such-module\.ts: Cannot find/),
    });
  });

  test("a module that fails while it loads says so", async () => {
    const { launch, finished } = await start("run", {}, "data:text/javascript,throw new Error('Not today')");
    launch();
    expect(await finished()).toMatchObject({
      code: 1,
      description: expect.stringMatching(/could not be loaded.*Not today$/),
    });
  });

  test("fails with parameters that cannot be cloned", async () => {
    const { run } = defineEvent({
      id: "e1",
      title: "Work",
      params: { "~standard": { version: 1, vendor: "test", validate: () => ({ value: { call: () => 1 } }) } },
      worker: { module: MODULE },
    });
    const own = localAgent({ quickEverySec: 0 });
    onTestFinished(() => own.stop());
    const { start: begin, launch, finished } = localConductor(own, { clock: fakeClock(), functions: { e1: run } });
    await begin();
    launch({ event: "e1", command: "[host-function]", plugin: "" });
    expect(await finished()).toMatchObject({ code: 1, description: expect.stringContaining("could not be cloned") });
  });

  test("a function that exceeds its memory limit fails alone", async () => {
    const { launch, finished } = await start("fill", { workerMemoryMb: 24 });
    launch();
    expect(await finished()).toMatchObject({
      code: "ERR_WORKER_OUT_OF_MEMORY",
      description: expect.stringContaining("memory"),
    });
  });
});

describe("an abort", () => {
  test("reaches a waiting function through its signal", async () => {
    const { launch, finished, send, untilLog } = await start("wait");
    launch();
    await untilLog("waiting");
    send("abort_job", { id: "j1", reason: "Enough" });
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
  });

  test("reaches a function that never awaits when it logs", async () => {
    const { launch, finished, send, untilLog, logOf } = await start("heed");
    launch();
    await untilLog("started");
    send("abort_job", { id: "j1", reason: "Enough" });
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
    expect(logOf()).toBe("started\nHeard: Enough\n");
  });

  test("an abort while the module is loaded prevents the function from being called", async () => {
    const { launch, finished, send, logOf } = await start("wait");
    launch();
    send("abort_job", { id: "j1", reason: "Enough" });
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
    expect(logOf()).toBe("");
  });

  test("ends the thread of a function that ignores it, after the kill time, and frees its place", async () => {
    const { launch, finished, send, untilLog, clock } = await start("deaf");
    launch();
    await untilLog("deaf");
    launch({ id: "j2" });
    send("abort_job", { id: "j1", reason: "Enough" });
    await clock.advance(2.1);
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
    await untilLog("deaf");
    send("abort_job", { id: "j2", reason: "Enough" });
    await clock.advance(2.1);
    expect(await finished("j2")).toMatchObject({ code: "abort" });
  });

  test("removes a job that waits for a thread", async () => {
    const { launch, finished, send, untilLog } = await start("wait");
    launch();
    await untilLog("waiting");
    launch({ id: "j2" });
    send("abort_job", { id: "j2", reason: "Not needed" });
    expect(await finished("j2")).toMatchObject({ code: "abort", description: "Not needed" });
    send("abort_job", { id: "j1", reason: "Enough" });
    await finished();
  });
});

describe("a limit on a function in a thread", () => {
  const limited = { enabled: true, abort: true } as const;
  test.each<[LimitInput, string]>([
    [{ ...limited, type: "time", duration: 1 }, "Job elapsed time has exceeded maximum limit of 1 second."],
    [{ ...limited, type: "mem", amount: 1000, duration: 0 }, "Job memory usage has exceeded maximum limit of"],
  ])(
    "ends a function that ignores it: %j",
    async (limit, description) => {
      const event = defineEvent({
        id: "numb",
        title: "Numb",
        limits: [limit],
        worker: { module: MODULE, export: "numb" },
      });
      const signalbox = createSignalbox({
        storage: memoryStorage(),
        secretKey: "EXAMPLE_CLUSTER_KEY",
        plugins: [quickKeys],
        events: [event],
        agents: localAgent({ killTimeoutSec: 0.2, quickEverySec: 0 }),
        config: { job_universal_actions: { default: [], workflow: [] } },
      });
      await signalbox.start();
      try {
        const { id } = await signalbox.api.runEvent({ id: "numb" });
        await new Promise<void>((resolve) => signalbox.events.on("job.completed", () => resolve()));
        const { job } = await signalbox.api.getJob({ id });
        expect(job).toMatchObject({ code: "abort", final: true });
        expect(job.description).toContain(description);
      } finally {
        await signalbox.stop();
      }
    },
    20_000,
  );
});

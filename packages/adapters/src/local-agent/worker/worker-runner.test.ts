import { createSignalbox, defineEvent, type LimitInput, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { type AgentTransport, systemClock, systemRandom } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { quickKeys } from "../../../../core/test/engine.ts";
import { localConductor } from "../../../test/local-conductor.ts";
import { type LocalAgentOptions, localAgent } from "../index.ts";

const MODULE = new URL("../../../test/worker-functions.ts", import.meta.url);

let agent: AgentTransport | undefined;
afterEach(() => agent?.stop());

/** An agent whose event `e1` is a function of the module. */
async function start(name: string | undefined, options: LocalAgentOptions = {}, module: URL | string = MODULE) {
  const clock = fakeClock();
  const blobs = memoryBlobStore({ clock });
  agent = localAgent({ quickEverySec: 0, killTimeoutSec: 2, maxWorkers: 1, blobs, ...options });
  const worker = name === undefined ? { module } : { module, export: name };
  const { run } = defineEvent({ id: "e1", title: "Work", worker });
  const here = defineEvent({ id: "e2", title: "Here", run: () => ({ here: true }) });
  const conductor = localConductor(agent, { clock, functions: { e1: run, e2: here.run } });
  await conductor.start();
  await conductor.untilCommand("join");
  const launch = (job: Readonly<Record<string, unknown>> = {}, parts: Readonly<Record<string, unknown>> = {}) =>
    conductor.launch({ event: "e1", command: "[host-function]", plugin: "", ...job }, parts);
  /** Log lines leave their buffer by the clock of the test, and threads live by that of the machine. */
  const untilLog = async (text: string): Promise<void> => {
    while (!conductor.logOf().includes(text)) {
      await new Promise<void>((resolve) => void systemClock.after(2, resolve));
      await clock.advance(0.1);
    }
  };
  return { ...conductor, launch, clock, blobs, untilLog };
}

describe("a function in a thread", () => {
  test("gets the arguments of a function here, and its output and result reach the job", async () => {
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

  test("lives by a clock, chance and requests of its own thread", async () => {
    const { launch, finished } = await start("live");
    const began = systemClock.now();
    launch();
    const { data } = (await finished()) as { data: Record<"now" | "took" | "bytes" | "chance" | "status", number> };
    expect(data).toMatchObject({ bytes: 8, status: 200 });
    expect(data.now).toBeGreaterThan(began);
    expect(data.took).toBeGreaterThanOrEqual(19);
    expect(data.chance).toBeLessThan(1);
  });

  test("computes for most of a second while this thread is never held up for 100 ms", async () => {
    const { launch, finished } = await start("burn");
    // The thread itself starts before the measurement, which is not about its loading.
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
    expect(turns).toBeGreaterThan(20);
    // On a busy machine the wall time is no measure of ours: then the thread's own time decides.
    expect(Math.min(longest, user / 1000)).toBeLessThan(100);
  });

  test("is given its parameters as the schema made them", async () => {
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
    expect(targets).toEqual([{ module: String(MODULE), export: "run", event: "e1", params: { made: { n: 1 } } }]);
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

  test("fails with parameters that cannot travel", async () => {
    const { run } = defineEvent({
      id: "e1",
      title: "Work",
      params: { "~standard": { version: 1, vendor: "test", validate: () => ({ value: { call: () => 1 } }) } },
      worker: { module: MODULE },
    });
    agent = localAgent({ quickEverySec: 0 });
    const { start: begin, launch, finished } = localConductor(agent, { clock: fakeClock(), functions: { e1: run } });
    await begin();
    launch({ event: "e1", command: "[host-function]", plugin: "" });
    expect(await finished()).toMatchObject({ code: 1, description: expect.stringContaining("could not be cloned") });
  });

  test("a function that needs more memory than its limit fails alone", async () => {
    const { launch, finished } = await start("fill", { workerMemoryMb: 24 });
    launch();
    expect(await finished()).toMatchObject({
      code: "ERR_WORKER_OUT_OF_MEMORY",
      description: expect.stringContaining("memory"),
    });
  });
});

describe("an abort", () => {
  test("reaches a function that waits through its signal", async () => {
    const { launch, finished, send, untilLog } = await start("wait");
    launch();
    await untilLog("waiting");
    send("abort_job", { id: "j1", reason: "Enough" });
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
  });

  test("reaches a function that never awaits, when it says something", async () => {
    const { launch, finished, send, untilLog, logOf } = await start("heed");
    launch();
    await untilLog("started");
    send("abort_job", { id: "j1", reason: "Enough" });
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
    expect(logOf()).toBe("started\nHeard: Enough\n");
  });

  test("an abort while the module is loaded keeps the function from being called", async () => {
    const { launch, finished, send, logOf } = await start("wait");
    launch();
    send("abort_job", { id: "j1", reason: "Enough" });
    expect(await finished()).toMatchObject({ code: "abort", description: "Enough" });
    expect(logOf()).toBe("");
  });

  test("ends the thread of a function that hears nothing, after the kill time, and its place is free", async () => {
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

  test("takes a job out of the line for a thread", async () => {
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

describe("a limit", () => {
  const limited = { enabled: true, abort: true } as const;
  test.each<[LimitInput, string]>([
    [{ ...limited, type: "time", duration: 1 }, "Job elapsed time has exceeded maximum limit of 1 second."],
    [{ ...limited, type: "mem", amount: 1000, duration: 0 }, "Job memory usage has exceeded maximum limit of"],
  ])(
    "ends a function that hears nothing: %j",
    async (limit, description) => {
      const event = defineEvent({
        id: "deaf",
        title: "Deaf",
        limits: [limit],
        worker: { module: MODULE, export: "deaf" },
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
        const { id } = await signalbox.api.runEvent({ id: "deaf" });
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

describe("the threads", () => {
  test("are kept for the next job, and leave when nobody needs them for a minute", async () => {
    const { launch, finished, clock } = await start("number");
    for (const [id, count] of [
      ["j1", 1],
      ["j2", 2],
    ] as const) {
      launch({ id });
      expect(await finished(id)).toMatchObject({ data: { count } });
    }
    await clock.advance(61);
    launch({ id: "j3" });
    expect(await finished("j3")).toMatchObject({ data: { count: 1 } });
  });

  test("are no more than the given number, and functions of this thread do not wait for them", async () => {
    const { launch, finished, send, untilLog, logOf } = await start("wait", { maxWorkers: 2, maxFunctions: 1 });
    for (const id of ["j1", "j2", "j3"]) launch({ id });
    launch({ id: "j4", event: "e2" });
    expect(await finished("j4")).toMatchObject({ code: 0, data: { here: true } });
    await untilLog("waiting");
    expect(logOf("j3")).toBe("");
    for (const id of ["j1", "j2", "j3"]) send("abort_job", { id, reason: "Enough" });
    for (const id of ["j1", "j2", "j3"]) await finished(id);
  });

  test("end with the agent, even in the middle of work", async () => {
    const { launch, untilLog, clock, finished } = await start("deaf");
    launch();
    await untilLog("deaf");
    const stopped = agent?.stop();
    await clock.advance(2.1);
    await stopped;
    expect(await finished()).toMatchObject({
      code: "abort",
      description: "Server is shutting down.",
      retry_ok: true,
    });
  });

  test("say nothing of a function that is over", async () => {
    const { launch, finished, messages, clock } = await start("echo");
    launch();
    await finished();
    await new Promise<void>((resolve) => void systemClock.after(60, resolve));
    launch({ id: "j2" });
    await finished("j2");
    await clock.advance(0.5);
    expect(messages.filter(({ cmd }) => cmd === "job_log")).toEqual([]);
  });

  test("wait with their log for this one, and lose nothing of it", async () => {
    const { launch, finished, logOf } = await start("chatter");
    launch({ params: { lines: 8000 } });
    expect(await finished()).toMatchObject({ code: 0 });
    const lines = logOf().trimEnd().split("\n");
    expect([lines.length, lines.every((line, at) => line.startsWith(`${at} `))]).toEqual([8000, true]);
  });

  test("are measured each second", async () => {
    const { launch, clock, messages, send, finished, untilLog } = await start("deaf");
    launch();
    await untilLog("deaf");
    type Usage = { cpu?: { max: number }; mem?: { current: number } };
    const seen = (): Usage => (messages.findLast(({ cmd }) => cmd === "jobs")?.data["j1"] ?? {}) as Usage;
    // Both lives: a second of the test, and some time of the thread.
    while (!(Number(seen().cpu?.max) > 50 && Number(seen().mem?.current) > 1_000_000)) {
      await clock.advance(1);
      await new Promise<void>((resolve) => void systemClock.after(20, resolve));
    }
    send("abort_job", { id: "j1", reason: "Enough" });
    await clock.advance(2.1);
    expect(await finished()).toMatchObject({ code: "abort", cpu: { count: expect.any(Number) } });
  });
});

describe("files of a function in a thread", () => {
  const bytesOf = async (content: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> =>
    Buffer.concat(content ? await Array.fromAsync(content) : []);

  test("are read and kept piece by piece", async () => {
    const { launch, finished, blobs } = await start("copy");
    const pieces = [Buffer.alloc(100_000, 1), Buffer.alloc(50_000, 2)];
    await blobs.put(
      "files/x/in.bin",
      (async function* () {
        yield* pieces;
      })(),
    );
    launch({}, { details: { input: { files: [{ filename: "in.bin", path: "files/x/in.bin", size: 150_000 }] } } });
    const { code, files } = await finished();
    expect(code).toBe(0);
    expect(files).toMatchObject([
      { filename: "copy of it.bin", size: 150_000, job: "j1", server: "s1" },
      { filename: "text.txt", size: 7 },
      { filename: "bytes.bin", size: 3 },
    ]);
    const [copy] = files as { path: string }[];
    expect(await bytesOf((await blobs.get(String(copy?.path)))?.content)).toEqual(Buffer.concat(pieces));
  });

  test.each([
    ["missing", "Input file not found: nothing.bin"],
    ["broken", "The source broke"],
  ])("files that are %s fail it in words", async (name, description) => {
    const { launch, finished, blobs } = await start(name);
    launch();
    expect(await finished()).toMatchObject({ code: 1, description, files: [] });
    expect(await blobs.list("files/", { limit: 10 })).toEqual([]);
  });

  test("files that it leaves unfinished are not kept", async () => {
    const { launch, finished, blobs } = await start("forget");
    launch();
    expect(await finished()).toMatchObject({ code: 0, files: [] });
    expect(await blobs.list("files/", { limit: 10 })).toEqual([]);
  });

  test("go to the store of the engine when the agent is given none", async () => {
    const clock = fakeClock();
    agent = localAgent({ quickEverySec: 0 });
    const { run } = defineEvent({ id: "e1", title: "Work", worker: { module: MODULE, export: "keep" } });
    const { start: begin, launch, finished, blobs } = localConductor(agent, { clock, functions: { e1: run } });
    await begin();
    launch({ event: "e1", command: "[host-function]", plugin: "" });
    const { code, files } = await finished();
    expect(code).toBe(0);
    expect(await blobs.list("files/", { limit: 10 })).toEqual((files as { path: string }[]).map(({ path }) => path));
  });
});

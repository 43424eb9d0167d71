import { defineEvent } from "@signalbox/core";
import { systemClock } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { agent, MODULE, start } from "../../../test/agents/worker-agent.ts";
import { localConductor } from "../../../test/local-conductor.ts";
import { localAgent } from "../index.ts";

describe("the worker threads", () => {
  test("are kept for the next job, and end after a minute without work", async () => {
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

  test("are limited to the given number, and functions of the main thread do not wait for them", async () => {
    const { launch, finished, send, untilLog, logOf } = await start("wait", { maxWorkers: 2, maxFunctions: 1 });
    for (const id of ["j1", "j2", "j3"]) launch({ id });
    launch({ id: "j4", event: "e2" });
    expect(await finished("j4")).toMatchObject({ code: 0, data: { here: true } });
    await untilLog("waiting");
    expect(logOf("j3")).toBe("");
    for (const id of ["j1", "j2", "j3"]) send("abort_job", { id, reason: "Enough" });
    for (const id of ["j1", "j2", "j3"]) await finished(id);
  });

  test("end with the agent, even during a job", async () => {
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

  test("log nothing of a function that is over", async () => {
    const { launch, finished, messages, clock } = await start("echo");
    launch();
    await finished();
    await new Promise<void>((resolve) => void systemClock.after(60, resolve));
    launch({ id: "j2" });
    await finished("j2");
    await clock.advance(0.5);
    expect(messages.filter(({ cmd }) => cmd === "job_log")).toEqual([]);
  });

  test("may use the port of the thread for messages of their own, which are ignored", async () => {
    const { launch, finished } = await start("posts");
    launch();
    expect(await finished()).toMatchObject({ code: 0, data: { posted: true } });
  });

  test("wait with their log for the main thread, and lose nothing of it", async () => {
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
    // Both clocks must advance: a second for the test's, and some time for the thread's.
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

  test("are read and stored piece by piece", async () => {
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
  ])("files that are %s fail the function with a message", async (name, description) => {
    const { launch, finished, blobs } = await start(name);
    launch();
    expect(await finished()).toMatchObject({ code: 1, description, files: [] });
    expect(await blobs.list("files/", { limit: 10 })).toEqual([]);
  });

  test("files that the function leaves unfinished are not stored", async () => {
    const { launch, finished, blobs } = await start("forget");
    launch();
    expect(await finished()).toMatchObject({ code: 0, files: [] });
    expect(await blobs.list("files/", { limit: 10 })).toEqual([]);
  });

  test("are stored in the store of the engine when the agent has none", async () => {
    const clock = fakeClock();
    const own = localAgent({ quickEverySec: 0 });
    onTestFinished(() => own.stop());
    const { run } = defineEvent({ id: "e1", title: "Work", worker: { module: MODULE, export: "keep" } });
    const { start: begin, launch, finished, blobs } = localConductor(own, { clock, functions: { e1: run } });
    await begin();
    launch({ event: "e1", command: "[host-function]", plugin: "" });
    const { code, files } = await finished();
    expect(code).toBe(0);
    expect(await blobs.list("files/", { limit: 10 })).toEqual((files as { path: string }[]).map(({ path }) => path));
  });
});

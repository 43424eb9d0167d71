import { describe, expect, test } from "vitest";
import { anonymous } from "../../../kernel/calls/context.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { type JobsOptions, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";
import { GAP_LINE } from "./log-gap.ts";

type Members = Record<string, unknown>;
const KEY = "EXAMPLE_CLUSTER_KEY";
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < text.length; start += 1000) yield Buffer.from(text.slice(start, start + 1000));
}

/** A job that has printed its first lines, and a satellite whose connection is lost. */
async function setUp(options: JobsOptions = {}, begun?: TestJobs) {
  let jobs: TestJobs = begun ?? (await startJobs(options));
  let server = await jobs.connect({ join: { clusterKey: KEY } });
  const hasStarted = jobs.next("job.started");
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
  await jobs.settle();
  // Waits, because opening secrets takes time.
  await hasStarted;
  const started = jobs.clock.now();
  server.send("job_log", { id, text: lines(1, 4) });
  await jobs.clock.advance(2);
  return {
    id,
    started,
    now: () => jobs.clock.now(),
    advance: (seconds: number) => jobs.clock.advance(seconds),
    print: async (text: string) => {
      server.send("job_log", { id, text });
      await jobs.clock.advance(2);
    },
    /** Starts another process on the same storage; the satellite reconnects to it after a while. */
    async restart(seconds: number) {
      jobs.crash();
      const { blobs, storage, clock } = jobs;
      jobs = await startJobs({ ...options, blobs, storage, clock: fakeClock(clock.now() + seconds) });
      server = await jobs.connect({ join: { clusterKey: KEY } });
      server.send("jobs", { [id]: { state: "active", reconnected: jobs.clock.now() } });
      await jobs.settle();
    },
    /** The satellite stays away until its job is given up, then reconnects. */
    async vanish() {
      server.close();
      await jobs.clock.advance(130);
      server = await jobs.connect({ join: { clusterKey: KEY } });
    },
    async cut(seconds: number) {
      server.close();
      await jobs.clock.advance(seconds);
      server = await jobs.connect({ join: { clusterKey: KEY } });
      server.send("jobs", { [id]: { state: "active", reconnected: jobs.clock.now() } });
      await jobs.settle();
    },
    /** The satellite uploads its own log of the time without a connection. */
    async upload(text: string): Promise<Members> {
      const path = `files/jobs/${id}/${"r".repeat(43)}/job-${id}.log`;
      await jobs.blobs.put(path, chunks(text));
      return { id: "f1", date: 1, filename: `job-${id}.log`, path, size: text.length, server: "s1", job: id };
    },
    finish: (job: Members) =>
      jobs.signalbox.execute({
        operation: "finish_job",
        input: { id, auth: sha256Hex(id + KEY), job: { code: 0, complete: true, ...job } },
        actor: anonymous,
      }),
    crash: () => jobs.crash(),
    jobs: () => jobs,
    read: async () => (await jobs.signalbox.api.getJob({ id })).job,
  };
}

describe("the log of a satellite that was cut off", () => {
  test("is merged into the log after a line that marks the gap", async () => {
    const at = await setUp();
    await at.restart(30);
    const file = await at.upload(lines(5, 60));
    await at.finish({ files: [file] });
    const output = `${lines(1, 4)}${GAP_LINE}${lines(5, 60)}`;
    expect(await at.read()).toMatchObject({ final: true, output, log_file_size: output.length });
    expect((await at.read()).files).toMatchObject([{ id: "f1", path: file["path"], size: lines(5, 60).length }]);
  });

  test("is merged also when the server lived on, with its own line for the mark", async () => {
    const at = await setUp();
    await at.print("half a li");
    await at.cut(10);
    await at.finish({ files: [await at.upload("ne\nmore\n")] });
    expect(await at.read()).toMatchObject({ output: `${lines(1, 4)}half a li\n${GAP_LINE}ne\nmore\n` });
  });

  test("shows no secret of the job", async () => {
    const jobs = await startJobs();
    const fields = [{ name: "T", value: "tok3n-value", mask: true }];
    await jobs.signalbox.api.createSecret({ id: "z1", title: "Z", plugins: ["shellplug"], fields } as never);
    const at = await setUp({}, jobs);
    await at.cut(5);
    await at.finish({ files: [await at.upload(`${"x".repeat(996)} tok3n-value\n`)] });
    const { output } = (await at.read()) as Members;
    expect(output).toContain(`${GAP_LINE}${"x".repeat(996)} ****\n`);
  });

  test("is merged once when the final update comes again after a crash", async () => {
    const blobs = memoryBlobStore();
    const seen = { pieces: 0, crash: (): void => undefined };
    const get: BlobStore["get"] = async (key, range) => {
      const blob = await blobs.get(key, range);
      return blob && { ...blob, content: slowly(blob.content) };
    };
    async function* slowly(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of content)
        for (let start = 0; start < piece.length; start += 1000) {
          seen.pieces += 1;
          if (seen.pieces === 3) seen.crash();
          yield piece.subarray(start, start + 1000);
        }
    }
    const at = await setUp({ blobs: { ...blobs, get } });
    seen.crash = at.crash;
    await at.cut(5);
    const file = await at.upload(lines(5, 600));
    await expect(at.finish({ files: [file] })).rejects.toMatchObject({ reason: "unavailable" });
    expect(seen.pieces).toBe(3);
    await at.restart(5);
    await at.finish({ files: [file] });
    expect(await at.read()).toMatchObject({ output: `${lines(1, 4)}${GAP_LINE}${lines(5, 600)}` });
  });

  test("is appended to the record of a job that was given up", async () => {
    const at = await setUp();
    await at.vanish();
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await at.finish({ files: [await at.upload(lines(5, 6))] });
    expect(await at.read()).toMatchObject({ code: "warning", output: `${lines(1, 4)}${GAP_LINE}${lines(5, 6)}` });
  });
});

describe("the elapsed time of a job whose satellite was cut off", () => {
  test("counts to the end that the satellite reports", async () => {
    const at = await setUp();
    await at.restart(300);
    const completed = at.started + 60;
    await at.finish({ completed });
    const job = await at.read();
    expect(job).toMatchObject({ completed, elapsed: completed - Number(job.started) });
  });

  test.each([
    ["does not say when", (): Members => ({})],
    ["names a time before the start", (_now: number, started: number): Members => ({ completed: started - 900 })],
    ["names a time in the future", (now: number): Members => ({ completed: now + 900 })],
    ["names no time", (): Members => ({ completed: "soon" })],
  ])("counts to the report when the satellite %s", async (_what, members) => {
    const at = await setUp();
    await at.restart(300);
    await at.finish(members(at.now(), at.started));
    const job = await at.read();
    expect(job.elapsed).toBeCloseTo(at.now() - Number(job.started), 0);
  });
});

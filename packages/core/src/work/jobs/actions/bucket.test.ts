import { describe, expect, test } from "vitest";
import { cradleProbe, recordingLogger } from "../../../../test/engine.ts";
import type { ConfigInput } from "../../../engine/config.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;

async function* bytes(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

const action = (type: string, members: Members = {}): Members => ({
  ...{ enabled: true, condition: type === "fetch" ? "start" : "success", type },
  ...{ bucket_id: "b1", bucket_sync: "data_and_files", ...members },
});

async function setUp(config: ConfigInput = {}) {
  const probe = cradleProbe();
  const log = recordingLogger();
  const jobs = await startJobs({ plugins: [probe.plugin], config, log });
  const { blobs, clock, settle, signalbox } = jobs;
  const server = await jobs.connect();
  await signalbox.api.createBucket({ id: "b1", title: "Shared", data: { kept: 1 } });
  const begin = async (actions: Members[], event: Members = {}, run: Members = {}): Promise<string> => {
    const { id } = await signalbox.api.runEvent({ id: await jobs.event({ actions, ...event }), ...run } as never);
    await settle();
    await settle();
    return id;
  };
  /** Output of a job under its own folder, as agents upload it. */
  const output = async (id: string, filename: string, content: string): Promise<Members> => {
    const path = `files/jobs/${id}/t/${filename.toLowerCase()}`;
    await blobs.put(path, bytes(content));
    return { filename, path };
  };
  const end = async (id: string, update: Members = {}): Promise<Members> => {
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...update } });
    for (let n = 0; n < 4; n++) await settle(1);
    return (await signalbox.api.getJob({ id })).job;
  };
  const readFile = async (path: string): Promise<string> => {
    const file = await probe.cradle().files.get(path);
    return file ? Buffer.concat(await Array.fromAsync(file.content)).toString() : "";
  };
  return {
    ...{ begin, blobs, clock, end, launched: () => launched(server), output, readFile, settle },
    ...{ api: signalbox.api, errors: () => log.lines.filter(({ level }) => level === "error") },
    cradle: probe.cradle,
    /** Stores a file in the bucket, through a job. */
    async put(filename: string, content: string) {
      const id = await begin([action("store", { bucket_sync: "files" })]);
      await end(id, { files: [await output(id, filename, content)] });
    },
    [Symbol.asyncDispose]: () => signalbox.stop(),
  };
}

const resultOf = (job: Members): Members => (job["actions"] as Members[])[0] as Members;

describe("the store action of a bucket", () => {
  test("writes members of the job's data and copies its files, replacing the same names", async () => {
    await using at = await setUp();
    const id = await at.begin([action("store")]);
    const files = [await at.output(id, "Report.csv", "a,b"), await at.output(id, "log.txt", "x")];
    const job = await at.end(id, { data: { rows: 2 }, files });
    expect(resultOf(job)).toMatchObject({
      ...{ code: 0, description: "Stored in bucket Shared: data and 2 files" },
      details: "- Report.csv\n- log.txt",
    });
    const first = await at.api.getBucket({ id: "b1" });
    expect(first).toMatchObject({ data: { kept: 1, rows: 2 }, bucket: { revision: 1 } });
    expect(first.files).toMatchObject([
      { filename: "Report.csv", size: 3, job: id, server: "s1" },
      { filename: "log.txt", size: 1 },
    ]);
    expect(first.files[0]).not.toHaveProperty("username");

    const next = await at.begin([action("store")]);
    await at.end(next, { data: { rows: 3 }, files: [await at.output(next, "Report.csv", "a,b,c")] });
    const second = await at.api.getBucket({ id: "b1" });
    expect(second.data).toEqual({ kept: 1, rows: 3 });
    expect(second.files).toMatchObject([
      { id: first.files[0]?.id, path: first.files[0]?.path, size: 5, job: next },
      { filename: "log.txt", job: id },
    ]);
    expect(await at.readFile(String(first.files[0]?.path))).toBe("a,b,c");
    // The bucket's files must survive the jobs that stored them.
    await at.api.deleteJob({ id });
    await at.api.deleteJob({ id: next });
    await at.settle(2);
    expect(await at.readFile(String(second.files[1]?.path))).toBe("x");
  });

  test.each<[object, object, string[], string]>([
    [{ bucket_sync: "data" }, { kept: 1, rows: 2 }, [], "data"],
    [{ bucket_sync: "files" }, { kept: 1 }, ["a.csv", "b.txt"], "2 files"],
    [{ bucket_glob: "*.csv" }, { kept: 1, rows: 2 }, ["a.csv"], "data and 1 file"],
    [{ bucket_sync: "files", bucket_glob: "*.gz" }, { kept: 1 }, [], "nothing: the job has none of it"],
  ])("with %j stores the selected parts", async (members, data, names, text) => {
    await using at = await setUp();
    const id = await at.begin([action("store", { ...members })]);
    const files = [await at.output(id, "a.csv", "a"), await at.output(id, "b.txt", "b")];
    expect(resultOf(await at.end(id, { data: { rows: 2 }, files }))).toMatchObject({
      ...{ code: 0, description: `Stored in bucket Shared: ${text}` },
    });
    const held = await at.api.getBucket({ id: "b1" });
    expect([held.data, held.files.map(({ filename }) => filename)]).toEqual([data, names]);
  });

  test.each<[string, (at: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>, Members, string]>([
    ["is unknown", async () => undefined, { bucket_id: "none" }, "Bucket not found: none"],
    ["is disabled", ({ api }) => api.updateBucket({ id: "b1", enabled: false }), {}, "Bucket is disabled: b1"],
    ["holds a list", ({ api }) => api.updateBucket({ id: "b1", data: [1] }), {}, "Bucket data is not an object: b1"],
    [
      "has no such pattern",
      async () => undefined,
      { bucket_glob: "x".repeat(201) },
      "The pattern for names of files is too long.",
    ],
  ])(
    "into a bucket that %s fails, and leaves both the job and the bucket unchanged",
    async (_how, make, members, text) => {
      await using at = await setUp();
      await make(at);
      const before = await at.api.getBucket({ id: "b1" });
      const id = await at.begin([action("store", members)]);
      const job = await at.end(id, { data: { a: 1 }, files: [await at.output(id, "a.txt", "a")] });
      expect(job).toMatchObject({ code: 0, final: true, actions: [{ code: "bucket", description: text }] });
      expect(await at.api.getBucket({ id: "b1" })).toEqual(before);
      expect(await at.blobs.list("files/bucket/", { limit: 9 })).toEqual([]);
    },
  );

  test("keeps all bounds of uploads, and stores nothing when one file exceeds them", async () => {
    const settings = { max_files_per_bucket: 2, max_file_size: 5, accepted_file_types: ".txt" };
    await using at = await setUp({ client: { bucket_upload_settings: settings } });
    const attempt = async (...files: [string, string][]) => {
      const id = await at.begin([action("store")]);
      const outputs = [];
      for (const [name, content] of files) outputs.push(await at.output(id, name, content));
      return resultOf(await at.end(id, { data: { a: 1 }, files: outputs }))["description"];
    };
    expect([
      await attempt(["a.txt", "a"], ["b.txt", "longer"]),
      await attempt(["a.txt", "a"], ["b.exe", "b"]),
      await attempt(["a.txt", "a"], ["b.txt", "b"], ["c.txt", "c"]),
    ]).toEqual([
      "One or more of the files exceed the maximum allowed bucket file size.",
      "One or more of the files are not of an accepted type.",
      "Failed to process uploaded files: Error: The bucket has reached its maximum number of allowed files.",
    ]);
    expect(await at.api.getBucket({ id: "b1" })).toMatchObject({ data: { kept: 1 }, files: [] });
    expect(await at.blobs.list("files/bucket/", { limit: 9 })).toEqual([]);
  });

  test("copies nothing from outside the job's own folder", async () => {
    await using at = await setUp();
    await at.blobs.put("files/ann/x/secret.txt", bytes("secret"));
    const id = await at.begin([action("store", { bucket_sync: "files" })]);
    await at.end(id, { files: [{ filename: "secret.txt", path: "files/ann/x/secret.txt" }] });
    expect((await at.api.getBucket({ id: "b1" })).files).toEqual([]);
  });

  test("repeated after a crash gives the same result", async () => {
    await using at = await setUp();
    await at.blobs.put("files/jobs/j9/t/a.txt", bytes("a"));
    const deposit = { bucket: "b1", data: { a: 1 }, files: [{ filename: "a.txt", key: "files/jobs/j9/t/a.txt" }] };
    const signal = new AbortController().signal;
    for (let n = 0; n < 2; n++) await at.cradle().buckets.store({ ...deposit, job: "j9", server: "s1" }, signal);
    const { data, files } = await at.api.getBucket({ id: "b1" });
    expect([data, files.length]).toEqual([{ kept: 1, a: 1 }, 1]);
    await at.clock.advance(4000);
    expect(await at.blobs.list("files/bucket/", { limit: 9 })).toHaveLength(1);
    expect(await at.readFile(String(files[0]?.path))).toBe("a");
  });

  test("leaves nothing when it is cancelled, and files of a killed process are deleted after an hour", async () => {
    await using at = await setUp();
    const key = "files/jobs/j9/t/a.txt";
    await at.blobs.put(key, bytes("a"));
    const deposit = { bucket: "b1", data: undefined, files: [{ filename: "a.txt", key }], job: "j9", server: "s1" };
    await expect(at.cradle().buckets.store(deposit, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    const list = () => at.blobs.list("files/bucket/", { limit: 9 });
    expect(await list()).toEqual([]);
    const keep = (to: string) => at.cradle().files.copy(key, to, new AbortController().signal);
    await at.cradle().bucketFiles.keep("b1", [{ filename: "a.txt", sizeBytes: 1, keep }], { username: "ann" });
    expect(await list()).toHaveLength(1);
    await at.clock.advance(3700);
    expect(await list()).toEqual([]);
  });
});

describe("the fetch action of a bucket", () => {
  test("gives data and files to the job before it is sent", async () => {
    await using at = await setUp();
    await at.put("Rates.csv", "1,2");
    await at.put("other.txt", "x");
    const glob = { bucket_glob: "*.csv" };
    await at.begin([action("fetch", glob)], {}, { input: { data: { own: 1, kept: 0 } } });
    const { details, job } = at.launched().at(-1) as { details: Members; job: Members };
    const [file] = (await at.api.getBucket({ id: "b1" })).files;
    expect(details["input"]).toMatchObject({
      data: { own: 1, kept: 1 },
      files: [{ filename: "Rates.csv", path: file?.path, bucket: "b1", size: 3 }],
    });
    expect(JSON.stringify(details["input"])).not.toContain('"content"');
    const ended = await at.end(String(job["id"]));
    expect(resultOf(ended)).toMatchObject({ code: 0, description: "Fetched from bucket Shared: data and 1 file" });
    await expect(at.api.deleteJobFile({ id: String(job["id"]), path: String(file?.path) })).rejects.toThrow(
      "Bucket files cannot be deleted from job: rates.csv",
    );
    await at.api.deleteJob({ id: String(job["id"]) });
    await at.settle(2);
    expect(await at.readFile(String(file?.path))).toBe("1,2");
  });

  test("gives a list as the member items, and files with the same path once", async () => {
    await using at = await setUp();
    await at.put("a.txt", "a");
    await at.api.updateBucket({ id: "b1", data: ["x", "y"] });
    const [file] = (await at.api.getBucket({ id: "b1" })).files;
    const input = { files: [{ filename: "mine.txt", path: String(file?.path) }] };
    await at.begin([action("fetch")], {}, { input });
    const { details } = at.launched().at(-1) as { details: Members };
    expect(details["input"]).toMatchObject({
      data: { items: ["x", "y"] },
      files: [{ filename: "a.txt", bucket: "b1" }],
    });
    expect((details["input"] as { files: unknown[] }).files).toHaveLength(1);
  });

  test("gives the files that the event's limit allows, and names the others", async () => {
    await using at = await setUp();
    await at.put("a.txt", "a");
    await at.put("b.txt", "b");
    const limits = [{ type: "file", enabled: true, amount: 1 }];
    const id = await at.begin([action("fetch", { bucket_sync: "files" })], { limits });
    const { details } = at.launched().at(-1) as { details: Members };
    expect(details["input"]).toMatchObject({ files: [{ filename: "a.txt" }] });
    const { job } = await at.api.getJob({ id });
    expect(JSON.stringify(job["activity"])).toContain("Input files pruned from 2 to 1: at most 1");
  });

  test.each<[string, (at: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>, Members, string]>([
    ["is unknown", async () => undefined, { bucket_id: "none" }, "Bucket not found: none"],
    ["is disabled", ({ api }) => api.updateBucket({ id: "b1", enabled: false }), {}, "Bucket is disabled: b1"],
  ])("from a bucket that %s fails, but the job still starts", async (_how, make, members, text) => {
    await using at = await setUp();
    await make(at);
    const id = await at.begin([action("fetch", members)]);
    expect(at.launched().at(-1)?.details["input"]).toBeUndefined();
    expect(await at.end(id)).toMatchObject({ code: 0, actions: [{ code: "bucket", description: text }] });
  });

  test("refuses more than a record may hold", async () => {
    await using at = await setUp({ api: { max_record_size: 30_000 } });
    await at.api.updateBucket({ id: "b1", data: { a: "x".repeat(20_000) } });
    const id = await at.begin([action("fetch")], {}, { input: { data: { b: "x".repeat(15_000) } } });
    expect(resultOf(await at.end(id))).toMatchObject({
      code: "bucket",
      description: "The input of the job is too large.",
    });
  });

  test("and store pass work from job to job, and each retry has the parts that the first attempt fetched", async () => {
    await using at = await setUp();
    const counting = [action("fetch", { bucket_sync: "data" }), action("store", { bucket_sync: "data" })];
    for (let n = 1; n <= 3; n++) {
      const id = await at.begin(counting);
      const { details } = at.launched().at(-1) as never as { details: { input: { data: { kept: number } } } };
      expect(details.input.data.kept).toBe(n);
      await at.end(id, { data: { kept: details.input.data.kept + 1 } });
    }
    expect((await at.api.getBucket({ id: "b1" })).data).toEqual({ kept: 4 });
    const first = await at.begin(counting, { limits: [{ type: "retry", enabled: true, amount: 1, duration: 1 }] });
    await at.api.writeBucketData({ id: "b1", data: { kept: 100 } });
    await at.end(first, { code: 1 });
    await at.settle(3);
    const { details, job } = at.launched().at(-1) as { details: Members; job: Members };
    expect(job["id"]).not.toBe(first);
    expect(details["input"]).toMatchObject({ data: { kept: 4 } });
    expect(at.errors()).toEqual([]);
  });
});

test("an event may name a missing bucket, and alerts skip store and fetch actions", async () => {
  await using at = await setUp();
  const none = { bucket_id: "none" };
  const { event } = await at.api.createEvent({
    ...{ title: "E", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
    params: { script: "true" },
    actions: [action("store", none), action("fetch", none)],
  } as never);
  expect(event.actions).toHaveLength(2);
  const run = { side: "alert" as const, data: {}, key: "a1", signal: new AbortController().signal };
  const actions = [action("store", none)] as never;
  expect(await at.cradle().actionRunner.run({ ...run, actions })).toEqual(actions);
});

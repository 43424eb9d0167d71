import { describe, expect, test } from "vitest";
import { keyWith, recordingLogger, refusalOf } from "../../../../test/engine.ts";
import { type Actor, anonymous, type Upload } from "../../../kernel/context.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { BlobStore } from "../../../ports/blob-store.ts";
import type { Storage } from "../../../ports/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { type JobsOptions, launched, startJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const KEY = "EXAMPLE_CLUSTER_KEY";
const START = 1_795_253_600;
const REFUSED = { code: "auth", description: "Authentication failure" };

const serverToken = (id = "s1") => sha256Hex(id + KEY);
const runnerToken = (job: string, id = "s1") => sha256Hex(job + serverToken(id));
const jobToken = (job: string) => sha256Hex(job + KEY);

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function setUp(options: JobsOptions = {}, event: Members = {}) {
  const log = recordingLogger();
  const blobs = options.blobs ?? memoryBlobStore({ clock: fakeClock(START) });
  const jobs = await startJobs({ log, ...options, blobs });
  const { api, execute } = jobs.signalbox;
  const server = await jobs.connect();
  const { id } = await api.runEvent({ id: await jobs.event(event) });
  await jobs.settle();
  const call = (operation: string, input: Members, more: { actor?: Actor; uploads?: readonly Upload[] } = {}) =>
    execute({ operation, input, actor: anonymous, ...more });
  return {
    ...jobs,
    api,
    id,
    log,
    server,
    read: async (of = id) => (await api.getJob({ id: of })).job,
    finish: (job: Members, more: Members = {}, actor: Actor = anonymous) =>
      call("finish_job", { id, auth: jobToken(id), job, ...more }, { actor }),
    async upload(
      more: Members = {},
      { actor = anonymous, field = "file1", text = "a,1\n", filename = "Report 1.CSV" } = {},
    ) {
      const key = `tmp/up/${filename.replace(/[^\w.]/g, "_")}`;
      const { sizeBytes } = await jobs.blobs.put(key, chunks(text));
      const uploads = [{ field, filename, sizeBytes, key }];
      const input = { id, auth: jobToken(id), ...more };
      return (await call("upload_job_file", input, { actor, uploads })) as { key: string; size: number };
    },
    stored: () => jobs.blobs.list("files/", { limit: 10 }),
  };
}

const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, progress: 1, ...members });

/** A storage that fails while the test says so. */
function failing(what: "everything" | "writes") {
  const clock = fakeClock(START);
  const inner = memoryStorage({ clock });
  const state = { isDown: false };
  const down = () => Promise.reject(new Error("The disk is full"));
  const storage: Storage = {
    ...inner,
    read: (work) => (state.isDown && what === "everything" ? down() : inner.read(work)),
    write: (work) => (state.isDown ? down() : inner.write(work)),
  };
  return { clock, state, storage };
}

describe("who may send the result of a job", () => {
  test.each<[string, (job: string) => Members]>([
    ["the server with its token", () => ({ server: "s1", auth: serverToken() })],
    ["a runner of the server", (job) => ({ server: "s1", auth: runnerToken(job) })],
    ["the holder of the job's token", (job) => ({ auth: jobToken(job) })],
  ])("%s", async (_who, credentials) => {
    const at = await setUp();
    expect(await at.finish(done({ description: "Fine" }), credentials(at.id))).toEqual({});
    expect(await at.read()).toMatchObject({ final: true, code: 0, description: "Fine" });
  });

  test("an API key in `auth`, or one beside it", async () => {
    const at = await setUp();
    const { plain_key: auth } = await at.api.createApiKey({ title: "Runner" });
    expect(await at.finish(done({ code: 5 }), { auth })).toEqual({});
    expect(await at.read()).toMatchObject({ code: 5 });
    const next = await setUp();
    const actor = keyWith([]);
    await next.finish(done(), { auth: "unknown" }, actor);
    expect(await next.read()).toMatchObject({ code: 0 });
  });

  test.each<[string, (job: string) => Members]>([
    ["an unknown token", () => ({ auth: "0".repeat(64) })],
    ["no token", () => ({ auth: undefined })],
    ["the token of another job", () => ({ auth: jobToken("j2") })],
    ["the token of a server without its name", () => ({ auth: serverToken() })],
    ["the token of another server", () => ({ server: "s1", auth: serverToken("s2") })],
    ["a runner of another job", () => ({ server: "s1", auth: runnerToken("j2") })],
    ["the token of the job in the name of a server", (job) => ({ server: "s1", auth: jobToken(job) })],
    ["another server with its own token", () => ({ server: "s2", auth: serverToken("s2") })],
  ])("but not %s", async (_who, credentials) => {
    const at = await setUp();
    await at.connect({ id: "s2", hostname: "web02.example.internal" });
    expect(await refusalOf(at.finish(done(), credentials(at.id)))).toEqual(REFUSED);
    expect(await refusalOf(at.upload(credentials(at.id)))).toEqual(REFUSED);
    expect(await at.read()).toMatchObject({ state: "active" });
    expect(await at.stored()).toEqual([]);
  });

  test("nor a key limited to another category or group", async () => {
    const at = await setUp();
    for (const limits of [{ categories: ["beta"] }, { groups: ["other"] }]) {
      expect((await refusalOf(at.finish(done(), {}, keyWith([], limits)))).code).toBe("access");
      expect((await refusalOf(at.upload({}, { actor: keyWith([], limits) }))).code).toBe("access");
    }
  });

  test("a server that is not connected is told to come again", async () => {
    const at = await setUp();
    at.server.close();
    await at.settle();
    const own = { server: "s1", auth: serverToken() };
    await expect(at.finish(done(), own)).rejects.toMatchObject({ ...REFUSED, reason: "unavailable" });
    await expect(at.upload(own)).rejects.toMatchObject({ ...REFUSED, reason: "unavailable" });
    await expect(at.finish(done(), { ...own, auth: "wrong" })).rejects.toMatchObject({ reason: "denied" });
    await at.connect();
    await at.finish(done(), own);
    expect(await at.read()).toMatchObject({ final: true, code: 0 });
  });
});

describe("finish_job", () => {
  test("takes in what the last message would have held", async () => {
    const at = await setUp();
    at.server.send("job_log", { id: at.id, text: "before the end\n" });
    const { key } = await at.upload();
    const [launch] = launched(at.server);
    await at.finish({
      ...launch?.job,
      ...done({ push: { tags: ["nightly"] }, data: { rows: 3 }, table: { rows: [[1]] }, cpu: { total: 2, count: 2 } }),
      files: [{ id: "f1", date: 1, filename: "report.csv", path: key, size: 99, server: "s1", job: at.id }],
    });
    expect(await at.read()).toMatchObject({
      final: true,
      code: 0,
      output: "before the end\n",
      data: { rows: 3 },
      files: [{ path: key, size: 4, filename: "report.csv" }],
    });
  });

  test("is applied once, however often it arrives", async () => {
    const at = await setUp();
    const completed: unknown[] = [];
    at.signalbox.events.on("job.completed", ({ id }) => void completed.push(id));
    const both = [at.finish(done({ code: 3 })), at.finish(done({ code: 3 }))];
    expect(await Promise.all(both)).toEqual([{}, {}]);
    const record = await at.read();
    expect(await at.finish(done({ code: 3 }))).toEqual({});
    expect(await at.finish(done({ code: 0, description: "Changed my mind" }))).toEqual({});
    expect(await at.read()).toEqual(record);
    expect(completed).toEqual([at.id]);
  });

  test("after an abort without its agent is a late result", async () => {
    const at = await setUp();
    await at.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.clock.advance(130);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await at.finish(done({ code: 0, description: "Done after all" }));
    const record = await at.read();
    expect(record).toMatchObject({ code: "warning", late: true });
    expect(record.description).toContain("Done after all");
    await at.finish(done({ code: 0, description: "And again" }));
    expect(await at.read()).toEqual(record);
  });

  test("keeps every file record below the folder of the job, there or not", async () => {
    const at = await setUp();
    const { key } = await at.upload();
    await at.blobs.put("files/jobs/other/x/a.csv", chunks("x"));
    const gone = `files/jobs/${at.id}/x/gone.csv`;
    const odd = `files/jobs/${at.id}/not a key.csv`;
    const sent = [
      { path: key, filename: "a", size: 99, date: 1 },
      { path: `files/jobs/other/../${at.id}/x/gone.csv`, filename: "b", size: 7, date: 2 },
      { path: odd, filename: "c", size: 8, date: 3 },
      { path: "files/jobs/other/x/a.csv", filename: "d" },
      { path: `files/jobs/${at.id}/../other/x/a.csv`, filename: "e" },
    ];
    await at.finish(done({ files: [...sent, "text", null] }));
    const record = await at.read();
    expect(record["files"]).toEqual([
      { path: key, filename: "a", size: 4, date: START },
      { path: gone, filename: "b", size: 7, date: 2 },
      { path: odd, filename: "c", size: 8, date: 3 },
    ]);
    expect(JSON.stringify(record["activity"])).toContain("Ignoring 4 output files that are not the job's own");
  });

  test.each(["jobs", "finish"] as const)("and %s agree on files that are not there", async (way) => {
    const at = await setUp();
    const file = { path: `files/jobs/${at.id}/x/gone.csv`, filename: "a", size: 3 };
    const update = done({ files: [file] });
    if (way === "finish") await at.finish(update);
    else at.server.send("jobs", { [at.id]: update });
    await at.settle();
    expect(await at.read()).toMatchObject({ final: true, files: [file] });
  });

  test("ends the job whatever state it names, and changes nothing that is not the agent's", async () => {
    const at = await setUp();
    await at.finish({ state: "active", code: 0, username: "evil", event: "evil", server: "s9", id: "j9", tags: ["x"] });
    const record = await at.read();
    expect(record).toMatchObject({ state: "complete", server: "s1", id: at.id });
    expect(JSON.stringify(record)).not.toContain("evil");
  });

  test("is refused for jobs that nobody knows or that no server has", async () => {
    const at = await setUp();
    const unknown = { id: "jnone", auth: jobToken("jnone") };
    expect(await refusalOf(at.finish(done(), unknown))).toEqual({ code: "job", description: "Job not found: jnone" });
    expect(await refusalOf(at.upload(unknown))).toEqual({ code: "job", description: "Job not found: jnone" });
    const event = await at.event({
      limits: [
        { enabled: true, type: "job", amount: 1 },
        { enabled: true, type: "queue", amount: 9 },
      ],
    });
    await at.api.runEvent({ id: event });
    const { id } = await at.api.runEvent({ id: event });
    await at.settle();
    expect(await at.read(id)).toMatchObject({ state: "queued" });
    expect(await refusalOf(at.finish(done(), { id, auth: jobToken(id) }))).toEqual({
      code: "job",
      description: `Job is not running on a server: ${id}`,
    });
  });

  test.each<[Members, string]>([
    [{ job: "text" }, "Parameter is not type object: job"],
    [{ job: undefined }, "Missing parameter: job"],
    [{ auth: "a b" }, "Malformed parameter: auth"],
    [{ server: "../s1" }, "Malformed parameter: server"],
    [{ id: "../j1" }, "Malformed parameter: id"],
  ])("%j is malformed", async (change, description) => {
    const at = await setUp();
    expect(await refusalOf(at.finish(done(), change))).toEqual({ code: "api", description });
  });

  test.each(["everything", "writes"] as const)("asks to come again while %s fails, and loses nothing", async (what) => {
    const { clock, state, storage } = failing(what);
    const at = await setUp({ clock, storage });
    state.isDown = true;
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(at.finish(done({ code: 4, push: { tags: ["flag"] } }))).rejects.toMatchObject({
        code: "job",
        reason: "unavailable",
      });
    state.isDown = false;
    expect(await at.finish(done({ code: 4, push: { tags: ["flag"] } }))).toEqual({});
    const record = await at.read();
    expect(record).toMatchObject({ final: true, code: 4 });
    expect((record["tags"] as string[]).filter((tag) => tag === "flag")).toHaveLength(1);
  });

  test("asks to come again while the file store is away", async () => {
    const blobs = memoryBlobStore();
    let isDown = false;
    const head: BlobStore["head"] = (key) => (isDown ? Promise.reject(new Error("gone")) : blobs.head(key));
    const at = await setUp({ blobs: { ...blobs, head } });
    const { key } = await at.upload();
    const update = done({ files: [{ path: key, filename: "a" }] });
    isDown = true;
    await expect(at.finish(update)).rejects.toMatchObject({ reason: "unavailable" });
    isDown = false;
    await at.finish(update);
    expect(await at.read()).toMatchObject({ files: [{ path: key }] });
  });

  test("hides the values of secrets like every update", async () => {
    const at = await setUp();
    await at.api.createSecret({
      id: "z1",
      title: "Z",
      plugins: ["shellplug"],
      fields: [{ name: "T", value: "tok3n-value", mask: true }],
    } as never);
    const { id } = await at.api.runEvent({ id: await at.event() });
    await at.settle();
    await at.finish(done({ description: "It is tok3n-value" }), { id, auth: jobToken(id) });
    expect(JSON.stringify(await at.read(id))).not.toContain("tok3n-value");
  });
});

describe("upload_job_file", () => {
  test("stores the file below the job, under a path that nobody guesses", async () => {
    const at = await setUp();
    const { key, size } = await at.upload();
    expect(key).toMatch(new RegExp(`^files/jobs/${at.id}/[\\w-]{43}/report_1.csv$`));
    expect(size).toBe(4);
    const blob = await at.blobs.get(key);
    expect(Buffer.concat(await Array.fromAsync(blob?.content ?? [])).toString()).toBe("a,1\n");
    expect((await at.upload()).key).not.toBe(key);
  });

  test("takes late files", async () => {
    const at = await setUp();
    await at.finish(done());
    expect((await at.upload({ server: "s1", auth: serverToken() })).size).toBe(4);
  });

  test("takes none for a job that is kept nowhere", async () => {
    const at = await setUp({}, { ephemeral: true });
    await at.finish(done());
    expect(await refusalOf(at.upload())).toEqual({ code: "job", description: `Job not found: ${at.id}` });
    expect(await at.finish(done())).toEqual({});
  });

  test("needs its field", async () => {
    const at = await setUp();
    expect(await refusalOf(at.upload({}, { field: "file2" }))).toEqual({
      code: "job",
      description: "File upload data not found",
    });
    expect(await at.stored()).toEqual([]);
  });

  test("leaves nothing behind when the job is deleted meanwhile", async () => {
    const blobs = memoryBlobStore();
    const gate: { during?: () => Promise<void> } = {};
    const move: BlobStore["move"] = async (from, to) => {
      const info = await blobs.move?.(from, to);
      await gate.during?.();
      return info;
    };
    const at = await setUp({ blobs: { ...blobs, move } });
    await at.finish(done());
    gate.during = async () => {
      await at.api.deleteJob({ id: at.id });
    };
    expect(await refusalOf(at.upload())).toEqual({ code: "job", description: `Job not found: ${at.id}` });
    expect(await at.stored()).toEqual([]);
  });

  test("leaves nothing behind when the store fails, and says so without details", async () => {
    const blobs = memoryBlobStore();
    const move = () => Promise.reject(new Error("no room in /secret"));
    const at = await setUp({ blobs: { ...blobs, move } });
    await expect(at.upload()).rejects.toMatchObject({
      code: "file",
      reason: "unavailable",
      message: "Failed to process uploaded file: it could not be stored",
    });
    expect(await at.stored()).toEqual([]);
  });

  test("a job has a thousand files at most", async () => {
    const at = await setUp();
    for (let n = 0; n < 1000; n++) await at.blobs.put(`files/jobs/${at.id}/x/${n}`, chunks("x"));
    expect((await refusalOf(at.upload())).code).toBe("file");
  });

  test("files go with their job", async () => {
    const at = await setUp();
    const { key } = await at.upload();
    await at.finish(done({ files: [{ path: key, filename: "a" }] }));
    await at.blobs.put("files/jobs/other/x/a.csv", chunks("x"));
    await at.api.deleteJob({ id: at.id });
    await at.settle(1);
    expect(await at.stored()).toEqual(["files/jobs/other/x/a.csv"]);
  });
});

import { gunzipSync } from "node:zlib";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { openEngine } from "./fleet-engine.ts";
import { ONE_STORAGE, openStorage } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const KEY = "anAdministratorKeyForTests";
const RANDOM = "[\\w-]{43}";
type Members = Readonly<Record<string, unknown>>;
/** So that no item of queued work is left that is due much later. */
const FOR_EVER = { client: { job_upload_settings: { user_file_expiration: "0" } } };
type Sent = Readonly<Record<string, string | File>>;

/** An engine with a server that runs jobs when told to, and callers who send files. */
async function open(name: string, config: Members = {}) {
  const blobs = memoryBlobStore();
  const storage = await openStorage(name);
  const quiet = { job_universal_actions: { default: [], workflow: [] } };
  const at = await openEngine(name, { blobs, storage, administratorKey: KEY, config: { ...quiet, ...config } });
  const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const upload = (operation: string, fields: Sent, key = KEY) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    return at.send(`/api/app/${operation}`, { method: "POST", body: form, headers: { "x-api-key": key } });
  };
  const { body } = await at.admin.post("create_event", {
    ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
    ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  });
  const job = async (id: string) => (await at.admin.get(`get_job/v1?id=${id}`)).body.job;
  const until = untilOf(at.clock);
  const launched = (id: string): boolean =>
    server.received.some(({ cmd, data }) => cmd === "launch_job" && (data as { job: { id: string } }).job.id === id);
  return {
    ...at,
    ...{ app: createRouter(at.engine), blobs, event: body.event.id as string, job, launched, server, until, upload },
    /** The key of a caller with some privileges. */
    async person(...privileges: readonly string[]): Promise<string> {
      const granted = Object.fromEntries(privileges.map((id) => [id, true]));
      return (await at.admin.post("create_api_key", { title: "Person", privileges: granted })).body.plain_key;
    },
    /** Waits until no queued work is left. */
    settled: () => until(async () => (await storage.work.stats()).open === 0),
    get: (path: string, headers: Record<string, string> = {}) => at.send(path, { headers }),
    stored: () => blobs.list("", { limit: 100 }),
    /** Runs a job to its end; `files` are the ones that its server reports. */
    async run(input: Members = {}, files: readonly Members[] = []): Promise<string> {
      const { id } = (await at.admin.post("run_event", { id: body.event.id, ...input })).body;
      await until(() => launched(id));
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, files } });
      await until(async () => (await job(id)).final === true);
      return id;
    },
  };
}

const text = (name: string, content = "content") => new File([content], name);

describe.each(ONE_STORAGE)("over %s", (name) => {
  test("upload_files answers addresses under which known callers read the files, by the names that they had", async () => {
    const at = await open(name, { base_app_url: "https://ops.example.com" });
    const { status, body } = await at.upload("upload_files/v1", { a: text("Report 1.CSV"), b: text("notes.txt") });
    const { body: me } = await at.admin.get("get_api_keys/v1");
    const owner = me.rows[0].id;
    const urls = ["Report_1.CSV", "notes.txt"].map((file) => `https://ops.example.com/files/${owner}/${file}`);
    expect([status, body]).toEqual([200, { code: 0, urls }]);
    const key = { "x-api-key": KEY };
    expect((await at.get(new URL(urls[0] ?? "").pathname, key)).text).toBe("content");
    await at.upload("upload_files/v1", { a: text("notes.txt", "newer") });
    expect((await at.get(new URL(urls[1] ?? "").pathname, key)).text).toBe("newer");
  });

  test("upload_files keeps files as long as the configuration says", async () => {
    const at = await open(name, { file_expiration: "20 seconds" });
    const { body } = await at.upload("upload_files/v1", { a: text("a.txt") });
    const { pathname } = new URL(body.urls[0]);
    await at.clock.advance(15);
    expect((await at.get(pathname, { "x-api-key": KEY })).status).toBe(200);
    await at.until(async () => (await at.get(pathname, { "x-api-key": KEY })).status === 404);
  });

  test("run_event takes files that were uploaded before and files of the call itself", async () => {
    const at = await open(name);
    const before = await at.upload("upload_job_input_files/v1", { a: text("In Put.TXT", "one") });
    expect(before.body.files).toEqual([
      {
        ...{ id: expect.stringMatching(/^f/), filename: "In Put.TXT", size: 3, date: 1_800_000_000 },
        ...{
          username: expect.any(String),
          path: expect.stringMatching(new RegExp(`^files/\\w+/${RANDOM}/in_put\\.txt$`)),
        },
      },
    ]);
    const json = JSON.stringify({ id: at.event, input: { files: before.body.files, data: { a: 1 } } });
    const { body } = await at.upload("run_event/v1", { json, more: text("b.csv", "three") });
    const { input } = await at.job(body.id);
    expect(input).toMatchObject({ data: { a: 1 }, files: [before.body.files[0], { filename: "b.csv", size: 5 }] });
    const contents = input.files.map(async ({ path }: { path: string }) => (await at.get(`/${path}`)).text);
    expect(await Promise.all(contents)).toEqual(["one", "three"]);
  });

  test("edge case 15: an input file of two jobs stays until the last of them is deleted", async () => {
    const at = await open(name, FOR_EVER);
    const { files } = (await at.upload("upload_job_input_files/v1", { a: text("a.txt") })).body;
    const [first, second] = [await at.run({ input: { files } }), await at.run({ input: { files } })];
    const { path } = files[0];
    await at.admin.post("delete_job", { id: first });
    await at.settled();
    expect((await at.get(`/${path}`)).status).toBe(200);
    await at.admin.post("delete_job", { id: second });
    await at.until(async () => (await at.get(`/${path}`)).status === 404);
  });

  test("edge case 14: a job whose input went with the job that made it is listed all the same", async () => {
    const at = await open(name);
    const earlier = await at.run();
    // Late files are taken as well.
    const output = await at.upload("upload_job_file", { id: earlier, file1: text("out.csv") });
    const files = [{ id: "f1", filename: "out.csv", path: output.body.key, size: 7 }];
    const later = await at.run({ input: { files } });
    await at.admin.post("delete_job", { id: earlier });
    await at.until(async () => (await at.get(`/${output.body.key}`)).status === 404);
    expect((await at.job(later)).input.files).toMatchObject(files);
    expect((await at.admin.get("search_jobs/v1?query=*&verbose=1")).body.rows).toMatchObject([{ id: later }]);
  });

  test("edge case 13: an expired file is not found while the record of its job still names it", async () => {
    const at = await open(name, { client: { job_upload_settings: { user_file_expiration: "20 seconds" } } });
    const { files } = (await at.upload("upload_job_input_files/v1", { a: text("a.txt") })).body;
    const id = await at.run({ input: { files } });
    await at.clock.advance(15);
    await at.until(async () => (await at.get(`/${files[0].path}`)).status === 404);
    expect((await at.job(id)).input.files).toMatchObject(files);
    const { body } = await at.admin.post("delete_job_file", { id, path: files[0].path });
    expect(body).toEqual({ code: 0 });
  });

  test("a record cannot have a file deleted that is not its own", async () => {
    const at = await open(name, FOR_EVER);
    const owner = await at.person("run_jobs");
    const mine = (await at.upload("upload_job_input_files/v1", { a: text("a.txt") }, owner)).body.files[0];
    const other = await at.admin.post("run_event", { id: at.event });
    const foreign = (await at.upload("upload_job_file", { id: other.body.id, file1: text("out.csv") })).body.key;
    await at.blobs.put("logs/jobs/j1/log.txt.gz", text("x").stream());
    // A server claims files of other jobs, and a caller names the upload of another caller.
    const claimed = [foreign, mine.path, "logs/jobs/j1/log.txt.gz", "files/../logs/jobs/j1/log.txt.gz"];
    const id = await at.run(
      { input: { files: [mine] } },
      claimed.map((path) => ({ id: "f", filename: "x", path, size: 1 })),
    );
    expect((await at.job(id)).files).toEqual([]);
    expect((await at.admin.post("delete_job_file", { id, path: foreign })).body).toMatchObject({
      code: "job",
      description: "Job file not found: out.csv",
    });
    expect((await at.admin.post("delete_job_file", { id, path: mine.path })).body).toEqual({ code: 0 });
    await at.admin.post("delete_job", { id });
    await at.until(async () => (await at.admin.get(`get_job/v1?id=${id}`)).status === 404);
    await at.settled();
    const left = await at.stored();
    expect(left).toEqual(["logs/jobs/j1/log.txt.gz", foreign, mine.path].sort());
  });

  test("run_event takes nothing for a file that is not stored as one", async () => {
    const at = await open(name);
    for (const key of ["logs/jobs/j1/log.txt.gz", "tmp/a/0-a.txt"]) await at.blobs.put(key, text("x").stream());
    const logs = ["logs/jobs/j1/log.txt.gz", "files/../logs/jobs/j1/log.txt.gz"];
    for (const path of [...logs, "files/ann/nothing/a.txt", "tmp/a/0-a.txt"]) {
      const files = [{ id: "f1", filename: "a.txt", path, size: 1 }];
      expect((await at.admin.post("run_event", { id: at.event, input: { files } })).body).toEqual({
        code: "api",
        description: `Malformed event parameter: input.files (unknown path: ${path})`,
      });
    }
  });

  test("limits on files refuse them all, and leave nothing behind", async () => {
    const settings = { max_files_per_job: 2, max_file_size: 10, accepted_file_types: "image/*, .csv" };
    const at = await open(name, { client: { job_upload_settings: settings } });
    const cases: [Sent, string][] = [
      [{ a: text("a.csv"), b: text("b.csv"), c: text("c.csv") }, "Too many files (at most 2)"],
      [{ a: text("a.csv"), b: text("b.csv", "x".repeat(11)) }, "File is too large: b.csv (at most 10 bytes)"],
      [{ a: text("a.csv"), b: text("b.exe") }, "File type is not accepted: b.exe"],
    ];
    for (const operation of ["upload_job_input_files/v1", "run_event/v1"])
      for (const [files, reason] of cases)
        expect(await at.upload(operation, { id: at.event, ...files })).toMatchObject({
          status: 400,
          body: { code: "file", description: `Failed to process uploaded files: ${reason}` },
        });
    expect(await at.stored()).toEqual([]);
    expect((await at.upload("upload_job_input_files/v1", { a: text("a.png"), b: text("B.CSV") })).status).toBe(200);
  });

  test("without credentials or the privilege nothing is kept", async () => {
    const at = await open(name);
    const nobody = await at.person();
    for (const operation of ["upload_job_input_files", "run_event"]) {
      expect((await at.upload(`${operation}/v1`, { id: at.event, a: text("a") }, nobody)).body.code).toBe("access");
      expect((await at.upload(`${operation}/v1`, { id: at.event, a: text("a") }, "wrong")).body.code).toBe("session");
    }
    expect((await at.upload("upload_files/v1", { a: text("a") }, "wrong")).status).toBe(403);
    expect(await at.stored()).toEqual([]);
  });

  test("wrong tokens open no log, no stream and no upload", async () => {
    const at = await open(name);
    const id = await at.run();
    for (const operation of ["download_job_log", "view_job_log"]) {
      const { status, text: said } = await at.get(`/api/app/${operation}?id=${id}&t=wrong`);
      expect([status, said]).toEqual([403, "(Authentication failed.)\n"]);
    }
    expect((await at.get(`/api/app/stream_job/v1?id=${id}&token=${"0".repeat(64)}`)).body).toEqual({
      code: "api",
      description: "Authentication failed.",
    });
    expect((await at.upload("upload_job_file/v1", { id, auth: "wrong", file1: text("a") }, "")).body.code).toBe("auth");
    expect(await at.stored()).toEqual([]);
  });

  test("a path that can be guessed asks for credentials", async () => {
    const at = await open(name);
    const { body } = await at.upload("upload_files/v1", { a: text("a.txt") });
    const { pathname } = new URL(body.urls[0]);
    const { files } = (await at.upload("upload_job_input_files/v1", { a: text("b.txt") })).body;
    const closed = await at.get(pathname);
    expect([closed.status, closed.text]).toEqual([403, "(Authentication required.)\n"]);
    expect((await at.get(pathname, { "x-api-key": "wrong" })).status).toBe(403);
    expect((await at.get(pathname, { "x-api-key": KEY })).text).toBe("content");
    expect((await at.get(`/api/app/file/v1?path=${pathname.slice(7)}`)).status).toBe(403);
    expect((await at.get(pathname, { "x-api-key": KEY })).headers.get("cache-control")).toBe("private, max-age=0");
    // A path that nobody can guess stays open, also for callers with dead credentials.
    expect((await at.get(`/${files[0].path}`)).status).toBe(200);
    expect((await at.get(`/${files[0].path}`, { cookie: `session_id=${"0".repeat(64)}` })).status).toBe(200);
  });
});

test("a path that can be guessed is open where the configuration says so", async () => {
  const at = await open("memory", { files: { require_auth_for_plain_paths: false } });
  const { body } = await at.upload("upload_files/v1", { a: text("a.txt") });
  expect((await at.get(new URL(body.urls[0]).pathname)).text).toBe("content");
});

test("a server fetches an input file whose path can be guessed by the path that it is sent, for a day", async () => {
  const at = await open("memory");
  const { body } = await at.upload("upload_files/v1", { a: text("a.txt") });
  const path = new URL(body.urls[0]).pathname.slice(1);
  const { files: hidden } = (await at.upload("upload_job_input_files/v1", { a: text("b.txt") })).body;
  const id = await at.run({ input: { files: [{ id: "f1", filename: "a.txt", path, size: 7 }, ...hidden] } });
  const launch = at.server.received.find(({ cmd }) => cmd === "launch_job")?.data as Members;
  const [given, other] = (launch["details"] as { input: { files: { path: string }[] } }).input.files;
  expect(other?.path).toBe(hidden[0].path);
  expect(given?.path).toMatch(/^files\/\w+\/a\.txt\?token=[\w-]+$/);
  expect((await at.get(`/${given?.path}`)).text).toBe("content");
  expect((await at.get(`/${given?.path}x`)).status).toBe(403);
  expect((await at.get(`/${given?.path.replace("a.txt", "b.txt")}`)).status).toBe(403);
  // Records keep the path itself, which is no permission.
  expect((await at.job(id)).input.files[0].path).toBe(path);
  at.clock.step(86_400);
  expect((await at.get(`/${given?.path}`)).status).toBe(403);
});

describe("uploads and downloads", () => {
  test.each(["page.html", "page.HTM", "picture.svg", "page.xhtml", "feed.xml", "code.js", "code.mjs", "p.shtml"])(
    "%s is saved by browsers and never shown",
    async (filename) => {
      const at = await open("memory");
      const { body } = await at.upload("upload_job_input_files/v1", { a: text(filename, "<script>alert(1)</script>") });
      const path = `/${body.files[0].path}`;
      const asked: [string, Record<string, string>][] = [
        ["GET", {}],
        ["HEAD", {}],
        ["GET", { range: "bytes=0-3" }],
      ];
      for (const [method, headers] of asked)
        for (const query of ["", "?download=0", "?download=page.txt"]) {
          const answer = await at.send(path + query, { method, headers });
          const { "content-type": type = "", ...sent } = Object.fromEntries(answer.headers);
          expect(sent).toMatchObject({
            "content-security-policy": "default-src 'none'; sandbox",
            "x-content-type-options": "nosniff",
          });
          const isHarmless = type === "application/octet-stream";
          if (!isHarmless) expect(sent["content-disposition"]).toMatch(/^attachment; filename="/);
        }
    },
  );

  test.each<[string, RegExp]>([
    ["Größe über alles.txt", /\/gr__e__ber_alles\.txt$/],
    ["日本語のファイル.txt", /\/_+\.txt$/],
    ["العربية.pdf", /\/_+\.pdf$/],
    ["עברית.pdf", /\/_+\.pdf$/],
    ["Привет мир.csv", /\/_+\.csv$/],
    ["ไทย.csv", /\/_+\.csv$/],
    ["हिन्दी.csv", /\/_+\.csv$/],
    ["😀👩‍👩‍👧.png", /\/_+\.png$/],
    ["e\u0301 (combining).txt", /\/e___combining_\.txt$/],
    ["invoice\u202Egpj.exe", /\/invoice_gpj\.exe$/],
    ["Ａ／Ｂ．txt", /\.bin$/],
    ["a%2Fb%00c.txt", /\/a_2fb_00c\.txt$/],
    ["'; drop table files; --.txt", /\/___drop_table_files__--\.txt$/],
    ["CON", /\/con\.bin$/],
  ])("the name %j is shown as it is and stored as a safe one", async (filename, end) => {
    const at = await open("memory");
    const { body } = await at.upload("upload_job_input_files/v1", { a: text(filename) });
    const [record] = body.files;
    expect(record.path).toMatch(end);
    expect(record.path).toMatch(/^[A-Za-z0-9_./-]+$/);
    // Signs that turn the direction of text would make a program look like a picture.
    expect(record.filename).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u);
    const answer = await at.get(`/${record.path}?download=${encodeURIComponent(filename)}`);
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[^"\\]+"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/);
    expect([answer.status, answer.text]).toEqual([200, "content"]);
  });

  test("edge case 12: a name for the download cannot add a header or end its quoting", async () => {
    const at = await open("memory");
    const { body } = await at.upload("upload_job_input_files/v1", { a: text("a.txt") });
    const hostile = ['x"\r\nSet-Cookie: a=1', "x\\", '";filename=evil.exe', "a\u0000b", "\u2028", "'".repeat(5000)];
    for (const name of hostile) {
      const { headers } = await at.get(`/${body.files[0].path}?download=${encodeURIComponent(name)}`);
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("content-disposition")).toMatch(/^attachment; filename="[^"\\\p{Cc}]{1,255}"/u);
    }
  });

  test("edge case 3: upload_job_file answers a key, the others files or addresses", async () => {
    const at = await open("memory");
    const { id } = (await at.admin.post("run_event", { id: at.event })).body;
    const members = async (operation: string, fields: Sent) => Object.keys((await at.upload(operation, fields)).body);
    expect(await members("upload_job_file/v1", { id, file1: text("a") })).toEqual(["code", "key", "size"]);
    expect(await members("upload_job_input_files/v1", { a: text("a") })).toEqual(["code", "files"]);
    expect(await members("upload_files/v1", { a: text("a") })).toEqual(["code", "urls"]);
  });

  test("edge cases 1 and 4: an empty file is an error of every upload, with status 200 on paths without a version", async () => {
    const at = await open("memory");
    const { id } = (await at.admin.post("run_event", { id: at.event })).body;
    const fields = { id: at.event, a: text("full.txt"), file1: text("empty.txt", "") };
    for (const operation of ["upload_files", "upload_job_input_files", "run_event"])
      for (const [version, status] of [
        ["", 200],
        ["/v1", 400],
      ] as const)
        expect(await at.upload(operation + version, fields)).toMatchObject({
          status,
          body: {
            code: "api",
            description: "File 'file1' is missing required size property, or is zero bytes.",
          },
        });
    expect((await at.upload("upload_job_file", { id, file1: text("e", "") })).body.code).toBe("api");
    expect(await at.stored()).toEqual([]);
  });

  test("an upload without a file says so", async () => {
    const at = await open("memory");
    for (const operation of ["upload_files", "upload_job_input_files"])
      expect((await at.upload(`${operation}/v1`, { a: "no file" })).body).toEqual({
        code: "file",
        description: "No file upload data found in request.",
      });
  });
});

test("edge cases 8 and 9: a log is sent compressed to every caller, an event stream to none", async () => {
  const at = await open("memory");
  const { id } = (await at.admin.post("run_event", { id: at.event })).body;
  await at.until(() => at.launched(id));
  at.server.send("job_log", { id, text: "Grüße\n" });
  at.server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await at.until(async () => (await at.job(id)).final === true);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    at.app.request(`/api/app/${path}`, { headers: { "x-api-key": KEY, ...headers } });
  for (const headers of [{}, { "accept-encoding": "gzip, br" }, { "accept-encoding": "identity" }]) {
    const log = await ask(`get_job_log/v1?id=${id}`, headers);
    expect(log.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await log.arrayBuffer()).toString()).toBe("Grüße\n");
  }
  const stream = await ask(`stream_job/v1?id=${id}`, { "accept-encoding": "gzip, br" });
  expect([stream.headers.get("content-type"), stream.headers.get("content-encoding")]).toEqual([
    "text/event-stream",
    null,
  ]);
  expect(await stream.text()).toMatch(/^event: start\ndata: \{\}\n\nevent: update\ndata: \{.*\}\n\nevent: end\n/);
});

test("edge case 11: HEAD of a missing file is 404 without a body", async () => {
  const at = await open("memory");
  const { status, text: said } = await at.send("/files/ann/x/a.txt", { method: "HEAD" });
  expect([status, said]).toEqual([404, ""]);
});

test("a path that is gone is told in plain text", async () => {
  const at = await open("memory");
  const { status, text: said } = await at.get("/files/ann/x/a.txt");
  expect([status, said]).toEqual([404, "(File not found.)\n"]);
});

test("edge case 17: neither tokens nor the paths of files reach the log", async () => {
  const lines: string[] = [];
  const line = (fields: object, message: string) =>
    void lines.push(JSON.stringify({ ...fields, message, error: String((fields as { error?: unknown }).error) }));
  const log = { debug: line, info: line, warn: line, error: line };
  const memory = memoryBlobStore();
  const engine = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    blobs: memory,
    log,
    plugins: [quickKeys],
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": administratorKey, "content-type": "application/json" };
  const random = "R4nd0m".repeat(7).concat("x");
  await app.request(`/api/app/stream_job/v1?id=j1&token=${random}`);
  await app.request(`/api/app/download_job_log/v1?id=j1&t=${random}`);
  await app.request(`/api/app/echo/v1?x=${random}`);
  await app.request(`/files/ann/${random}/a.txt`);
  const { event } = await engine.api.createEvent({
    ...{ title: "E", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
    ...{ params: { script: "x" }, triggers: [{ type: "manual", enabled: true }] },
  });
  const files = [{ id: "f", filename: "a", path: `files/ann/${random}/a.txt`, size: 1 }];
  const body = JSON.stringify({ id: event.id, input: { files } });
  expect((await app.request("/api/app/run_event/v1", { method: "POST", headers, body })).status).toBe(400);
  expect(lines.join("\n")).toContain("files/ann/R4nd0mR4…/a.txt");
  expect(lines.join("\n")).not.toContain(random.slice(0, 9));
});

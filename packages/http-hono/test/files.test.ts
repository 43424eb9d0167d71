import { describe, expect, test } from "vitest";
import { KEY, openFiles, type Sent, text } from "./boxes/file-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";

const RANDOM = "[\\w-]{43}";
type Members = Readonly<Record<string, unknown>>;
const CLOSED = { files: { require_auth_for_plain_paths: true } };
/** Leaves no queued work that is due much later. */
const FOR_EVER = { client: { job_upload_settings: { user_file_expiration: "0" } } };

describe.each(ONE_STORAGE)("files over %s", (name) => {
  test("upload_files answers addresses at which anyone can read the files, with their names", async () => {
    const at = await openFiles(name, { base_app_url: "https://ops.example.com" });
    const { status, body } = await at.upload("upload_files/v1", { a: text("Report 1.CSV"), b: text("notes.txt") });
    const { body: me } = await at.admin.get("get_api_keys/v1");
    const owner = me.rows[0].id;
    const urls = ["Report_1.CSV", "notes.txt"].map((file) => `https://ops.example.com/files/${owner}/${file}`);
    expect([status, body]).toEqual([200, { code: 0, urls }]);
    expect((await at.get(new URL(urls[0] ?? "").pathname)).text).toBe("content");
    await at.upload("upload_files/v1", { a: text("notes.txt", "newer") });
    const newer = await at.get(new URL(urls[1] ?? "").pathname, { cookie: `session_id=${"0".repeat(64)}` });
    expect([newer.text, newer.headers.get("cache-control")]).toEqual(["newer", "public, max-age=0"]);
  });

  test("upload_files keeps files for the configured time", async () => {
    const at = await openFiles(name, { file_expiration: "20 seconds" });
    const { body } = await at.upload("upload_files/v1", { a: text("a.txt") });
    const { pathname } = new URL(body.urls[0]);
    await at.clock.advance(15);
    expect((await at.get(pathname)).status).toBe(200);
    await at.until(async () => (await at.get(pathname)).status === 404);
  });

  test("run_event accepts files that were uploaded before and files of the call itself", async () => {
    const at = await openFiles(name);
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
    const at = await openFiles(name, FOR_EVER);
    const { files } = (await at.upload("upload_job_input_files/v1", { a: text("a.txt") })).body;
    const [first, second] = [await at.run({ input: { files } }), await at.run({ input: { files } })];
    const { path } = files[0];
    await at.admin.post("delete_job", { id: first });
    await at.settled();
    expect((await at.get(`/${path}`)).status).toBe(200);
    await at.admin.post("delete_job", { id: second });
    await at.until(async () => (await at.get(`/${path}`)).status === 404);
  });

  test("edge case 14: a job whose input was deleted with the job that made it is still listed", async () => {
    const at = await openFiles(name);
    const earlier = await at.run();
    // Files that arrive late are accepted too.
    const output = await at.upload("upload_job_file", { id: earlier, file1: text("out.csv") });
    const files = [{ id: "f1", filename: "out.csv", path: output.body.key, size: 7 }];
    const later = await at.run({ input: { files } });
    await at.admin.post("delete_job", { id: earlier });
    await at.until(async () => (await at.get(`/${output.body.key}`)).status === 404);
    expect((await at.job(later)).input.files).toMatchObject(files);
    expect((await at.admin.get("search_jobs/v1?query=*&verbose=1")).body.rows).toMatchObject([{ id: later }]);
  });

  test("edge case 13: an expired file is not found while the record of its job still names it", async () => {
    const at = await openFiles(name, { client: { job_upload_settings: { user_file_expiration: "20 seconds" } } });
    const { files } = (await at.upload("upload_job_input_files/v1", { a: text("a.txt") })).body;
    const id = await at.run({ input: { files } });
    await at.clock.advance(15);
    await at.until(async () => (await at.get(`/${files[0].path}`)).status === 404);
    expect((await at.job(id)).input.files).toMatchObject(files);
    const { body } = await at.admin.post("delete_job_file", { id, path: files[0].path });
    expect(body).toEqual({ code: 0 });
  });

  test("a record cannot delete a file of another one", async () => {
    const at = await openFiles(name, FOR_EVER);
    const owner = await at.person("run_jobs");
    const mine = (await at.upload("upload_job_input_files/v1", { a: text("a.txt") }, owner)).body.files[0];
    const other = await at.admin.post("run_event", { id: at.event });
    const foreign = (await at.upload("upload_job_file", { id: other.body.id, file1: text("out.csv") })).body.key;
    await at.blobs.put("logs/jobs/j1/log.txt.gz", text("x").stream());
    // A server claims files of other jobs, and a caller names another caller's upload.
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

  test("run_event accepts only files that are stored as files", async () => {
    const at = await openFiles(name);
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

  test("limits on files refuse them all, and leave nothing", async () => {
    const settings = { max_files_per_job: 2, max_file_size: 10, accepted_file_types: "image/*, .csv" };
    const at = await openFiles(name, { client: { job_upload_settings: settings } });
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

  test("without credentials or the privilege nothing is stored", async () => {
    const at = await openFiles(name);
    const nobody = await at.person();
    for (const operation of ["upload_job_input_files", "run_event"]) {
      expect((await at.upload(`${operation}/v1`, { id: at.event, a: text("a") }, nobody)).body.code).toBe("access");
      expect((await at.upload(`${operation}/v1`, { id: at.event, a: text("a") }, "wrong")).body.code).toBe("session");
    }
    expect((await at.upload("upload_files/v1", { a: text("a") }, "wrong")).status).toBe(403);
    expect(await at.stored()).toEqual([]);
  });

  test("wrong tokens give no access to logs, streams and uploads", async () => {
    const at = await openFiles(name);
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

  test("a guessable path requires credentials where the configuration says so", async () => {
    const at = await openFiles(name, CLOSED);
    const { body } = await at.upload("upload_files/v1", { a: text("a.txt") });
    const { pathname } = new URL(body.urls[0]);
    const { files } = (await at.upload("upload_job_input_files/v1", { a: text("b.txt") })).body;
    const closed = await at.get(pathname);
    expect([closed.status, closed.text]).toEqual([403, "(Authentication required.)\n"]);
    expect((await at.get(pathname, { "x-api-key": "wrong" })).status).toBe(403);
    expect((await at.get(pathname, { "x-api-key": KEY })).text).toBe("content");
    expect((await at.get(`/api/app/file/v1?path=${pathname.slice(7)}`)).status).toBe(403);
    expect((await at.get(pathname, { "x-api-key": KEY })).headers.get("cache-control")).toBe("private, max-age=0");
    // A path that nobody can guess stays open, even for callers with expired credentials.
    expect((await at.get(`/${files[0].path}`)).status).toBe(200);
    expect((await at.get(`/${files[0].path}`, { cookie: `session_id=${"0".repeat(64)}` })).status).toBe(200);
  });
});

test("only paths of upload_files are guessable", async () => {
  const at = await openFiles("memory", FOR_EVER);
  const a = text("a.txt");
  await at.admin.post("create_bucket", { id: "rates", title: "Rates" });
  const { ticket } = (await at.upload("create_ticket/v1", { json: JSON.stringify({ subject: "T" }), a })).body;
  const job = await at.run();
  const answers = [
    await at.upload("upload_job_input_files/v1", { a }),
    await at.upload("upload_bucket_files/v1", { id: "rates", a }),
    await at.upload("upload_job_file/v1", { id: job, auth: KEY, file1: a }),
    await at.upload("run_event/v1", { id: at.event, a }),
  ];
  expect([ticket.files.length, ...answers.map(({ body }) => body.code)]).toEqual([1, 0, 0, 0, 0]);
  const keys = await at.stored();
  expect(keys).toHaveLength(5);
  for (const key of keys) {
    expect(key).toMatch(new RegExp(`^files/[^/]+/.*${RANDOM}/a\\.txt$`));
    const parts = key.split("/");
    const guesses = [["files", "a.txt"], parts.slice(0, 2), [...parts.slice(0, 2), "a.txt"], parts.slice(0, -1)];
    for (const guess of [...guesses, [...parts.slice(0, -2), "a.txt"]])
      expect((await at.get(`/${guess.join("/")}`)).status).toBe(404);
  }
  await at.upload("upload_files/v1", { a });
  const [added, ...more] = (await at.stored()).filter((key) => !keys.includes(key));
  expect([added, more]).toEqual([expect.stringMatching(/^files\/\w+\/a\.txt$/), []]);
});

test("a server fetches an input file with a guessable path by the path that it is sent, for a day", async () => {
  const at = await openFiles("memory", CLOSED);
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
  // Records contain the path itself, which grants no access.
  expect((await at.job(id)).input.files[0].path).toBe(path);
  at.clock.step(86_400);
  expect((await at.get(`/${given?.path}`)).status).toBe(403);
});

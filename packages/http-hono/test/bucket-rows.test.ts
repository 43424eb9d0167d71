import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openBuckets, refusal, text } from "./boxes/bucket-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";

const SECRET_KEY = "a secret key for tests";
const SETTINGS = { max_files_per_bucket: 3, max_file_size: 12, accepted_file_types: ".txt, .csv, .html, .svg, .xml" };
const settings = { client: { bucket_upload_settings: SETTINGS } };
const tokenOf = (job: string): string => createHash("sha256").update(`${job}${SECRET_KEY}`).digest("hex");

describe.each(ONE_STORAGE)("buckets over %s", (storage) => {
  test("serve their files by path alone, with the headers of the table of downloads", async () => {
    const at = await openBuckets(storage);
    await at.post("create_bucket", { id: "b1", title: "B" });
    const { files } = (
      await at.upload("b1", text("data.txt", "0123456789"), text("a.html"), text("b.svg"), text("c.xml"))
    ).body;
    const [{ path }] = files;
    const served = await at.file(path);
    const etag = served.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"10-\d+"$/);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      ...{ "last-modified": expect.stringMatching(/ GMT$/), "cache-control": "public, max-age=0" },
      ...{ "x-content-type-options": "nosniff", "content-security-policy": expect.stringContaining("sandbox") },
    });
    const rows: [headers: Record<string, string>, method: string, status: number, body: string][] = [
      [{}, "GET", 200, "0123456789"],
      [{}, "HEAD", 200, ""],
      [{ "if-none-match": etag }, "GET", 304, ""],
      [{ "if-none-match": '"1-1"' }, "GET", 200, "0123456789"],
      [{ range: "bytes=2-4" }, "GET", 206, "234"],
      [{ range: "bytes=-2" }, "GET", 206, "89"],
      [{ range: "bytes=7-" }, "GET", 206, "789"],
      [{ range: "bytes=90-" }, "GET", 416, ""],
    ];
    for (const [headers, method, status, body] of rows) {
      const answer = await at.file(path, headers, method);
      expect([headers, answer.status, answer.text]).toEqual([headers, status, body]);
    }
    const disposition = async (of: string) => (await at.file(of)).headers.get("content-disposition");
    expect(await disposition(path)).toBeNull();
    expect(await disposition(`${path}?download=1`)).toMatch(/^attachment; filename="data\.txt"/);
    expect(await disposition(`${path}?download=${encodeURIComponent('o"t\r\nher.txt')}`)).toBe(
      'attachment; filename="other.txt"',
    );
    for (const { path: active } of files.slice(1)) expect(await disposition(active)).toMatch(/^attachment/);
    const [, , , token] = path.split("/");
    for (const gone of [
      `files/bucket/b1/${token}/x.txt`,
      `files/bucket/b2/${token}/data.txt`,
      "files/bucket/b1/",
      `files/bucket/b1/${token}/../../b1/data.txt`,
    ]) {
      const answer = await at.file(gone);
      expect([gone, answer.status]).toEqual([gone, 404]);
      expect(answer.headers.get("content-type")).toMatch(/^text\//);
    }
  });

  test("keep the bounds of uploads, all files or none", async () => {
    const at = await openBuckets(storage, settings);
    await at.post("create_bucket", { id: "b1", title: "B" });
    const rows: [files: File[], status: number, description: string][] = [
      [
        [text("a.txt"), text("b.txt", "x".repeat(13))],
        400,
        "One or more of the files exceed the maximum allowed bucket file size.",
      ],
      [[text("a.txt"), text("b.exe")], 400, "One or more of the files are not of an accepted type."],
      [
        [text("a.txt"), text("b.txt"), text("c.txt"), text("d.txt")],
        409,
        "Failed to process uploaded files: Error: The bucket has reached its maximum number of allowed files.",
      ],
    ];
    for (const [files, status, description] of rows)
      expect(await at.upload("b1", ...files)).toMatchObject({ status, body: refusal(description) });
    expect((await at.read("b1")).files).toEqual([]);
    await at.until(async () => (await at.stored()).length === 0);
    const [file] = (await at.upload("b1", text("we<ird>|| (1).txt"))).body.files;
    expect(file).toMatchObject({ filename: "we_ird_ (1).txt", path: expect.stringMatching(/\/we_ird_1_\.txt$/) });
  });

  test("are changed with the privilege, read by all callers, sent to pages and logged", async () => {
    const at = await openBuckets(storage);
    await at.post("create_bucket", { id: "b1", title: "B", data: { a: 1 } });
    const nobody = await at.caller();
    expect((await nobody.get("get_bucket/v1?id=b1")).body).toMatchObject({ code: 0, data: { a: 1 } });
    const denied: [operation: string, members: object, title: string][] = [
      ["create_bucket", { title: "C" }, "Create Buckets"],
      ["update_bucket", { id: "b1", title: "C" }, "Edit Buckets"],
      ["delete_bucket", { id: "b1" }, "Delete Buckets"],
      ["write_bucket_data", { id: "b1", data: { a: 2 } }, "Edit Buckets"],
      ["delete_bucket_file", { id: "b1", filename: "a" }, "Edit Buckets"],
      ["empty_bucket", { id: "b1", data: true }, "Edit Buckets"],
    ];
    for (const [operation, members, title] of denied)
      expect([operation, (await nobody.post(operation, members)).body]).toEqual([
        operation,
        refusal(expect.stringContaining(`'${title}' privilege`), "access"),
      ]);
    expect((await nobody.form({ id: "b1", f: text("a.txt") })).body.code).toBe("access");
    for (const path of ["get_buckets/v1", "get_bucket/v1?id=b1"])
      expect((await at.send(`/api/app/${path}`, {})).body.code).toBe("session");
    await at.upload("b1", text("a.txt"));
    await at.post("write_bucket_data", { id: "b1", data: { a: 2 } });
    await at.post("delete_bucket_file", {
      id: "b1",
      username: (await at.read("b1")).files[0].username,
      date: 1_800_000_000,
    });
    await at.post("empty_bucket", { id: "b1", data: true, files: true });
    await at.post("delete_bucket", { id: "b1" });
    const { rows } = (await at.get("search_activity/v1?query=b1&limit=20&sort_dir=1")).body;
    const seen = rows.map(({ action, uploaded, removed, emptied }: Record<string, unknown>) => [
      action,
      uploaded ?? removed ?? emptied,
    ]);
    expect(seen).toEqual([
      ["bucket_create", undefined],
      ["bucket_update", ["a.txt"]],
      ["bucket_update", ["a.txt"]],
      ["bucket_update", ["files", "data"]],
      ["bucket_delete", undefined],
    ]);
  });

  test("exchange data and files with jobs, and a failure to do so fails no job", async () => {
    const at = await openBuckets(storage, { ...settings, job_universal_actions: { default: [], workflow: [] } });
    for (const id of ["in", "out", "list", "off"]) await at.post("create_bucket", { id, title: id });
    await at.post("write_bucket_data", { id: "in", data: { a: 1, b: 1 } });
    await at.post("update_bucket", { id: "list", data: [7, 8] });
    await at.post("update_bucket", { id: "off", enabled: false });
    await at.upload("in", text("give.csv"), text("keep.txt"));
    await at.upload("out", text("same.txt", "old"));
    const action = (type: string, bucket_id: string, more: object = {}) => ({
      ...{ enabled: true, condition: type === "fetch" ? "start" : "complete", type, bucket_id },
      ...{ bucket_sync: "data_and_files", ...more },
    });
    const actions = [
      action("fetch", "in", { bucket_glob: "*.csv" }),
      action("fetch", "list", { bucket_sync: "data" }),
      action("fetch", "off"),
      action("fetch", "none"),
      action("store", "out", { bucket_glob: "*.txt" }),
      action("store", "list", { bucket_glob: "*.txt" }),
      action("store", "off"),
    ];
    const event = {
      ...{
        id: "e1",
        title: "E",
        enabled: true,
        category: "general",
        plugin: "shellplug",
        targets: ["s1"],
        algo: "random",
      },
      ...{ params: { script: "x" }, triggers: [{ type: "manual", enabled: true }], actions },
    };
    expect((await at.post("create_event", event)).body.code).toBe(0);
    const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
    const { id } = (await at.post("run_event", { id: "e1", input: { data: { b: 0, c: 3 } } })).body;
    await at.until(() => server.received.some(({ cmd }) => cmd === "launch_job"));
    const told = server.received.find(({ cmd }) => cmd === "launch_job")?.data as { details: { input: object } };
    expect(told.details.input).toMatchObject({
      data: { a: 1, b: 1, c: 3, items: [7, 8] },
      files: [{ filename: "give.csv", bucket: "in", path: expect.stringMatching(/^files\/bucket\/in\//) }],
    });
    const output: object[] = [];
    for (const name of ["same.txt", "other.csv"]) {
      const body = new FormData();
      body.set("id", id);
      body.set("auth", tokenOf(id));
      body.set("file1", text(name, `new ${name}`));
      const { key, size } = (await at.send("/api/app/upload_job_file/v1", { method: "POST", body })).body;
      output.push({ id: `f${name}`.replace(".", ""), filename: name, path: key, size, date: 1 });
    }
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, data: { stored: 1 }, files: output } });
    await at.until(async () => (await at.get(`get_job/v1?id=${id}`)).body.job?.final === true);
    const { job } = (await at.get(`get_job/v1?id=${id}`)).body;
    expect(job.code).toBe(0);
    const results = job.actions.map(({ bucket_id, code, description }: Record<string, unknown>) => [
      bucket_id,
      code,
      description,
    ]);
    expect(results).toEqual([
      ["in", 0, expect.any(String)],
      ["list", 0, expect.any(String)],
      ["off", "bucket", "Bucket is disabled: off"],
      ["none", "bucket", "Bucket not found: none"],
      ["out", 0, expect.any(String)],
      ["list", "bucket", "Bucket data is not an object: list"],
      ["off", "bucket", "Bucket is disabled: off"],
    ]);
    const { data, files } = await at.read("out");
    expect(data).toEqual({ stored: 1 });
    expect(files).toMatchObject([{ filename: "same.txt", size: 12, job: id, server: "s1" }]);
    expect(files[0]).not.toHaveProperty("username");
    expect((await at.file(files[0].path)).text).toBe("new same.txt");
    expect((await at.post("delete_job", { id })).body.code).toBe(0);
    expect((await at.file(files[0].path)).text).toBe("new same.txt");
  });
});

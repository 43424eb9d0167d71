import { describe, expect, test } from "vitest";
import { type Fields, openBuckets, refusal, text } from "./boxes/bucket-box.ts";
import { ONE_STORAGE, STORAGES } from "./open-storage.ts";

const NONE = refusal("Bucket not found: none");

describe.each(ONE_STORAGE)("buckets over %s", (name) => {
  test("a bucket is created, listed without its content, read with it, changed and deleted", async () => {
    const at = await openBuckets(name);
    const made = await at.post("create_bucket", { id: "b1", title: "Menu", data: { a: 1 }, files: [{ path: "x" }] });
    const { bucket } = made.body;
    expect(made.body).toEqual({ code: 0, bucket });
    expect(bucket).toMatchObject({ id: "b1", title: "Menu", enabled: true, icon: "", notes: "", revision: 1 });
    expect(Object.keys(bucket)).not.toEqual(expect.arrayContaining(["data"]));
    expect((await at.get("get_buckets/v1")).body).toMatchObject({ rows: [bucket], list: { length: 1 } });
    expect(await at.read("b1")).toEqual({ code: 0, bucket, data: { a: 1 }, files: [] });
    const changes = { id: "b1", notes: "Mine", data: [1, 2], if_revision: 1 };
    expect((await at.post("update_bucket", changes)).body).toEqual({ code: 0 });
    expect(await at.read("b1")).toMatchObject({ bucket: { notes: "Mine", revision: 2 }, data: [1, 2] });
    expect((await at.post("update_bucket", changes)).body).toEqual(
      refusal("Bucket out of date: b1 (Revision mismatch: 1 != 2)"),
    );
    expect((await at.post("delete_bucket", { id: "b1" })).body).toEqual({ code: 0 });
    expect((await at.get("get_bucket/v1?id=b1")).body).toEqual(refusal("Bucket not found: b1", "notfound"));
    const { rows } = (await at.get("search_revision_history/v1?type=buckets&limit=9")).body;
    expect(rows.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      "bucket_create",
      "bucket_delete",
      "bucket_update",
    ]);
    expect(JSON.stringify(rows)).not.toContain('"data"');
  });
});

describe.each(STORAGES)("concurrent writers over %s", (name) => {
  test("add members beside each other, by body, by query and at the same time", async () => {
    const at = await openBuckets(name);
    await at.post("create_bucket", { id: "b1", title: "B" });
    const write = (members: object) => at.post("write_bucket_data", { id: "b1", ...members });
    expect((await write({ data: { a: 1, b: { c: 1 } } })).body).toEqual({ code: 0, data: null });
    const all = { a: 1, b: { d: 2 } };
    expect((await write({ data: { b: { d: 2 } }, fetch: true })).body).toEqual({ code: 0, data: all });
    await Promise.all(Array.from({ length: 12 }, (_none, n) => write({ data: { [`n${n}`]: n } })));
    const { bucket, data } = await at.read("b1");
    expect(Object.keys(data)).toHaveLength(14);
    expect(bucket.revision).toBe(1);
    expect((await at.get("empty_bucket/v1?id=b1&data=1")).body).toEqual({ code: 0 });
    expect((await at.read("b1")).data).toEqual({});
  });
});

describe.each(ONE_STORAGE)("refusals and files of buckets over %s", (name) => {
  test("every refusal has its message", async () => {
    const at = await openBuckets(name, { client: { bucket_upload_settings: { max_files_per_bucket: 1 } } });
    await at.post("create_bucket", { id: "b1", title: "B", data: [1] });
    const rows: [string, object, object][] = [
      ["create_bucket", { id: "b1", title: "B" }, refusal("That Bucket ID already exists: b1")],
      ["create_bucket", { title: "B", data: 1 }, refusal("Parameter is not type object: data", "api")],
      ["create_bucket", {}, refusal("Missing parameter: title", "api")],
      ["update_bucket", { id: "none" }, NONE],
      ["update_bucket", { id: "b1", data: "x" }, refusal("Parameter is not type object: data", "api")],
      ["update_bucket", { id: "b1", files: {} }, refusal("Parameter is not an array: files", "api")],
      ["delete_bucket", { id: "none" }, NONE],
      ["write_bucket_data", { id: "none", data: {} }, NONE],
      ["write_bucket_data", { id: "b1", data: {} }, refusal("Bucket data is not an object: b1")],
      ["write_bucket_data", { id: "b1", data: "text" }, refusal("Parameter is not type object: data", "api")],
      ["write_bucket_data", { id: "b1", data: [] }, refusal("Parameter is not type object: data", "api")],
      ["write_bucket_data", { id: "b1" }, refusal("Missing parameter: data", "api")],
      ["delete_bucket_file", { id: "none", filename: "a" }, NONE],
      ["delete_bucket_file", { id: "b1", more: 1 }, refusal("No criteria specified to locate file.")],
      [
        "delete_bucket_file",
        { id: "b1", size: "5", filename: "a" },
        refusal('Failed to delete bucket file: Bucket file not found: {"filename":"a","size":5}'),
      ],
      [
        "delete_bucket_file",
        { id: "b1", path: `files/bucket/b2/${"x1".repeat(21)}y/a.txt` },
        refusal('Failed to delete bucket file: Bucket file not found: {"path":"files/bucket/b2/x1x1x1x1\u2026/a.txt"}'),
      ],
      ["empty_bucket", { id: "none", data: true }, NONE],
      ["empty_bucket", { id: "b1" }, refusal("Please specify files and/or data to empty from bucket.")],
      ["empty_bucket", { id: "b1", data: 0 }, refusal("Please specify files and/or data to empty from bucket.")],
      ["upload_bucket_files", { id: "b1" }, refusal("No file upload data found in request.")],
      ["upload_bucket_files", {}, refusal("Missing parameter: id", "api")],
    ];
    for (const [operation, sent, expected] of rows)
      expect([operation, (await at.post(operation, sent)).body]).toEqual([operation, expected]);
    const body = new URLSearchParams({ id: "b1", a: "1" });
    const headers = { "x-api-key": "administrator0123456789abc" };
    const sent = await at.send("/api/app/upload_bucket_files/v1", { method: "POST", body, headers });
    expect(sent.body).toEqual(refusal("No file upload data found in request."));
    expect((await at.upload("none", text("a.txt"))).body).toEqual(NONE);
    const full =
      /^Failed to process uploaded files: Error: The bucket has reached its maximum number of allowed files\.$/;
    expect((await at.upload("b1", text("a.txt"), text("b.txt"))).body).toEqual(refusal(expect.stringMatching(full)));
    await at.until(async () => (await at.stored()).length === 0);
  });

  test("files are uploaded, served without a credential, replaced under their path, and removed", async () => {
    const at = await openBuckets(name);
    const caller = await at.caller("edit_buckets");
    await at.post("create_bucket", { id: "b1", title: "B" });
    const told = at.next("bucket.written");
    const added = await caller.form({ bucket: "b1", f: text("Report 1.CSV", "one"), g: text("README", "two") });
    expect(await told).toEqual({ id: "b1", data: false, files: true });
    const [first, second] = added.body.files;
    const at43 = /^files\/bucket\/b1\/[\w-]{43}\//;
    expect(first).toEqual({
      ...{ id: expect.stringMatching(/^f/), date: 1_800_000_000, filename: "Report 1.CSV", size: 3 },
      ...{ path: expect.stringMatching(/^files\/bucket\/b1\/[\w-]{43}\/report_1\.csv$/), username: caller.id },
    });
    expect(second.path).toMatch(/readme\.bin$/);
    const served = await at.file(first.path);
    expect([served.status, served.text]).toEqual([200, "one"]);

    await at.clock.advance(5);
    const replaced = (await at.upload("b1", text("Report 1.CSV", "newer"))).body.files;
    const { id, path } = first;
    expect(replaced).toEqual([
      { id, path, filename: "Report 1.CSV", size: 5, date: 1_800_000_005, username: expect.any(String) },
      second,
    ]);
    expect((await at.file(path)).text).toBe("newer");
    const etag = served.headers.get("etag") ?? "";
    expect((await at.file(path, { "if-none-match": etag })).status).toBe(200);
    // The previous content stays for its current readers; keys of unlisted files open nothing.
    expect(await at.stored()).toHaveLength(3);
    for (const key of await at.stored())
      expect((await at.file(key)).status).toBe(key === path || key === second.path ? 200 : 404);
    await at.clock.advance(700);
    await at.until(async () => (await at.stored()).length === 2);
    expect((await at.file(path)).text).toBe("newer");

    const gone = await caller.post("delete_bucket_file", { id: "b1", filename: "Report 1.CSV", size: 5, more: 1 });
    expect(gone.body).toMatchObject({ code: 0 });
    expect((await at.file(path)).status).toBe(404);
    await at.until(async () => (await at.stored()).length === 1);
    expect((await at.read("b1")).files).toEqual([second]);
    expect((await at.post("empty_bucket", { id: "b1", files: true })).body).toEqual({ code: 0 });
    expect((await at.read("b1")).files).toEqual([]);
    await at.until(async () => (await at.stored()).length === 0);
    const { rows } = (await at.get("search_activity/v1?query=action:bucket_update&limit=9")).body;
    expect(rows.map((row: Record<string, unknown>) => row["uploaded"] ?? row["removed"] ?? row["emptied"])).toEqual([
      ["files"],
      ["Report 1.CSV"],
      ["Report 1.CSV"],
      ["Report 1.CSV", "README"],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(at43);
  });

  test("a bucket is deleted with its files, and others keep theirs", async () => {
    const at = await openBuckets(name);
    for (const id of ["b1", "b2"]) {
      await at.post("create_bucket", { id, title: id });
      await at.upload(id, text("a.txt", id));
    }
    const [{ path }] = (await at.read("b2")).files;
    await at.post("delete_bucket", { id: "b1" });
    await at.until(async () => (await at.stored()).length === 1);
    expect((await at.file(path)).text).toBe("b2");
    await at.post("create_bucket", { id: "b1", title: "Again" });
    expect(await at.read("b1")).toMatchObject({ data: {}, files: [] });
  });

  test("an update keeps and orders files, and adds none", async () => {
    const at = await openBuckets(name);
    await at.post("create_bucket", { id: "b1", title: "B" });
    await at.post("create_bucket", { id: "b2", title: "B" });
    const [foreign] = (await at.upload("b2", text("z.txt"))).body.files;
    const [a, b, c] = (await at.upload("b1", text("a.txt"), text("b.txt"), text("c.txt"))).body.files;
    const files = [c, { ...a, size: 0, filename: "other" }, foreign, { path: "users/admin" }, { path: "files/x/y" }, 7];
    expect((await at.post("update_bucket", { id: "b1", files })).body).toMatchObject({ code: 0 });
    expect((await at.read("b1")).files).toEqual([c, a]);
    expect((await at.file(b.path)).status).toBe(404);
    await at.until(async () => (await at.stored()).length === 3);
    expect((await at.file(foreign.path)).status).toBe(200);
  });

  test("an upload that fails halfway adds nothing and leaves nothing", async () => {
    const at = await openBuckets(name);
    await at.post("create_bucket", { id: "b1", title: "B" });
    const before = (await at.upload("b1", text("a.txt", "old"))).body.files;
    const { move } = at.blobs;
    let count = 0;
    Object.assign(at.blobs, {
      move: async (from: string, to: string) => {
        count += 1;
        if (count === 2) throw new Error("no space in /secret/path");
        return move?.call(at.blobs, from, to);
      },
    });
    const failed = await at.upload("b1", text("a.txt", "new"), text("b.txt"), text("c.txt"));
    expect(failed.body).toEqual(refusal("Failed to process uploaded files: they could not be stored"));
    expect((await at.read("b1")).files).toEqual(before);
    expect(await at.stored()).toEqual([before[0].path]);
    expect((await at.file(before[0].path)).text).toBe("old");
    expect(await at.blobs.list("tmp/", { limit: 10 })).toEqual([]);
  });

  test("a disabled bucket refuses jobs, and can be read, changed and downloaded from", async () => {
    const at = await openBuckets(name);
    await at.post("create_bucket", { id: "b1", title: "B", data: { a: 1 } });
    const [{ path }] = (await at.upload("b1", text("a.txt"))).body.files;
    await at.post("update_bucket", { id: "b1", enabled: false });
    const disabled = refusal("Bucket is disabled: b1");
    const calls: [string, Fields | object][] = [
      ["write_bucket_data", { id: "b1", data: {} }],
      ["delete_bucket_file", { id: "b1", filename: "a.txt" }],
      ["empty_bucket", { id: "b1", files: true }],
    ];
    for (const [operation, sent] of calls) expect((await at.post(operation, sent)).body).toEqual(disabled);
    expect((await at.upload("b1", text("b.txt"))).body).toEqual(disabled);
    expect((await at.file(path)).text).toBe("hello");
    expect(await at.read("b1")).toMatchObject({ data: { a: 1 }, files: [{ path }] });
    await at.post("update_bucket", { id: "b1", enabled: true });
    expect((await at.post("write_bucket_data", { id: "b1", data: {} })).body.code).toBe(0);
  });
});

describe("privileges for buckets", () => {
  test("reads need a credential, changes the privilege of their kind", async () => {
    const at = await openBuckets("memory");
    await at.post("create_bucket", { id: "b1", title: "B" });
    const nobody = await at.caller();
    expect((await nobody.get("get_bucket/v1?id=b1")).body.code).toBe(0);
    expect((await at.send("/api/app/get_buckets/v1", {})).body.code).toBe("session");
    const editor = await at.caller("edit_buckets");
    const denied = (title: string) => refusal(expect.stringContaining(`'${title}' privilege`), "access");
    expect((await editor.post("create_bucket", { title: "B" })).body).toEqual(denied("Create Buckets"));
    expect((await editor.post("delete_bucket", { id: "b1" })).body).toEqual(denied("Delete Buckets"));
    expect((await editor.post("write_bucket_data", { id: "b1", data: {} })).body.code).toBe(0);
    const maker = await at.caller("create_buckets", "delete_buckets");
    expect((await maker.post("update_bucket", { id: "b1" })).body).toEqual(denied("Edit Buckets"));
    expect((await maker.form({ id: "b1", f: text("a.txt") })).body).toEqual(denied("Edit Buckets"));
    expect(await at.stored()).toEqual([]);
  });
});

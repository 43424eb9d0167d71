import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Any, type Box, KEY, openBox } from "./boxes/transfer-box.ts";
import { fill } from "./boxes/transfer-fill.ts";
import { STORAGES } from "./open-storage.ts";

const EVERYTHING = "lists=all&indexes=all&extras=all";

/** Source of the export for each target: each storage exports once and imports once. */
const FROM: Readonly<Record<string, string>> = { memory: "postgres", sqlite: "memory", postgres: "sqlite" };

describe.each(STORAGES)("backups over %s", (name) => {
  test("an import of our own export gives the same store, also the second time", async () => {
    const source = await openBox(FROM[name] ?? "memory");
    const { job } = await fill(source);
    const before = await source.dump();
    const { response, bytes } = await source.fetchExport(EVERYTHING);
    expect(response.headers.get("content-type")).toBe("application/gzip");
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="[\w-]+-data-export-2027-01-15-x\w+\.txt\.gz"$/,
    );
    const target = await openBox(name, { presets: false });
    await target.untilScheduled();
    const { report } = await target.importBytes(bytes);
    expect(report).toContain("scheduler is switched off");
    expect(report).not.toContain("Errors");
    const after = await target.dump();
    for (const [collection, records] of Object.entries(before.records)) {
      // The key that the import was ordered with stays beside the keys of the file.
      if (["activity", "api_keys", "state", "job_stats", "ticket_numbers"].includes(collection)) {
        const isKept = ["activity", "api_keys"].includes(collection);
        expect(after.records[collection], collection).toMatchObject(isKept ? records : {});
        continue;
      }
      expect(after.records[collection], collection).toEqual(records);
    }
    delete (before.files as Any)[`files/jobs/${job}/abc/large.bin`];
    expect(after.files).toEqual(before.files);
    const again = await target.importBytes(bytes);
    expect(again.report).not.toContain("Errors");
    const twice = await target.dump();
    // Each import adds its own rows, and counts them.
    for (const { records } of [after, twice] as Any[]) for (const own of ["activity", "job_stats"]) delete records[own];
    expect(twice).toEqual(after);
  });

  test("counters of each part of a split day are included", async () => {
    const source = await openBox("memory");
    const create = async (operation: string, members: object) =>
      expect((await source.post(operation, members)).body).toMatchObject({ code: 0 });
    await create("create_tag", { id: "t1", title: "One" });
    const event = {
      id: "e1",
      title: "E",
      enabled: true,
      category: "general",
      plugin: "shellplug",
      targets: ["s1"],
      algo: "random",
    };
    await create("create_event", {
      ...event,
      params: { script: "true" },
      triggers: [{ type: "manual", enabled: true }],
    });
    const server = await source.agent.connect({ hostname: "s1.example.internal", id: "s1" });
    await create("run_event", { id: "e1" });
    await source.until(() => server.received.some(({ cmd }) => cmd === "launch_job"));
    await create("admin_reset_daily_stats", {});
    await create("create_tag", { id: "t2", title: "Two" });
    await create("admin_reset_daily_stats", {});
    const historyOf = async ({ admin }: Box) => (await admin.get("search_stat_history/v1?limit=10")).body.items;
    const before = await historyOf(source);
    expect(before).toMatchObject([
      { data: { transactions: { tag_create: 1 } } },
      {
        data: {
          transactions: { tag_create: 3, job_start: 1 },
          events: { e1: { job_start: 1 } },
        },
      },
    ]);
    const { bytes } = await source.fetchExport("extras=stat_data");
    const target = await openBox(name, { presets: false });
    expect((await target.importBytes(bytes)).report).not.toContain("Errors");
    expect(await historyOf(target)).toEqual(before);
  });
});

describe("a transfer token", () => {
  test("authenticates its caller once, with its own parameters, beside any other parameters and credentials", async () => {
    const at = await openBox("memory");
    const { body } = await at.post("get_transfer_token", { lists: ["tags"] });
    expect(body.token).toMatch(/^[0-9a-f]{64}$/);
    const query = `token=${body.token}&lists=users&indexes=all&extras=all`;
    const { response, bytes } = await at.fetchExport(query, { "x-api-key": "wrong-key-entirely" });
    expect(response.status).toBe(200);
    const text = gunzipSync(bytes).toString();
    expect(text).toContain("global/tags");
    expect(text).not.toContain("users/admin");
    const again = await at.send(`/api/app/admin_export_data/v1?token=${body.token}`, { headers: { "x-api-key": KEY } });
    expect(again.body).toEqual({ code: "admin", description: "Access denied." });
  });

  test("lasts a minute", async () => {
    const at = await openBox("memory");
    const { body } = await at.post("get_transfer_token", { lists: ["tags"] });
    await at.clock.advance(61);
    const late = await at.send(`/api/app/admin_export_data/v1?token=${body.token}`, {});
    expect(late.body).toMatchObject({ code: "admin", description: "Access denied." });
  });

  test("ends with the rights of its caller", async () => {
    const at = await openBox("memory");
    const { body } = await at.post("create_api_key", { title: "K", privileges: { admin: true } });
    const headers = { "x-api-key": body.plain_key, "content-type": "application/json" };
    const asked = await at.send("/api/app/get_transfer_token/v1", {
      method: "POST",
      headers,
      body: '{"lists":["tags"]}',
    });
    await at.post("update_api_key", { id: body.api_key.id, active: false });
    const used = await at.send(`/api/app/admin_export_data/v1?token=${asked.body.token}`, {});
    expect(used.body).toMatchObject({ code: "admin", description: "Access denied." });
  });
});

describe("an export", () => {
  test.each<[string, string]>([
    ["", "No data selected for export."],
    ["items=[]", "No data selected for export."],
    ["items=5", "Invalid request (items must be an array)."],
    ["lists=nothing", "Unknown data selected: nothing"],
    [`items=${encodeURIComponent('[{"type":"list","key":"tags"}]')}`, "Unknown data selected: list tags"],
    [`items=${encodeURIComponent('[{"type":"index","index":"x"}]')}`, "Unknown data selected: x"],
  ])("of %j is refused", async (query, description) => {
    const at = await openBox("memory");
    const { body } = await at.send(`/api/app/admin_export_data/v1?${query}`, { headers: { "x-api-key": KEY } });
    expect(body).toMatchObject({ code: "admin", description });
    const posted = await at.post("admin_export_data", { lists: 5 });
    expect(posted.body.description).toBe("Invalid request (lists must be an array).");
  });

  test("restores a replaced file of a bucket in its last version", async () => {
    const upload = async (at: Box, content: string) => {
      const form = new FormData();
      form.set("file1", new File([content], "rates.csv"));
      const sent = { method: "POST", body: form, headers: { "x-api-key": KEY } };
      return (await at.send("/api/app/upload_bucket_files/v1?id=b1", sent)).body.files[0].path as string;
    };
    const source = await openBox("memory");
    await source.post("create_bucket", { id: "b1", title: "B" });
    await upload(source, "first");
    const path = await upload(source, "second");
    await source.clock.advance(601);
    const bytes = await source.text("lists=buckets&extras=bucket_files");
    const target = await openBox("sqlite");
    for (const each of [target, source]) {
      expect((await each.importBytes(bytes)).report).not.toContain("Errors");
      expect(await (await each.app.request(`/${path}`)).text()).toBe("second");
    }
  });

  test("gives a file of a bucket no content of another bucket", async () => {
    const at = await openBox("memory");
    const pathIn = (bucket: string): string => `files/bucket/${bucket}/${"x".repeat(43)}/a.txt`;
    const file = { id: "f1", date: 1, filename: "a.txt", path: pathIn("b1"), size: 1 };
    const files = [{ ...file, content: pathIn("b2") }];
    await at.importBytes(JSON.stringify({ key: "buckets/b1/files", value: files }));
    expect((await at.dump()).records["bucket_files"]).toEqual({ b1: { id: "b1", files: [file] } });
  });

  test("is for callers with the privilege and without limits", async () => {
    const at = await openBox("memory");
    const path = "/api/app/admin_export_data/v1?lists=tags";
    expect((await at.send(path, {})).body.code).toBe("session");
    const make = async (members: object) =>
      (await at.post("create_api_key", { title: "K", privileges: { bulk_export: true }, ...members })).body.plain_key;
    const limited = await at.send(path, { headers: { "x-api-key": await make({ categories: ["general"] }) } });
    expect(limited.body.code).toBe("access");
    expect((await at.fetchExport("lists=tags", { "x-api-key": await make({}) })).response.status).toBe(200);
    const other = await make({ privileges: { run_jobs: true } });
    expect((await at.send(path, { headers: { "x-api-key": other } })).body.code).toBe("access");
  });

  test("never contains a plain secret, a session or a key", async () => {
    const at = await openBox("memory");
    await fill(at);
    expect((await at.post("get_satellite_token", {})).body.token).toMatch(/^[0-9a-f]{64}$/);
    const text = await at.text(EVERYTHING);
    expect(text).not.toContain("enrolment_tokens");
    for (const secret of ["hunter2canary", KEY, "correct horse 9"]) expect(text).not.toContain(secret);
    expect(text).toContain('"key":"secrets/se1"');
    expect(text).toMatch(/# Left out, larger than 1048576 bytes: files\/jobs\/\w+\n/);
    expect(text.trimEnd().endsWith("# End of data")).toBe(true);
  });

  test("ends its internal job when the reader disconnects", async () => {
    const at = await openBox("memory");
    await fill(at);
    const aborter = new AbortController();
    const response = await at.app.request(
      new Request(`http://x/api/app/admin_export_data/v1?${EVERYTHING}`, {
        headers: { "x-api-key": KEY },
        signal: aborter.signal,
      }),
    );
    const reader = response.body?.getReader();
    const first = reader?.read();
    await at.until(() => at.cradle.internalJobs.list().some(({ title }) => title === "Data export"));
    await Promise.race([first, at.until(() => true)]);
    aborter.abort();
    await reader?.cancel().catch(() => undefined);
    await at.until(() => at.cradle.internalJobs.list().length === 0);
  });

  test("accepts items with queries and bounds", async () => {
    const at = await openBox("memory");
    await fill(at);
    const items = [
      { type: "index", index: "activity", query: "action:tag_create", max_rows: 2 },
      { type: "secretData" },
    ];
    const text = await at.text(`items=${encodeURIComponent(JSON.stringify(items))}`);
    expect(text.split("\n").filter((each) => each.startsWith('{"index":"activity"'))).toHaveLength(2);
    expect(text).toContain('"key":"secrets/se1"');
    expect(text).not.toContain("users/");
  });
});

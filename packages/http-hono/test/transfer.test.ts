import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { STORAGES } from "./open-storage.ts";
import { type Any, type Box, KEY, openBox } from "./transfer-box.ts";

const EVERYTHING = "lists=all&indexes=all&extras=all";
const NOW = 1_800_000_000;

/** Source of the export for each target: each storage gives and takes once. */
const FROM: Readonly<Record<string, string>> = { memory: "postgres", sqlite: "memory", postgres: "sqlite" };

/** One of everything, and a job that ran. */
async function fill(at: Box) {
  const { post } = at;
  const made: Record<string, Any> = {};
  const create = async (operation: string, body: object) => {
    const answer = await post(operation, body);
    expect(answer.body, operation).toMatchObject({ code: 0 });
    return answer.body;
  };
  await create("create_tag", { id: "t1", title: "Größe <3".replace("<", "") });
  await create("create_category", { id: "c1", title: "C", limits: [], actions: [] });
  await create("create_group", { id: "g1", title: "G", hostname_match: "^s", alert_actions: [] });
  await create("create_role", {
    id: "r1",
    title: "R",
    enabled: true,
    privileges: { run_jobs: true },
    categories: [],
    groups: [],
  });
  await create("create_channel", { id: "ch1", title: "Ch", enabled: true, users: ["admin"] });
  await create("create_web_hook", {
    id: "w1",
    title: "W",
    url: "https://example.com/hook",
    method: "POST",
    headers: [],
    body: "{}",
  });
  await create("create_monitor", { id: "m1", title: "M", source: "cpu.avgLoad", data_type: "float" });
  await create("create_alert", { id: "a1", title: "A", expression: "monitors.m1 > 5", message: "high", samples: 1 });
  await create("create_silence", { id: "si1", title: "S", start: NOW, end: NOW + 3600, scope: {}, reason: "x" }).catch(
    () => undefined,
  );
  await create("create_secret", {
    id: "se1",
    title: "Se",
    fields: [{ name: "TOKEN", value: "hunter2canary" }],
    events: ["e1"],
  });
  await create("create_event", {
    ...{ id: "e1", title: "E", enabled: true, category: "c1", plugin: "shellplug", targets: ["s1"], algo: "random" },
    ...{ params: { script: "echo" }, triggers: [{ type: "manual", enabled: true }] },
  });
  made["key"] = await create("create_api_key", { title: "K", privileges: { run_jobs: true } });
  await at.send("/api/user/admin_create/v1", {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ username: "J.Doe", full_name: "J", email: "j@example.com", password: "correct horse 9" }),
  });
  const form = new FormData();
  form.set("file1", new File(["attachment"], "note.txt"));
  const ticket = await create("create_ticket", { subject: "T", body: "b", type: "issue", status: "open" });
  await at.send(`/api/app/upload_user_ticket_files/v1?ticket=${ticket.ticket.id}`, {
    method: "POST",
    body: form,
    headers: { "x-api-key": KEY },
  });
  const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const { id } = await create("run_event", { id: "e1" });
  await at.until(() => server.received.some(({ cmd }) => cmd === "launch_job"));
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await at.until(async () => (await at.admin.get(`get_job/v1?id=${id}`)).body.job?.final === true);
  await at.blobs.put(`files/jobs/${id}/abc/out.txt`, bytesOf("output"));
  await at.blobs.put(`files/jobs/${id}/abc/large.bin`, bytesOf("x".repeat(1_100_000)));
  const points = Array.from({ length: 130 }, (_, n) => ({
    ...{ epoch_div: NOW / 60 - 200 + n, date: NOW - (200 - n) * 60, count: 1 },
    ...{ totals: { m1: n / 10 }, deltas: { net: n }, alerts: n === 5 ? { a1: true as const } : {} },
  }));
  await at.storage.write((tx) =>
    tx.timeline.putMany(points.map((point) => ({ server: "s1", system: "hourly", point }))),
  );
  return { ...made, server, job: id as string, ticket: ticket.ticket.id as string };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

describe.each(STORAGES)("over %s", (name) => {
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
      if (["activity", "state", "job_stats", "ticket_numbers"].includes(collection)) {
        expect(after.records[collection], collection).toMatchObject(collection === "activity" ? records : {});
        continue;
      }
      expect(after.records[collection], collection).toEqual(records);
    }
    delete (before.files as Any)[`files/jobs/${job}/abc/large.bin`];
    expect(after.files).toEqual(before.files);
    const again = await target.importBytes(bytes);
    expect(again.report).not.toContain("Errors");
    const twice = await target.dump();
    // Each import leaves rows of its own, and counts them.
    for (const { records } of [after, twice] as Any[]) for (const own of ["activity", "job_stats"]) delete records[own];
    expect(twice).toEqual(after);
  });

  test("counters of each part of a cut day come along", async () => {
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

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const page = (list: string, ...items: readonly object[]): string =>
  line({ key: `global/${list}/0`, value: { type: "list_page", items } });
const STAMPS = { username: "x", created: 1, modified: 1 };
const tag = (id: string, more: object = {}) => ({ id, title: id, ...STAMPS, ...more });
const tagIds = async (at: Box): Promise<string[]> =>
  (await at.admin.get("get_tags/v1")).body.rows.map(({ id }: Any) => id);

describe("a token", () => {
  test("stands for its caller once, with its own parameters, beside any other parameters and credentials", async () => {
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

  test("never holds an open secret, a session or a key", async () => {
    const at = await openBox("memory");
    await fill(at);
    const text = await at.text(EVERYTHING);
    for (const secret of ["hunter2canary", KEY, "correct horse 9"]) expect(text).not.toContain(secret);
    expect(text).toContain('"key":"secrets/se1"');
    expect(text).toMatch(/# Left out, larger than 1048576 bytes: files\/jobs\/\w+\n/);
    expect(text.trimEnd().endsWith("# End of data")).toBe(true);
  });

  test("ends its internal job when the reader goes away", async () => {
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

  test("takes items with queries and bounds", async () => {
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

describe("an import", () => {
  test.each([
    ["packed", (text: string) => gzipSync(text)],
    ["plain", (text: string) => text],
  ])("takes a %s file in a field of any name", async (_how, pack) => {
    const at = await openBox("memory");
    const { answer, report } = await at.importBytes(pack(page("tags", tag("new"))), {}, "whatever");
    expect(answer.body).toMatchObject({ code: 0, id: expect.stringMatching(/^i/) });
    expect(report).toContain("- tags: 1");
    expect(await tagIds(at)).toEqual(["important", "flag", "new"]);
  });

  test("switches the scheduler off for good and aborts jobs, unless told not to", async () => {
    const at = await openBox("memory");
    const { server } = await fill(at);
    const { body } = await at.post("run_event", { id: "e1" });
    await at.until(async () => (await at.admin.get(`get_job/v1?id=${body.id}`)).body.job.state === "active");
    await at.importBytes(page("tags", tag("a")), { danger: "1" });
    expect((await at.admin.get(`get_job/v1?id=${body.id}`)).body.job.final).toBeUndefined();
    const importing = at.importBytes(page("tags", tag("b")));
    await at.until(() => server.received.some(({ cmd }) => cmd.startsWith("abort")));
    expect(await tagIds(at)).not.toContain("b");
    server.send("jobs", { [body.id]: { state: "complete", complete: true, code: 1 } });
    const { report } = await importing;
    expect(report).toMatch(/Jobs: 0 dropped from their lines, 1 aborted/);
    expect((await at.admin.get("get_global_state/v1")).body.state.scheduler).toEqual({ enabled: false });
  });

  test("an import of a list removes entries that the file leaves out, only when the file is whole", async () => {
    const at = await openBox("memory");
    const header = "# xyOps Data Export v1.0\n";
    const file = header + line({ cmd: "listDelete", args: ["global/tags", false] }) + page("tags", tag("only"));
    const broken = await at.importBytes(`${file}{"key":"global/ta`);
    expect(broken.report).toContain("the file was cut off.");
    expect(broken.report).toContain("up to line 3");
    expect(await tagIds(at)).toEqual(["important", "flag", "only"]);
    await at.importBytes(file);
    expect(await tagIds(at)).toEqual(["only"]);
  });

  test("says up to where a packed file that was cut off is stored", async () => {
    const at = await openBox("memory");
    const many = Array.from({ length: 3000 }, (_, n) => page("tags", tag(`t${n}`, { notes: `${n * 7919}` }))).join("");
    const packed = gzipSync(many);
    const { report } = await at.importBytes(packed.subarray(0, packed.length - 3000));
    expect(report).toContain("the file was cut off.");
    const stored = (await tagIds(at)).length - 2;
    expect(stored).toBeGreaterThan(1000);
    expect(stored).toBeLessThan(3000);
    expect(report).toContain(`up to line ${stored} is stored`);
  });

  test("reports broken lines, the first hundred of them, and takes in all others", async () => {
    const at = await openBox("memory");
    const file = `${"{broken}\n".repeat(150)}${page("tags", tag("good"), { id: "no title" }, tag("also"))}`;
    const { report } = await at.importBytes(file);
    expect(report).toContain("Errors (151), the first 100 of them");
    expect(report.split("\n").filter((each) => each.startsWith("- line "))).toHaveLength(100);
    expect(await tagIds(at)).toEqual(["important", "flag", "good", "also"]);
  });

  test("writes only records that the format names", async () => {
    const at = await openBox("memory");
    const before = await at.dump();
    const hostile = [
      line({ key: "files/../../etc/passwd.txt", value: "YQ==" }),
      line({ key: "files/a/../../b.txt", value: "YQ==" }),
      line({ key: "files/a/b.txt", value: "no base 64!" }),
      line({ key: "sessions/abc", value: { id: "abc" } }),
      line({ key: "signalbox/sessions/abc", value: { id: "abc" } }),
      line({ key: "signalbox/transfer_tokens/abc", value: { id: "abc" } }),
      line({ key: "users/admin", value: { username: "other", password: "x" } }),
      line({ key: "users/ADMIN", value: { username: "admin", password: "x" } }),
      line({ key: "secrets/se1", value: { id: "se1", fields: [{ name: "A", value: "open" }] } }),
      line({ key: "users/evil", value: { username: "evil", privileges: { admin: 1 } } }),
      '{"key":"global/tags/0","value":{"items":[{"id":"p","title":"p","__proto__":{"admin":true}}]}}\n',
      page("tags", { id: "__proto__", title: "x" }, { id: "../x", title: "x" }, { id: "valueOf", title: "x" }),
      line({ index: "jobs", id: "j1", record: { id: "j2", event: "e", started: 1, state: "complete" } }),
      line({ index: "sessions", id: "s", record: { id: "s" } }),
      line({ cmd: "eval", args: ["1"] }),
      line({ cmd: "hashDeleteAll", args: ["users"] }),
      line({ cmd: "listDelete", args: ["global/sessions", false] }),
      line({ cmd: "constructor", args: ["x"] }),
    ].join("");
    const { report } = await at.importBytes(hostile);
    expect(report).toContain("Errors (");
    const after = await at.dump();
    for (const name of ["tags", "users", "secrets", "secret_payloads", "jobs", "api_keys", "roles"])
      expect(after.records[name], name).toEqual(before.records[name]);
    expect(after.files).toEqual(before.files);
    expect(Object.prototype).not.toHaveProperty("admin");
  });

  test("keeps the last administrators when the file brings none", async () => {
    const at = await openBox("memory");
    await at.importBytes(
      line({ cmd: "listDelete", args: ["global/users", false] }) +
        page("users", { username: "joe" }) +
        line({ key: "users/joe", value: { ...STAMPS, username: "joe", password: "x" } }),
    );
    expect(Object.keys((await at.dump()).records["users"] ?? {})).toEqual(expect.arrayContaining(["joe", "admin"]));
  });

  test("raises the next number of tickets above all that came", async () => {
    const at = await openBox("memory");
    const ticket = { subject: "S", body: "b", type: "issue", status: "open", num: 5000, ...STAMPS, changes: [] };
    const lists = { assignees: [], cc: [], notify: [], tags: [], events: [], files: [], category: "", server: "" };
    const { report } = await at.importBytes(
      line({ index: "tickets", id: "tk1", record: { id: "tk1", due: 0, ...lists, ...ticket } }),
    );
    expect(report).not.toContain("Errors");
    const { body } = await at.post("create_ticket", { subject: "N", body: "b", type: "issue", status: "open" });
    expect(body.ticket.num).toBe(5001);
  });

  test("reports long lines, and files that unpack to nothing", async () => {
    const at = await openBox("memory");
    const long = `{"key":"global/tags/0","value":"${"x".repeat(17_000_000)}"}\n${page("tags", tag("after"))}`;
    const { report } = await at.importBytes(gzipSync(long));
    expect(report).toContain("- line 1: The line is too long");
    expect(await tagIds(at)).toContain("after");
  });

  test("applies portable definitions in the order in which they need each other, and removes nothing", async () => {
    const at = await openBox("memory");
    const file = {
      ...{ type: "xypdf", version: "1.0", description: "d" },
      items: [
        { type: "event", data: { id: "ev1", title: "E", category: "cat1", plugin: "shellplug", ...STAMPS } },
        { type: "category", data: { id: "cat1", title: "C", ...STAMPS } },
      ],
    };
    const { report } = await at.importBytes(JSON.stringify(file, null, 2));
    expect(report).toContain("portable definitions");
    expect(report).not.toContain("Errors");
    const { records } = await at.dump();
    expect(records["events"]).toHaveProperty("ev1");
    expect(records["categories"]).toMatchObject({ cat1: { title: "C" }, general: {} });
  });

  test("takes accounts, categories, groups and events of Cronicle", async () => {
    const at = await openBox("memory");
    const entry = (list: string, item: object) =>
      `global/${list}/0 - ${JSON.stringify({ type: "list_page", items: [item] })}\n`;
    const { report } = await at.importBytes(
      `# Cronicle Data Export v1.0\n\nusers/joe - ${JSON.stringify({ ...STAMPS, username: "joe", password: "h", salt: "s" })}\n` +
        entry("schedule", {
          id: "ejk",
          title: "N",
          enabled: 1,
          category: "general",
          plugin: "shellplug",
          timing: { hours: [4] },
        }) +
        entry("api_keys", { id: "k", key: "plain", title: "K" }),
      { format: "cronicle" },
    );
    expect(report).not.toContain("Errors");
    expect(report).toContain("keys cronicle/global: 1");
    const { records } = await at.dump();
    expect(records["events"]?.["ejk"]).toMatchObject({ enabled: false, title: "N" });
    expect(records["users"]).toHaveProperty("joe");
    expect(Object.keys(records["api_keys"] ?? {})).toHaveLength(1);
  });

  test("an import of no file, or of two, is refused", async () => {
    const at = await openBox("memory");
    const form = new FormData();
    form.set("format", "xyops");
    const headers = { "x-api-key": KEY };
    const none = await at.send("/api/app/admin_import_data/v1", { method: "POST", body: form, headers });
    expect(none.body).toEqual({ code: "admin", description: "No file data found for import" });
    expect((await at.blobs.list("tmp/", { limit: 10 })).length).toBe(0);
  });
});

describe("a deletion", () => {
  const remove = async (at: Box, items: readonly object[]) => {
    const { body } = await at.post("admin_delete_data", { items });
    await at.until(() => !at.cradle.internalJobs.list().some(({ id }) => id === body.id));
    return at.reportOf(body.id);
  };

  test("takes complete keys, and leaves the scheduler off", async () => {
    const at = await openBox("memory");
    await fill(at);
    const report = await remove(at, [
      { type: "list", key: "global/tags" },
      { type: "list", key: "global/secrets" },
      { type: "index", index: "jobs" },
      { type: "index", index: "tickets" },
      { type: "monitorData" },
      { type: "users" },
    ]);
    expect(report).toContain("- tags: 3");
    expect(report).toContain("Kept in users, which needs at least one of them: admin");
    const { records } = await at.dump();
    for (const name of ["tags", "secrets", "secret_payloads", "jobs", "tickets"])
      expect(records[name], name).toEqual({});
    expect(Object.keys(records["users"] ?? {})).toEqual(["admin"]);
    expect((await at.admin.get("get_global_state/v1")).body.state.scheduler).toEqual({ enabled: false });
    const points = await at.storage.read((tx) => tx.timeline.bounds({ server: "s1", system: "hourly" }));
    expect(points).toBeUndefined();
  });

  test.each([
    [{ items: [] }, "No data selected for deletion."],
    [{}, "No data selected for deletion."],
    [{ items: "x" }, "Invalid request (items must be an array)."],
    [{ items: [{ type: "list", key: "tags" }] }, "Unknown data selected: list tags"],
  ])("of %j is refused", async (body, description) => {
    const at = await openBox("memory");
    expect((await at.post("admin_delete_data", body)).body).toMatchObject({ code: "admin", description });
  });
});

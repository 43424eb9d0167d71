import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Any, type Box, KEY, openBox } from "./transfer-box.ts";
import { fill } from "./transfer-fill.ts";

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const page = (list: string, ...items: readonly object[]): string =>
  line({ key: `global/${list}/0`, value: { type: "list_page", items } });
const STAMPS = { username: "x", created: 1, modified: 1 };
const tag = (id: string, more: object = {}) => ({ id, title: id, ...STAMPS, ...more });
const tagIds = async (at: Box): Promise<string[]> =>
  (await at.admin.get("get_tags/v1")).body.rows.map(({ id }: Any) => id);

describe("an import", () => {
  test.each([
    ["packed", (text: string) => gzipSync(text)],
    ["plain", (text: string) => text],
  ])("accepts a %s file in a field of any name", async (_how, pack) => {
    const at = await openBox("memory");
    // Without stamps and privileges, as people write records.
    const bare = { id: "new", title: "New" };
    const { answer, report } = await at.importBytes(pack(page("tags", bare) + page("roles", bare)), {}, "whatever");
    expect(answer.body).toMatchObject({ code: 0, id: expect.stringMatching(/^i/) });
    expect(report).toContain("- tags: 1\n- roles: 1");
    expect(await tagIds(at)).toEqual(["important", "flag", "new"]);
    const { role } = (await at.admin.get("get_role/v1?id=new")).body;
    expect(role).toMatchObject({ ...bare, privileges: {}, username: "admin", created: 0, modified: 0 });
  });

  test("pauses the scheduler permanently and aborts jobs, unless told not to", async () => {
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

  test("of a list removes entries missing from the file, only when the file is complete", async () => {
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

  test("says up to where a truncated packed file is stored", async () => {
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

  test("reports broken lines, the first hundred of them, and imports all others", async () => {
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

  test("keeps the last administrators when the file contains none", async () => {
    const at = await openBox("memory");
    await at.importBytes(
      line({ cmd: "listDelete", args: ["global/users", false] }) +
        page("users", { username: "joe" }) +
        line({ key: "users/joe", value: { ...STAMPS, username: "joe", password: "x" } }),
    );
    expect(Object.keys((await at.dump()).records["users"] ?? {})).toEqual(expect.arrayContaining(["joe", "admin"]));
  });

  test("raises the next number of tickets above all imported ones", async () => {
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

  test("accepts a ticket without a text and lists", async () => {
    const at = await openBox("memory");
    const record = { id: "tk1", num: 7, subject: "S", ...STAMPS };
    const { report } = await at.importBytes(line({ index: "tickets", id: "tk1", record }));
    expect(report).not.toContain("Errors");
    expect((await at.admin.get("get_ticket/v1?num=7")).body.ticket).toMatchObject({
      ...{ id: "tk1", body: "", status: "open", assignees: [], tags: [], due: 0, changes: [] },
    });
  });

  test("reports long lines, and files that unpack to nothing", async () => {
    const at = await openBox("memory");
    const long = `{"key":"global/tags/0","value":"${"x".repeat(17_000_000)}"}\n${page("tags", tag("after"))}`;
    const { report } = await at.importBytes(gzipSync(long));
    expect(report).toContain("- line 1: The line is too long");
    expect(await tagIds(at)).toContain("after");
  });

  test("gives up a file of blank lines, the most expensive one for its size", async () => {
    const at = await openBox("memory");
    const blank = "\n".repeat(1_100_000);
    const { report } = await at.importBytes(gzipSync(blank + page("tags", tag("after"))));
    expect(report).toContain("it holds more than a gigabyte, or a million lines, that are no data.");
    expect(await tagIds(at)).not.toContain("after");
  });

  test("applies portable definitions in the order of their dependencies, and removes nothing", async () => {
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

  test("makes the importer the author of portable definitions without one", async () => {
    const at = await openBox("memory");
    const tagged = { type: "tag", data: { id: "mine", title: "Mine" } };
    const known = { type: "tag", data: { ...tag("theirs"), revision: 7 } };
    const { report } = await at.importBytes(JSON.stringify({ type: "xypdf", version: "1.0", items: [tagged, known] }));
    expect(report).not.toContain("Errors");
    const { records } = await at.dump();
    expect(records["tags"]?.["mine"]).toMatchObject({
      username: expect.stringMatching(/./),
      created: expect.any(Number),
      revision: 1,
    });
    expect(records["tags"]?.["theirs"]).toMatchObject({ username: "x", created: 1, revision: 7 });
  });

  test("names portable definitions that cannot be read", async () => {
    const at = await openBox("memory");
    const { report } = await at.importBytes(JSON.stringify({ type: "xypdf", version: "2.0", items: [] }));
    expect(report).toContain("Format: portable definitions (XYPDF).");
    expect(report).toContain("The version of the file is not known");
  });

  test("includes the encrypted settings of receivers", async () => {
    const at = await openBox("memory");
    const settings = { routing_key: "R0123", region: "eu" };
    const { body } = await at.post("create_receiver", { id: "pd", title: "PD", type: "pagerduty", settings });
    const text = await at.text("lists=all");
    expect(text).not.toContain("R0123");
    const empty = await openBox("memory");
    const { report } = await empty.importBytes(text);
    expect(report).not.toContain("Left out");
    const sealed = body.receiver.sealed;
    const { records } = await empty.dump();
    expect(records["secret_payloads"]?.[sealed]).toEqual((await at.dump()).records["secret_payloads"]?.[sealed]);
    expect(records["receivers"]?.["pd"]).toMatchObject({ sealed });
  });

  test("imports accounts, categories, groups and events of Cronicle", async () => {
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

  test("of no file, or of two, is refused", async () => {
    const at = await openBox("memory");
    const form = new FormData();
    form.set("format", "xyops");
    const headers = { "x-api-key": KEY };
    const none = await at.send("/api/app/admin_import_data/v1", { method: "POST", body: form, headers });
    expect(none.body).toEqual({ code: "admin", description: "No file data found for import" });
    expect((await at.blobs.list("tmp/", { limit: 10 })).length).toBe(0);
  });
});

test("a refused import leaves no file", async () => {
  const at = await openBox("memory");
  const end = Promise.withResolvers<void>();
  const other = { title: "Other", type: "maint", username: "x", exclusive: true } as const;
  at.cradle.internalJobs.start(other, () => end.promise);
  const { answer } = await at.importBytes(page("tags", tag("new")));
  expect(answer.body).toEqual({ code: "admin", description: "Another maintenance job is already running." });
  await at.until(async () => (await at.blobs.list("tmp/", { limit: 10 })).length === 0);
  end.resolve();
});

describe("a deletion", () => {
  const remove = async (at: Box, items: readonly object[]) => {
    const { body } = await at.post("admin_delete_data", { items });
    await at.until(() => !at.cradle.internalJobs.list().some(({ id }) => id === body.id));
    return at.reportOf(body.id);
  };

  test("deletes complete keys, and leaves the scheduler paused", async () => {
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
    expect(report).toContain("Kept in users, so that nobody is locked out: admin");
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

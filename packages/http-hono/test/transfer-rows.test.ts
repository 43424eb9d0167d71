import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Any, type Box, KEY, openBox } from "./boxes/transfer-box.ts";
import { STORAGES } from "./open-storage.ts";

const STAMPS = { username: "x", created: 1, modified: 1 };
const line = (value: object): string => `${JSON.stringify(value)}\n`;
const page = (list: string, ...items: readonly object[]): string =>
  line({ key: `global/${list}/0`, value: { type: "list_page", items } });
const tag = (id: string, more: object = {}) => ({ id, title: id, ...STAMPS, ...more });
const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const idsOf = async (at: Box, list: string): Promise<string[]> =>
  (await at.admin.get(`get_${list}/v1`)).body.rows.map(({ id }: Any) => id).toSorted();

async function fill(at: Box): Promise<string> {
  await at.post("create_tag", { id: "t1", title: "T1" });
  await at.post("create_secret", { id: "se1", title: "S", fields: [{ name: "A", value: "hunter2canary" }] });
  await at.post("create_bucket", { id: "b1", title: "B", data: { a: 1 } });
  const form = new FormData();
  form.set("f", new File(["bucket file"], "b.txt"));
  const headers = { "x-api-key": KEY };
  await at.send("/api/app/upload_bucket_files/v1?id=b1", { method: "POST", body: form, headers });
  await at.post("create_event", {
    ...{ id: "flow", title: "Flow", enabled: true, type: "workflow", category: "general" },
    triggers: [{ id: "m", type: "manual", enabled: true }],
    workflow: {
      nodes: [
        { id: "m", type: "trigger", x: 0, y: 0 },
        { id: "n", type: "note", x: 0, y: 0 },
      ],
      connections: [],
    },
  });
  const { id } = (await at.post("run_event", { id: "flow" })).body;
  await at.until(async () => (await at.admin.get(`get_job/v1?id=${id}`)).body.job?.final === true);
  for (const subject of ["one", "two"])
    await at.post("create_ticket", { subject, body: "b", type: "issue", status: "open" });
  return id;
}

describe.each(STORAGES)("transfer over %s", (name) => {
  test("an export contains the chosen records in the form of the peer, and refuses bad choices with a message", async () => {
    const at = await openBox(name);
    const job = await fill(at);
    const refusals: [query: string, description: string][] = [
      ["", "No data selected for export."],
      ["items=[]", "No data selected for export."],
      ["items=5", "Invalid request (items must be an array)."],
      ["lists=nothing", "Unknown data selected: nothing"],
      ["indexes=nothing", "Unknown data selected: nothing"],
      ["extras=nothing", "Unknown data selected: nothing"],
      [`items=${encoded([{ type: "list", key: "tags" }])}`, "Unknown data selected: list tags"],
      [`items=${encoded([{ type: "index", index: "x" }])}`, "Unknown data selected: x"],
    ];
    const headers = { "x-api-key": KEY };
    for (const [query, description] of refusals)
      expect([query, (await at.send(`/api/app/admin_export_data/v1?${query}`, { headers })).body]).toEqual([
        query,
        { code: "admin", description },
      ]);
    for (const member of ["lists", "indexes", "extras"])
      expect((await at.post("admin_export_data", { [member]: 5 })).body).toEqual({
        code: "admin",
        description: `Invalid request (${member} must be an array).`,
      });
    const { response } = await at.fetchExport("lists=tags");
    expect([response.status, response.headers.get("content-type"), response.headers.get("content-encoding")]).toEqual([
      200,
      "application/gzip",
      null,
    ]);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="[\w-]+-data-export-\d{4}-\d\d-\d\d-\w+\.txt\.gz"$/,
    );

    const lines = async (query: string): Promise<Any[]> =>
      (await at.text(query))
        .split("\n")
        .filter((each) => each.startsWith("{"))
        .map((each) => JSON.parse(each));
    const [cleared, first, head] = await lines("lists=tags");
    expect(cleared).toEqual({ cmd: "listDelete", args: ["global/tags", false] });
    expect(head).toEqual({
      key: "global/tags",
      value: { page_size: expect.any(Number), first_page: 0, last_page: 0, length: 3, type: "list" },
    });
    expect(first).toMatchObject({ key: "global/tags/0", value: { type: "list_page", items: [{}, {}, { id: "t1" }] } });
    const keys = async (query: string): Promise<string[]> =>
      (await lines(query)).map(({ key, cmd, index, args }) => key ?? (index ? `#${index}` : `${cmd} ${args[0]}`));
    const rows: [query: string, expected: readonly (string | RegExp)[]][] = [
      ["lists=users", [/^listDelete/, "global/users", "global/users/0", "users/admin"]],
      ["lists=secrets", [/^listDelete/, "global/secrets", "global/secrets/0", "secrets/se1"]],
      ["lists=buckets", [/^listDelete/, "global/buckets", "global/buckets/0", "buckets/b1/data", "buckets/b1/files"]],
      ["indexes=tickets", ["#tickets", "#tickets"]],
      ["indexes=jobs", ["#jobs"]],
      ["extras=bucket_files", [/^files\/bucket\/b1\//]],
      ["extras=stat_data", [/^listDelete/, "global/stats", "global/stats/0"]],
      ["lists=users&extras=user_avatars", ["users/admin"]],
      [`items=${encoded([{ type: "index", index: "tickets", query: "two" }])}`, ["#tickets"]],
      [`items=${encoded([{ type: "index", index: "tickets", max_rows: 1 }])}`, ["#tickets"]],
      [`items=${encoded([{ type: "users" }])}`, ["users/admin"]],
      [`items=${encoded([{ type: "bucketData" }])}`, ["buckets/b1/data", "buckets/b1/files"]],
      [`items=${encoded([{ type: "bucketFiles" }])}`, [/^files\/bucket\/b1\//]],
      [`items=${encoded([{ type: "bucketFiles", max_size: 3 }])}`, []],
      [`items=${encoded([{ type: "secretData" }])}`, ["secrets/se1"]],
      [`items=${encoded([{ type: "jobFiles" }, { type: "ticketFiles" }, { type: "monitorData" }])}`, []],
    ];
    for (const [query, expected] of rows) {
      const found = await keys(query);
      if (!query.startsWith("lists=")) expect([query, found.length]).toEqual([query, expected.length]);
      for (const each of expected)
        expect([query, found]).toEqual([
          query,
          expect.arrayContaining([typeof each === "string" ? each : expect.stringMatching(each)]),
        ]);
    }
    const [stored] = await lines("indexes=jobs");
    expect(stored).toMatchObject({
      index: "jobs",
      id: job,
      record: { id: job, type: "workflow", workflow: { state: {}, jobs: {} } },
    });
    expect(await at.text("lists=all&indexes=all&extras=all")).not.toContain("hunter2canary");
    // A caller who may not export.
    const { body } = await at.post("create_api_key", { title: "K", privileges: { edit_tags: true } });
    expect(
      (await at.send("/api/app/admin_export_data/v1?lists=tags", { headers: { "x-api-key": body.plain_key } })).status,
    ).toBe(403);
  });

  test("an import accepts every command and key of the format, reports the rest, and repeated changes nothing", async () => {
    const at = await openBox(name);
    const before = await idsOf(at, "tags");
    const file = [
      "# xyOps Data Export v1.0\n\n",
      line({ cmd: "listDelete", args: ["global/tags", false] }),
      page("tags", tag("p1"), tag("p2")),
      line({ cmd: "listPush", args: ["global/tags", tag("p3")] }),
      line({ cmd: "listUnshift", args: ["global/tags", tag("p0")] }),
      line({
        cmd: "put",
        args: [
          "users/joe",
          { ...STAMPS, username: "joe", full_name: "J", email: "j@example.com", password: "x", privileges: {} },
        ],
      }),
      page("categories", { id: "c1", title: "C", ...STAMPS }),
      line({ key: "buckets/b1/data", value: { a: 1 } }),
      page("buckets", { id: "b1", title: "B", ...STAMPS }),
      line({
        index: "tickets",
        id: "tk1",
        record: {
          id: "tk1",
          subject: "S",
          body: "b",
          type: "issue",
          status: "open",
          num: 900,
          ...STAMPS,
          due: 0,
          assignees: [],
          cc: [],
          notify: [],
          tags: [],
          events: [],
          files: [],
          changes: [],
        },
      }),
      line({ cmd: "hashPut", args: ["a", "b", 1] }),
      line({ cmd: "copy", args: ["a", "b"] }),
      line({ cmd: "shutDown", args: [] }),
      line({ key: "logs/other/x.txt", value: "YQ==" }),
      "{broken\n",
      page("groups", { id: "no title" }),
    ].join("");
    const { answer, report } = await at.importBytes(gzipSync(file), {}, "anything");
    expect(answer.body).toEqual({ code: 0, id: expect.stringMatching(/^i/) });
    for (const text of ["- tags: ", "- line 14", "- line 16", "- line 17", "scheduler is switched off"])
      expect([text, report]).toEqual([text, expect.stringContaining(text)]);
    expect(await idsOf(at, "tags")).toEqual(["p0", "p1", "p2", "p3"]);
    expect(before).not.toEqual(await idsOf(at, "tags"));
    expect((await at.admin.get("get_bucket/v1?id=b1")).body).toMatchObject({ data: { a: 1 }, files: [] });
    expect((await at.admin.get("get_global_state/v1")).body.state.scheduler).toEqual({ enabled: false });
    const made = await at.post("create_ticket", { subject: "N", body: "b", type: "issue", status: "open" });
    expect(made.body.ticket.num).toBe(901);
    await at.importBytes(file);
    expect(await idsOf(at, "tags")).toEqual(["p0", "p1", "p2", "p3"]);
    expect((await at.admin.get("search_tickets/v1?query=*")).body.list.length).toBe(2);
    const form = new FormData();
    form.set("format", "xyops");
    const none = await at.send("/api/app/admin_import_data/v1", {
      method: "POST",
      body: form,
      headers: { "x-api-key": KEY },
    });
    expect(none.body).toEqual({ code: "admin", description: "No file data found for import" });
    const portable = {
      type: "xypdf",
      version: "1.0",
      items: [
        { type: "event", data: { id: "ev", title: "E", category: "cat", plugin: "shellplug", ...STAMPS } },
        { type: "category", data: { id: "cat", title: "Cat", ...STAMPS } },
      ],
    };
    expect((await at.importBytes(JSON.stringify(portable))).report).not.toContain("Errors");
    expect(await idsOf(at, "events")).toContain("ev");
    expect(await idsOf(at, "categories")).toEqual(expect.arrayContaining(["cat", "c1", "general"]));
  });

  test("a token authenticates its caller once, with its own parameters, beside any credentials", async () => {
    const at = await openBox(name);
    await at.post("create_tag", { id: "t1", title: "T1" });
    const ask = async () => (await at.post("get_transfer_token", { lists: ["tags"] })).body.token;
    const used = async (token: string, headers: Record<string, string> = {}) =>
      at.fetchExport(`token=${token}&lists=users&extras=all`, headers);
    const token = await ask();
    const { response, bytes } = await used(token, { "x-api-key": "wrong-key-entirely", cookie: "session_id=nothing" });
    expect(response.status).toBe(200);
    expect(bytes.length).toBeGreaterThan(50);
    const denied = { code: "admin", description: "Access denied." };
    expect((await at.send(`/api/app/admin_export_data/v1?token=${token}`, {})).body).toEqual(denied);
    expect(
      (await at.send(`/api/app/admin_export_data/v1?token=${"0".repeat(64)}`, { headers: { "x-api-key": KEY } })).body,
    ).toEqual(denied);
    const late = await ask();
    await at.clock.advance(61);
    expect((await at.send(`/api/app/admin_export_data/v1?token=${late}`, {})).body).toEqual(denied);
  });

  test("a deletion deletes complete keys, pauses the scheduler and reports its work", async () => {
    const at = await openBox(name);
    const job = await fill(at);
    for (const [members, description] of [
      [{ items: [] }, "No data selected for deletion."],
      [{}, "No data selected for deletion."],
      [{ items: "x" }, "Invalid request (items must be an array)."],
      [{ items: [{ type: "list", key: "tags" }] }, "Unknown data selected: list tags"],
    ] as const)
      expect((await at.post("admin_delete_data", members)).body).toEqual({ code: "admin", description });
    const items = [
      ...["tags", "events", "secrets", "buckets"].map((list) => ({ type: "list", key: `global/${list}` })),
      ...["jobs", "tickets"].map((index) => ({ type: "index", index })),
    ];
    const { id } = (await at.post("admin_delete_data", { items })).body;
    await at.until(
      async () => !(await at.admin.get("get_internal_jobs/v1")).body.rows.some((each: Any) => each.id === id),
    );
    const report = await at.reportOf(id);
    for (const list of ["tags", "events", "secrets", "buckets"]) {
      expect(report).toContain(`- ${list}: `);
      expect([list, await idsOf(at, list)]).toEqual([list, []]);
    }
    expect((await at.admin.get(`get_job/v1?id=${job}`)).status).toBe(404);
    expect((await at.admin.get("search_tickets/v1?query=*")).body.list.length).toBe(0);
    await at.until(async () => (await at.blobs.list("files/bucket/", { limit: 9 })).length === 0);
    expect((await at.admin.get("get_global_state/v1")).body.state.scheduler).toEqual({ enabled: false });
    const categories = await idsOf(at, "categories");
    expect(categories).toContain("general");
  });
});

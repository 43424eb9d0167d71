import { describe, expect, test } from "vitest";
import { openAdmin as open, START } from "./boxes/admin-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";

const EVENT = { title: "E", enabled: true, category: "general", plugin: "testplug", targets: ["main"], algo: "random" };
const TICKET = { subject: "T", body: "x", type: "issue", status: "open" };
const ACCESS = 403;

/** Operations only for administrators, with input that would have an effect. */
const FOR_ADMINISTRATORS: readonly (readonly [string, object])[] = [
  ["update_global_state", { "scheduler.enabled": false }],
  ["get_internal_jobs", {}],
  ["test_internal_job", { duration: 0 }],
  ["bulk_search_delete", { index: "tickets", query: "*" }],
  ["admin_run_maintenance", {}],
  ["admin_run_optimization", {}],
  ["admin_reset_daily_stats", {}],
  ["admin_broadcast_message", { type: "info", message: "x" }],
  ["admin_stats", {}],
  ["get_transfer_token", { lists: "tags" }],
  ["admin_import_data", {}],
  ["admin_delete_data", { items: [{ type: "list", key: "global/tags" }] }],
  ["admin_rotate_secret_key", { password: "x" }],
  ["admin_logout_all", { username: "admin" }],
  ["admin_search_logs", { log: "Error" }],
  ["admin_get_config", {}],
  ["admin_update_config", { tz: "UTC" }],
  ["admin_send_test_email", { to: "x@example.com" }],
  ["admin_upgrade_workers", { targets: ["main"] }],
  ["admin_upgrade_masters", {}],
  ["master_command", {}],
  ["get_master_releases", {}],
  ["get_doc", { doc: "guide/secrets" }],
  ["search_docs", { query: "x" }],
  ["echo", {}],
];

describe.each(ONE_STORAGE)("rows of administration over %s", (name) => {
  test("only administrators are accepted, and calls of others change nothing", async () => {
    const at = await open(name);
    const other = await at.other({ privileges: { create_events: true, bulk_export: true, delete_tickets: true } });
    const before = (await at.get("search_activity/v1?limit=1000")).body.list.length;
    for (const [operation, members] of FOR_ADMINISTRATORS)
      expect([operation, (await other.post(operation, members)).status]).toEqual([operation, ACCESS]);
    expect((await at.get("search_activity/v1?limit=1000")).body.list.length).toBe(before);
    expect(await at.jobs()).toEqual([]);
  });

  test("servers, state and its changes", async () => {
    const at = await open(name);
    expect((await at.get("get_servers/v1")).body).toMatchObject({ code: 0, servers: {}, masters: {} });
    const { body } = await at.post("update_global_state", { "scheduler.enabled": false, "notes.mine": "text" });
    expect(body.code).toBe(0);
    const state = async (who: Pick<typeof at, "get">) => (await who.get("get_global_state/v1")).body.state;
    expect(await state(at)).toMatchObject({ scheduler: { enabled: false }, notes: { mine: "text" } });
    expect(Object.keys(await state(await at.other()))).toEqual(["scheduler"]);
    const { rows } = (await at.get("search_activity/v1?query=action:state_update&limit=10")).body;
    expect(rows).toHaveLength(2);
    for (const key of ["__proto__.x", "a.constructor", "a.toString"])
      expect((await at.post("update_global_state", { [key]: 1 })).body).toMatchObject({
        ...{ code: "api", description: "Naughty key detected." },
      });
  });

  test("several lists at once, each selected by its flag", async () => {
    const at = await open(name);
    const read = async (query: string) => (await at.get(`get_multiple/v1?${query}`)).body;
    for (const [flag, members] of [
      ["jobs", ["activeJobs", "internalJobs"]],
      ["alerts", ["activeAlerts"]],
      ["servers", ["servers"]],
      ["serverCache", ["serverCache"]],
      ["state", ["state"]],
      ["stats", ["stats"]],
    ] as const)
      expect(Object.keys(await read(`lists=tags&${flag}=1`)).toSorted()).toEqual(
        ["code", "epoch", "tags", ...members].toSorted(),
      );
    expect(Object.keys(await read("lists=tags,roles"))).toEqual(expect.arrayContaining(["tags", "roles"]));
    expect(Object.keys(await read("lists=all"))).toEqual(expect.arrayContaining(["events", "api_keys", "buckets"]));
    expect(await read("lists=nothing")).toMatchObject({ code: "admin" });
    expect((await at.post("get_multiple", { lists: ["tags"] })).body).toMatchObject({ tags: [{}, {}] });
    const limited = await at.other({ categories: ["general"] });
    expect((await limited.get("get_multiple/v1?lists=tags")).status).toBe(ACCESS);
    const other = await at.other();
    expect((await other.get("get_multiple/v1?lists=all")).body).not.toHaveProperty("api_keys");
  });

  test("counters are an object at any time", async () => {
    const at = await open(name);
    const day = async () => (await at.get("dash_stats/v1")).body.stats.day.transactions;
    expect(await day()).toEqual(expect.any(Object));
    await at.post("admin_reset_daily_stats");
    expect(await day()).toEqual(expect.any(Object));
    expect((await at.get("search_activity/v1?query=action:notice")).body.rows).toMatchObject([
      { description: "The counters of the day were reset." },
    ]);
  });

  test("bulk deletions need an index and a query, and are done completely or not at all", async () => {
    const at = await open(name);
    await at.post("create_ticket", TICKET);
    await at.post("create_event", EVENT);
    for (const [operation, members, description] of [
      ["bulk_search_delete", { query: "*" }, "Missing parameter: index"],
      ["bulk_search_delete", { index: "tickets" }, "Missing parameter: query"],
      ["bulk_search_delete_tickets", {}, "Missing parameter: query"],
      ["bulk_search_delete_jobs", {}, "Missing parameter: query"],
      ["bulk_search_delete", { index: "../x", query: "*" }, "Malformed parameter: index"],
    ] as const)
      expect((await at.post(operation, members)).body).toMatchObject({ code: "api", description });
    const { id } = (await at.post("bulk_search_delete_jobs", { query: "*" })).body;
    expect((await at.ended(id)).job).toMatchObject({ outcome: "done", stats: { deleted: 0 } });
    expect((await at.get("search_tickets/v1?query=*")).body.list.length).toBe(1);
  });

  test("configuration: credentials are masked, reserved keys stay", async () => {
    const at = await open(name);
    const { body } = await at.post("admin_get_config");
    expect(body).toMatchObject({
      code: 0,
      config: { tz: "UTC" },
      overrides: {},
      sample: {},
      markdown: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain("a secret key for tests");
    expect((await at.post("admin_update_config", { "client.name": "Ops" })).body.code).toBe(0);
    expect((await at.post("admin_get_config")).body.config.client.name).toBe("Ops");
    expect((await at.get("search_activity/v1?query=action:config_update")).body.rows).toHaveLength(1);
    for (const key of ["secret_key", "secret_key_x", "secret_key.x"])
      expect((await at.post("admin_update_config", { [key]: "x".repeat(20) })).body.code).toBe("api");
  });

  test("diagnostics and health", async () => {
    const at = await open(name);
    const anyone = (path: string) => at.send(path, {});
    expect((await anyone("/api/app/ping/v1")).body).toEqual({ code: 0 });
    expect((await anyone("/api/app/error/v1")).body).toMatchObject({ code: "test" });
    expect(await anyone("/health")).toMatchObject({ status: 200, body: { code: 0, master: true } });
    await at.engine.stop();
    expect((await anyone("/health")).status).toBe(503);
  });

  test("the end of an internal job is reported, and counted for the day", async () => {
    const at = await open(name);
    const told: unknown[] = [];
    at.engine.events.on("internal_job.ended", (payload) => void told.push(payload));
    const { id } = (await at.post("test_internal_job", { duration: 1 })).body;
    const row = await at.ended(id);
    expect(row).toMatchObject({ action: "internal_job", keywords: expect.arrayContaining([id]), job: { elapsed: 1 } });
    expect(row.epoch).toBeGreaterThanOrEqual(START);
    expect(told).toMatchObject([{ id, outcome: "done", quiet: false, message: expect.stringContaining("finished") }]);
    expect(await at.transactions()).toMatchObject({ internal_job: 1 });
  });
});

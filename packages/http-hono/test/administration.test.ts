import { describe, expect, test } from "vitest";
import { openAdmin as open, START } from "./boxes/admin-box.ts";
import { ONE_STORAGE, STORAGES } from "./open-storage.ts";

const EVENT = { title: "E", enabled: true, category: "general", plugin: "testplug", targets: ["main"], algo: "random" };

describe.each(ONE_STORAGE)("administration over %s", (name) => {
  test("the test job is listed before the answer and leaves a row", async () => {
    const at = await open(name);
    const { body } = await at.post("test_internal_job", { duration: "2" });
    expect(await at.jobs()).toMatchObject([{ id: body.id, title: "Test job that does nothing", type: "maint" }]);
    const { description, job } = await at.ended(body.id);
    expect([description, job]).toMatchObject([
      "Test job that does nothing: finished.",
      { outcome: "done", params: { duration: 2 } },
    ]);
    expect(await at.post("test_internal_job", { duration: -1 })).toMatchObject({ status: 400 });
  });

  test("counters of the day are shown, closed and kept", async () => {
    const at = await open(name);
    await at.post("create_event", EVENT);
    await at.get("search_jobs/v1");
    expect(await at.transactions()).toMatchObject({ event_create: 1, search: 1 });
    expect((await at.get("get_multiple/v1?lists=tags&stats=1&jobs=1&serverCache=1")).body).toMatchObject({
      ...{ stats: { transactions: { event_create: 1 } }, internalJobs: {}, serverCache: {} },
    });
    expect((await at.get("search_stat_history/v1")).body).toMatchObject({ items: [], list: { length: 0 } });
    expect((await at.post("admin_reset_daily_stats")).body.code).toBe(0);
    expect(await at.transactions()).not.toHaveProperty("event_create");
    const { body } = await at.get("search_stat_history/v1?limit=5&path=transactions");
    expect(body).toMatchObject({
      items: [{ date: "2027-01-15", data: { event_create: 1, search: 1 } }],
      list: { length: 1 },
    });
    await at.post("create_event", EVENT);
    const both = await at.get("search_stat_history/v1?limit=5&path=transactions&key_prefix=event_&current_day=1");
    expect(both.body).toMatchObject({
      items: [{ data: { event_create: 1 } }, { data: { event_create: 1 } }],
      list: { length: 2 },
    });
    expect((await at.get("search_stat_history/v1?limit=1&current_day=1")).body.items).toHaveLength(1);
  });

  test("counters roll over at local midnight", async () => {
    // 05:00 UTC is midnight there.
    const now = START + 20 * 3600 + 3590;
    const at = await open(name, { config: { tz: "America/New_York" }, now });
    await at.post("create_event", EVENT);
    expect(await at.transactions()).toMatchObject({ event_create: 1 });
    await at.clock.advanceTo(now + 11);
    expect(await at.transactions()).not.toHaveProperty("event_create");
    const history = async () => (await at.get("search_stat_history/v1?limit=2&path=transactions")).body.items;
    // A database takes a while to add the last counts to the previous day.
    await at.until(async () => (await history())[0]?.data.event_create === 1);
    expect(await history()).toMatchObject([{ date: "2027-01-15", data: { event_create: 1 } }]);
  });

  test("the state of the installation", async () => {
    const at = await open(name);
    const { stats } = (await at.get("admin_stats/v1")).body;
    expect(stats).toMatchObject({
      ...{ version: expect.any(String), node: { version: process.version }, storage_engine: at.storage.name },
      ...{ db: { sqlite: expect.any(Number), records: { tags: expect.any(Number) } }, sockets: [] },
      ...{ unbase: { indexes: { jobs: {} } }, cache: { tags: expect.any(Number) }, mem: expect.any(Number) },
    });
    if (name !== "memory") expect(stats.db.sqlite).toBeGreaterThan(10_000);
    const other = await at.other();
    expect((await other.get("admin_stats/v1")).status).toBe(403);
    expect((await other.get("dash_stats/v1")).body.stats).toMatchObject({
      ...{ day: { transactions: {} }, mem: expect.any(Number), cpu: expect.any(Number), unbase: {}, cache: {} },
    });
  });
});

describe.each(STORAGES)("upkeep over %s", (name) => {
  test("maintenance and optimization run in the background and report", async () => {
    const at = await open(name);
    const { body } = await at.post("admin_run_maintenance");
    expect(await at.jobs()).toMatchObject([{ id: body.id, title: "Daily maintenance manual run", type: "maint" }]);
    const row = await at.ended(body.id);
    expect(row.job).toMatchObject({ outcome: "done", progress: 1, stats: { failures: 0 } });
    for (const step of ["Activity log", "Finished jobs and counters", "Stored files", "Monitor history", "Servers"])
      expect(row.job.details).toContain(`- ${step}: `);
    const { id } = (await at.post("admin_run_optimization")).body;
    const { job } = await at.ended(id);
    const words = {
      memory: "needs no optimization",
      sqlite: "Integrity check: no errors.",
      postgres: "Vacuumed and analysed",
    };
    expect(job).toMatchObject({ outcome: "done", details: expect.stringContaining(words[name as "memory"]) });
  });

  test("records of an index are deleted in the background", async () => {
    const at = await open(name);
    for (let n = 0; n < 5; n++)
      await at.post("create_ticket", { subject: `T${n}`, body: "x", type: "issue", status: "open" });
    const total = async () => (await at.get("search_tickets/v1?query=*")).body.list.length;
    expect(await total()).toBe(5);
    expect(await at.post("bulk_search_delete", { index: "nothing", query: "*" })).toMatchObject({
      ...{ status: 400, body: { code: "api", description: "Index not found: nothing" } },
    });
    expect(await at.post("bulk_search_delete", { index: "tickets", query: "nope:1" })).toMatchObject({ status: 400 });
    const { id } = (await at.post("bulk_search_delete", { index: "tickets", query: "T1" })).body;
    expect((await at.ended(id)).job).toMatchObject({ title: "Bulk deletion of tickets", stats: { deleted: 1 } });
    expect(await total()).toBe(4);
    const all = (await at.post("bulk_search_delete_tickets", { query: "*" })).body;
    expect((await at.ended(all.id)).job).toMatchObject({ stats: { deleted: 4 }, outcome: "done" });
    expect(await total()).toBe(0);
    const jobs = (await at.post("bulk_search_delete_jobs", { query: "*" })).body;
    expect((await at.ended(jobs.id)).job).toMatchObject({ title: "Bulk deletion of jobs", outcome: "done" });
    const rows = (await at.post("bulk_search_delete", { index: "activity", query: "action:ticket_create" })).body;
    expect((await at.ended(rows.id)).job).toMatchObject({ stats: { deleted: 5 } });
  });
});

describe.each(ONE_STORAGE)("sessions over %s", (name) => {
  test("sessions of a user are ended by an internal job", async () => {
    const at = await open(name);
    const { id } = (await at.post("admin_logout_all", { username: "admin" })).body;
    expect((await at.ended(id)).job).toMatchObject({ type: "user", stats: { sessions: 0 }, outcome: "done" });
  });
});

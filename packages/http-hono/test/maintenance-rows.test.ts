import { describe, expect, test } from "vitest";
import { type Any, KEY, openBox } from "./boxes/transfer-box.ts";
import { STORAGES } from "./open-storage.ts";

/** 2027-01-15 08:00:00 UTC */
const NOW = 1_800_000_000;
const DAY = 86_400;
const KEPT = 2;
/** Stored resolutions: `daily` follows from `hourly`. */
const RESOLUTIONS = ["hourly", "monthly", "yearly"] as const;

const line = (value: object): string => `${JSON.stringify(value)}\n`;
/** Four rows of a table; their ids run against time, so that removing by id would remove the wrong ones. */
const rows = (index: string, of: (id: string, age: number) => object): string =>
  [1, 2, 3, 4]
    .map((age) => line({ index, id: `${index}${9 - age}`, record: of(`${index}${9 - age}`, NOW - age * DAY) }))
    .join("");
const NEWEST = (index: string) => [`${index}7`, `${index}8`];

const OLD =
  rows("jobs", (id, completed) => ({
    ...{ id, event: "e1", category: "general", plugin: "shellplug", started: completed - 1, completed, elapsed: 1 },
    ...{ code: 0, state: "complete", final: true, complete: true, source: "user", tags: [], targets: [], params: {} },
    ...{ files: [{ id: `f${id}`, filename: "x", path: `files/jobs/${id}/t/x`, size: 1, date: completed, job: id }] },
  })) +
  rows("alerts", (id, date) => ({
    ...{ id, alert: "a1", server: "s1", groups: [], date, start: date, end: date + 60, active: false, count: 1 },
    ...{ message: "high", exp: "1 > 0", modified: date, jobs: [], tickets: [], notified: true },
  })) +
  rows("snapshots", (id, date) => ({
    id,
    type: "server",
    source: "user",
    date,
    server: "s1",
    hostname: "s1",
    groups: [],
    alerts: [],
    jobs: [],
    data: {},
  })) +
  rows("servers", (id, modified) => ({
    id,
    hostname: `${id}.example.internal`,
    created: modified,
    modified,
    enabled: true,
    ip: "10.0.0.1",
    autoGroup: false,
    groups: [],
    info: {},
  })) +
  rows("tickets", (id, date) => ({
    ...{
      id,
      num: Number(id.at(-1)),
      subject: "S",
      body: "b",
      type: "issue",
      status: "closed",
      username: "x",
      created: date,
      modified: date,
    },
    ...{
      due: 0,
      assignees: [],
      cc: [],
      notify: [],
      tags: [],
      events: [],
      files: [],
      category: "",
      server: "",
      changes: [],
    },
  }));

async function open(name: string, config: object = {}) {
  const kept = { max_rows: KEPT };
  const at = await openBox(name, {
    // The alert on silent servers would fire for the imported ones.
    presets: false,
    config: {
      db_maint: { jobs: kept, alerts: kept, snapshots: kept, servers: kept, activity: { max_rows: 5 } },
      timeline_expiration: "1 year",
      ...config,
      client: { job_upload_settings: { user_file_expiration: "5 minutes" } },
    },
  });
  async function maintain(): Promise<void> {
    const { id } = (await at.post("admin_run_maintenance", {})).body;
    expect((await at.admin.get("get_internal_jobs/v1")).body.rows).toMatchObject([
      { id, title: "Daily maintenance manual run", type: "maint" },
    ]);
    await at.until(async () => (await at.admin.get("get_internal_jobs/v1")).body.rows.length === 0);
  }
  // The first turn after a start counts as due: running it here means that it touches no record stored later.
  await maintain();
  const ids = async (operation: string): Promise<string[]> => {
    const { body } = await at.admin.get(`${operation}/v1?query=*&limit=50`);
    return body.rows.map(({ id }: Any) => id).toSorted();
  };
  return {
    ...at,
    ids,
    maintain,
  };
}

describe.each(STORAGES)("maintenance over %s", (name) => {
  test("keeps of each table the newest rows by date, with their files, and all tickets", async () => {
    const at = await open(name);
    const { report } = await at.importBytes(OLD);
    expect(report).not.toContain("Errors");
    for (const age of [5, 6, 7, 8]) await at.blobs.put(`files/jobs/jobs${age}/t/x`, bytes("x"));
    expect(await at.ids("search_jobs")).toHaveLength(4);
    await at.maintain();
    for (const [operation, index] of [
      ["search_jobs", "jobs"],
      ["search_alerts", "alerts"],
      ["search_snapshots", "snapshots"],
      ["search_servers", "servers"],
    ] as const)
      expect([operation, await at.ids(operation)]).toEqual([operation, NEWEST(index)]);
    expect(await at.ids("search_tickets")).toHaveLength(4);
    expect(await at.blobs.list("files/jobs/", { limit: 9 })).toEqual(["files/jobs/jobs7/t/x", "files/jobs/jobs8/t/x"]);
    // The maintenance may have added its own rows since.
    expect((await at.admin.get("search_activity/v1?query=*")).body.list.length).toBeLessThan(9);
  });

  test("removes expired points of monitors in each resolution, expired files and old watches", async () => {
    const at = await open(name);
    const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
    const point = (date: number, seconds: number) => ({
      epoch_div: Math.floor(date / seconds),
      date,
      count: 1,
      totals: { m1: 1 },
      deltas: {},
      alerts: {},
    });
    const seconds = { hourly: 60, monthly: 3600, yearly: 43_200 };
    const points = RESOLUTIONS.flatMap((system) =>
      [NOW - 400 * DAY, NOW - 10 * DAY].map((date) => ({
        server: "s1",
        system,
        point: point(date, seconds[system]) as Any,
      })),
    );
    await at.storage.write((tx) => tx.timeline.putMany(points));
    const form = new FormData();
    form.set("file1", new File(["input"], "in.txt"));
    const { body } = await at.send("/api/app/upload_job_input_files/v1", {
      method: "POST",
      body: form,
      headers: { "x-api-key": KEY },
    });
    const [{ path }] = body.files;
    expect(await at.blobs.list("files/", { limit: 9 })).toEqual([path]);
    expect((await at.post("watch_server", { id: "s1", duration: 60 })).body.code).toBe(0);
    const watches = async () => (await at.admin.get("get_global_state/v1")).body.state.watches ?? {};
    expect(Object.keys(JSON.parse(JSON.stringify(await watches())))).not.toHaveLength(0);
    await at.maintain();
    const left = async (system: (typeof RESOLUTIONS)[number]) =>
      at.storage.read((tx) => tx.timeline.bounds({ server: "s1", system }));
    for (const system of RESOLUTIONS)
      expect([system, await left(system)]).toMatchObject([
        system,
        { first: Math.floor((NOW - 10 * DAY) / seconds[system]) },
      ]);
    expect(await at.blobs.list("files/", { limit: 9 })).toEqual([path]);
    server.close();
    await at.clock.advance(301);
    await at.maintain();
    await at.until(async () => (await at.blobs.list("files/", { limit: 9 })).length === 0);
    expect(JSON.stringify(await watches())).not.toContain('"s1"');
  });

  test("runs at its time of the day without being called", async () => {
    const at = await open(name, { maintenance: "08:05" });
    await at.importBytes(OLD);
    expect(await at.ids("search_jobs")).toHaveLength(4);
    await at.clock.advance(300);
    for (const operation of ["search_jobs", "search_snapshots", "search_alerts", "search_servers"])
      await at.until(async () => (await at.ids(operation)).length === KEPT);
    expect(await at.ids("search_tickets")).toHaveLength(4);
  });

  test("removes a transfer token after a minute, and lists disconnected servers", async () => {
    const at = await open(name);
    const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
    const cached = async () =>
      Object.keys((await at.admin.get("get_multiple/v1?lists=tags&serverCache=1")).body.serverCache);
    expect(await cached()).toEqual([]);
    const { token } = (await at.post("get_transfer_token", { lists: ["tags"] })).body;
    server.close();
    await at.clock.advance(61);
    const late = await at.send(`/api/app/admin_export_data/v1?token=${token}`, {});
    expect(late.body).toEqual({ code: "admin", description: "Access denied." });
    expect(await cached()).toEqual(["s1"]);
  });
});

async function* bytes(text: string) {
  yield Buffer.from(text);
}

import { describe, expect, test } from "vitest";
import { cradleProbe, refusalOf } from "../../../../test/engine.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { startJobs } from "../../../testing/test-jobs.ts";
import { eventCollection } from "../../events/collection.ts";
import { readEvent } from "../../events/rules/record/read.ts";
import { jobStatsCollection } from "../collection.ts";

async function setUp(config: Record<string, unknown> = {}) {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin], config: { tz: "UTC", ...config } });
  const server = await jobs.connect();
  const read = (section = "", day?: string) =>
    jobs.storage.read((tx) => probe.cradle().jobs.stats.read(tx, section, day));
  const end = async (id: string, update: Record<string, unknown>) => {
    await jobs.settle();
    server.send("jobs", { [id]: { state: "complete", complete: true, ...update } });
    await jobs.settle();
  };
  const run = async (event: string, update: Record<string, unknown>) => {
    const { id } = await jobs.signalbox.api.runEvent({ id: event });
    await end(id, update);
    return id;
  };
  return { ...jobs, api: jobs.signalbox.api, ...jobRecords(jobs.storage), read, run, end, cradle: probe.cradle };
}

const NODE = { plugin: "shellplug", category: "general", targets: ["main"], params: { script: "true" } };

describe("daily counters", () => {
  test("count starts and ends by condition, everywhere the job belongs", async () => {
    const at = await setUp();
    const event = await at.event();
    for (const code of [0, 0, "warning", 7]) await at.run(event, { code });
    const counts = { job_start: 4, job_complete: 4, job_success: 2, job_error: 2, job_warning: 1, job_user: 1 };
    for (const section of [
      "",
      `events/${event}`,
      "categories/general",
      "plugins/shellplug",
      "servers/s1",
      "groups/main",
    ])
      expect(await at.read(section)).toMatchObject(counts);
    expect(await at.read(`events/${event}`)).not.toHaveProperty("job_elapsed");
    expect(await at.read()).toMatchObject({ job_log_file_size: expect.any(Number), job_files: 0 });
  });

  test("are complete while one write of them waits for another", async () => {
    const { cradle, read, storage } = await setUp();
    const { stats } = cradle().jobs;
    stats.count(["tried"]);
    const { promise, resolve } = Promise.withResolvers<void>();
    const other = storage.write(() => promise);
    const flushed = stats.flush();
    expect(await read()).toMatchObject({ tried: 1 });
    resolve();
    await Promise.all([other, flushed]);
    expect(await read()).toMatchObject({ tried: 1 });
  });

  test("are all written when the engine stops, in several transactions, after other plugins have stopped", async () => {
    const clock = fakeClock();
    const storage = { ...memoryStorage({ clock }), close: async () => undefined };
    const probe = cradleProbe();
    const late = definePlugin({ id: "late", close: async ({ jobs }) => jobs.stats.count(["late"]) });
    const { signalbox } = await startJobs({ clock, storage, plugins: [probe.plugin, late] });
    for (let each = 0; each < 1100; each++) probe.cradle().jobs.stats.count(["tried"], ["", `events/e${each}`]);
    await signalbox.stop();
    const rows = await storage.read((tx) => tx.collection(jobStatsCollection).list());
    expect(rows.filter(({ counts }) => counts["tried"] === 1)).toHaveLength(1100);
    expect(rows.find(({ id }) => id.endsWith("/"))).toMatchObject({ counts: { late: 1 } });
  });

  test("count a retried attempt only as a start", async () => {
    const at = await setUp();
    const event = await at.event({ limits: [{ enabled: true, type: "retry", amount: 1 }] });
    await at.run(event, { code: 1 });
    expect(await at.read()).toMatchObject({ job_start: 2 });
    expect(await at.read()).not.toHaveProperty("job_complete");
  });

  test("count only the conditions that a test run asks for", async () => {
    const at = await setUp();
    const event = await at.event();
    for (const conditions of [["success"], ["start"], []]) {
      const { id } = await at.api.runEvent({ id: event, test: true, test_conditions: conditions });
      await at.end(id, { code: 0 });
    }
    expect(await at.read(`events/${event}`)).toEqual({ job_success: 1, job_start: 1 });
  });

  test("subtract a job of today that is deleted, but no job of another day", async () => {
    const at = await setUp();
    const event = await at.event();
    const id = await at.run(event, { code: 0 });
    await at.final("old", { event, code: 0, completed: at.clock.now() - 90_000 });
    await at.api.deleteJob({ id });
    await at.api.deleteJob({ id: "old" });
    expect(await at.read(`events/${event}`)).toMatchObject({ job_complete: 0, job_success: 0, job_start: 1 });
  });

  test("subtract no job that was counted before they were reset", async () => {
    const at = await setUp();
    const event = await at.event();
    const old = await at.run(event, { code: 0 });
    await at.clock.advance(5);
    await at.api.adminResetDailyStats({});
    await at.run(event, { code: 0 });
    await at.api.deleteJob({ id: old });
    const sections = ["", `events/${event}`, "categories/general"];
    for (const section of sections) expect(await at.read(section)).toMatchObject({ job_complete: 1, job_success: 1 });
    await at.clock.advance(5);
    for (const section of sections) expect(await at.read(section)).toMatchObject({ job_complete: 1, job_success: 1 });
  });

  test("do not fall below 0 when a job is deleted that was never counted here", async () => {
    const at = await setUp();
    const event = await at.event();
    await at.final("foreign", { event, category: "general", code: 0, completed: at.clock.now() });
    await at.api.deleteJob({ id: "foreign" });
    const shown = async () => (await at.api.dashStats({})).stats["day"];
    const none = { transactions: { job_complete: 0, job_success: 0 }, events: { [event]: { job_complete: 0 } } };
    expect([await at.read(`events/${event}`), await shown()]).toMatchObject([{ job_complete: 0 }, none]);
    await at.clock.advance(5);
    expect([await at.read(`events/${event}`), await shown()]).toMatchObject([{ job_complete: 0 }, none]);
    await at.run(event, { code: 0 });
    expect(await at.read(`events/${event}`)).toMatchObject({ job_complete: 1 });
  });

  test("subtract a deleted sub-job under the event of its workflow, where it counted", async () => {
    const at = await setUp();
    const nodes = [
      { id: "start", type: "trigger", x: 0, y: 0, data: {} },
      { id: "a", type: "job", x: 0, y: 0, data: NODE },
    ];
    const connections = [{ id: "c", source: "start", dest: "a" }];
    const event = await at.event({
      ...{
        type: "workflow",
        workflow: { nodes, connections },
        triggers: [{ type: "manual", enabled: true, id: "start" }],
      },
    });
    const { id } = await at.api.runEvent({ id: event });
    await at.settle(1);
    const part = (await at.api.getActiveJobs()).rows.find(({ type }) => type === "adhoc")?.id ?? "";
    await at.end(part, { code: 0 });
    await at.settle(1);
    expect(await at.api.getJob({ id })).toMatchObject({ job: { final: true } });
    expect(await at.read(`events/${event}`)).toMatchObject({ job_complete: 2 });
    await at.api.deleteJob({ id: part });
    expect(await at.read(`events/${event}`)).toMatchObject({ job_complete: 1, job_success: 1 });
  });

  test("are on disk after a second, add up over a restart, and begin at zero at local midnight", async () => {
    const at = await setUp();
    const event = await at.event();
    await at.run(event, { code: 0 });
    await at.clock.advance(1.1);
    await at.run(event, { code: 0 });
    await at.signalbox.stop();
    const { storage, clock, blobs } = at;
    const probe = cradleProbe();
    await startJobs({ storage, blobs, clock, plugins: [probe.plugin], config: { tz: "UTC" } });
    const { stats } = probe.cradle().jobs;
    expect(await storage.read((tx) => stats.read(tx, ""))).toMatchObject({ job_success: 2 });
    expect(await storage.read((tx) => stats.read(tx, "", stats.dayOf(clock.now() + 86_400)))).toEqual({});
  });
});

describe("a limit per day", () => {
  const day = (condition: string, amount: number) => ({ limits: [{ enabled: true, type: "day", condition, amount }] });
  async function scheduled(members: Record<string, unknown>) {
    const at = await setUp();
    const event = await at.event(members);
    const launch = () => {
      const { transact, launcher, definitions } = at.cradle();
      const stored = definitions.get(eventCollection, event);
      if (!stored) throw new Error(event);
      return transact((unit) => launcher.launch(unit, { event: readEvent(stored), source: "scheduler" }));
    };
    return { ...at, id: event, launch };
  }

  test("refuses a launch once the event has reached it today, but never a launch by a user", async () => {
    const at = await scheduled(day("error", 2));
    for (let count = 0; count < 2; count++) {
      await at.launch();
      await at.run(at.id, { code: 1 });
    }
    expect(await refusalOf(at.launch())).toEqual({
      code: "job",
      description: `Maximum daily 'error' count of 2 has been reached for event: ${at.id}`,
    });
    await at.api.runEvent({ id: at.id });
  });

  test("of starts also refuses a retry: the job is final and its actions run", async () => {
    const limits = [
      { enabled: true, type: "day", condition: "start", amount: 1 },
      { enabled: true, type: "retry", amount: 2 },
    ];
    const actions = [{ enabled: true, condition: "error", type: "tag", tags: ["nightly"] }];
    const at = await scheduled({ limits, actions });
    await at.api.createTag({ id: "nightly", title: "Nightly" });
    const id = (await at.launch())?.id ?? "";
    await at.end(id, { code: 1 });
    const { job } = await at.api.getJob({ id });
    expect(job).toMatchObject({ code: 1, final: true, tags: expect.arrayContaining(["nightly", "_error", "_last"]) });
    expect([job["retried"], job["jobs"]]).toEqual([undefined, undefined]);
    const rows = (job["activity"] as { msg: string }[]).map(({ msg }) => msg);
    expect(rows).toContain(
      `Job could not be retried: Maximum daily 'start' count of 1 has been reached for event: ${at.id}`,
    );
    const { rows: jobs } = await at.api.searchJobs({ limit: 10 });
    expect([jobs.length, (await at.api.getActiveJobs({})).rows.length]).toEqual([1, 0]);
  });

  test("counts ended jobs, not running ones: several jobs may start before the first one completes", async () => {
    const at = await scheduled(day("complete", 1));
    const ids = [(await at.launch())?.id ?? "", (await at.launch())?.id ?? ""];
    await at.settle();
    expect((await at.api.getActiveJobs({})).rows.map(({ state }) => state)).toEqual(["active", "active"]);
    await at.end(ids[0] ?? "", {});
    expect(await refusalOf(at.launch())).toMatchObject({
      description: expect.stringContaining("'complete' count of 1"),
    });
    await at.end(ids[1] ?? "", {});
    expect(await at.read(`events/${at.id}`)).toMatchObject({ job_complete: 2 });
  });

  test("counts runs by hand, which it never refuses", async () => {
    const at = await scheduled(day("start", 1));
    for (const code of [0, 1]) await at.run(at.id, { code });
    expect(await refusalOf(at.launch())).toMatchObject({ description: expect.stringContaining("'start' count of 1") });
  });

  test("counts a retried attempt only by its start", async () => {
    const limits = [
      { enabled: true, type: "day", condition: "start", amount: 2 },
      { enabled: true, type: "day", condition: "error", amount: 1 },
      { enabled: true, type: "retry", amount: 1 },
    ];
    const at = await scheduled({ limits });
    const id = (await at.launch())?.id ?? "";
    await at.end(id, { code: 1 });
    const [next] = (await at.api.getActiveJobs({})).rows;
    expect(next).toMatchObject({ retry_count: 1, retry_prev: id });
    await at.end(String(next?.id), {});
    expect(await refusalOf(at.launch())).toMatchObject({
      description: expect.stringContaining("daily 'start' count of 2"),
    });
  });

  test("refuses nothing when it is not reached, on `continue` or 0", async () => {
    for (const [condition, amount] of [
      ["success", 1],
      ["continue", 1],
      ["error", 0],
    ] as const) {
      const at = await scheduled(day(condition, amount));
      await at.run(at.id, { code: 1 });
      expect(await at.launch()).toMatchObject({ state: "ready" });
    }
  });
});

describe("the nightly maintenance", () => {
  test("keeps the newest jobs and deletes the others with their files", async () => {
    const at = await setUp({ db_maint: { jobs: { max_rows: 3 } } });
    for (let index = 0; index < 205; index++)
      await at.final(`k${String(index).padStart(3, "0")}`, { completed: index + 1 });
    await at.blobs.put(
      "files/jobs/k000/x/out.txt",
      (async function* () {
        yield Buffer.from("x");
      })(),
    );
    await at.cradle().jobs.maintain(at.clock.now() + 86_400, new AbortController().signal);
    await at.settle();
    const { rows } = await at.api.searchJobs({ limit: 10, select: "id" } as never);
    expect(rows.map(({ id }) => id)).toEqual(["k204", "k203", "k202"]);
    expect(await at.blobs.head("files/jobs/k000/x/out.txt")).toBeUndefined();
  });

  test("stops between two steps when it is told to", async () => {
    const at = await setUp({ db_maint: { jobs: { max_rows: 0 } } });
    for (let index = 0; index < 5; index++) await at.final(`k${index}`, { completed: 1 });
    await at.cradle().jobs.maintain(at.clock.now() + 86_400, AbortSignal.abort());
    expect((await at.api.searchJobs({})).list.length).toBe(5);
  });
});

import { describe, expect, test } from "vitest";
import { type Changes, type Members, setUp } from "../../../../test/work/launcher-setup.ts";
import { launched } from "../../../testing/test-jobs.ts";
import { jobLaunchCollection } from "../collection.ts";

describe("a refused launch", () => {
  const queue = { enabled: true, type: "queue", amount: 2 };
  test.each<[string, (at: Awaited<ReturnType<typeof setUp>>, id: string) => Promise<unknown>, Changes, string]>([
    ["event gone", (at, id) => at.signalbox.api.deleteEvent({ id }), {}, "Event not found: "],
    [
      "event disabled",
      (at, id) => at.signalbox.api.updateEvent({ id, enabled: false }),
      {},
      "Event is disabled: Backup",
    ],
    [
      "category disabled",
      (at) => at.signalbox.api.updateCategory({ id: "general", enabled: false }),
      {},
      "Category is disabled: General",
    ],
    [
      "category disabled, even for a test",
      (at) => at.signalbox.api.updateCategory({ id: "general", enabled: false }),
      { test: true },
      "Category is disabled: General",
    ],
    ["plugin gone", async () => undefined, { overrides: { plugin: "nope" } }, "Plugin not found: nope"],
    [
      "queue without a job limit",
      async () => undefined,
      { overrides: { limits: [queue] } },
      "The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to also be present.",
    ],
  ])("%s: gives a reason and leaves nothing", async (_name, prepare, changes, text) => {
    const at = await setUp({ max_jobs_per_min: 100 });
    const id = await at.event();
    const event = await at.eventOf(id);
    await prepare(at, id);
    const launch = at.cradle.transact((unit) =>
      at.cradle.launcher.launch(unit, { event, source: "scheduler", uniqueKey: "k1", ...changes }),
    );
    await expect(launch).rejects.toThrow(text);
    await at.settle();
    expect(await at.active()).toEqual([]);
    expect(await at.keys()).toBe(0);
  });

  test("a test runs a disabled event", async () => {
    const at = await setUp();
    const id = await at.event({ enabled: false });
    expect(await at.launch(id, { test: true })).toMatchObject({ test: true });
  });
});

describe("a transaction that is rolled back", () => {
  test("leaves no job, no key and no count, and starts nothing", async () => {
    const at = await setUp({ max_jobs_per_min: 1 });
    const server = await at.connect();
    const id = await at.event();
    const event = await at.eventOf(id);
    const work = at.cradle.transact(async (unit) => {
      await at.cradle.launcher.launch(unit, { event, source: "scheduler", uniqueKey: "k1" });
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    await at.clock.advance(3);
    expect(await at.active()).toEqual([]);
    expect(await at.keys()).toBe(0);
    expect(launched(server)).toEqual([]);
    expect(await at.launch(id, { uniqueKey: "k1" })).toMatchObject({ state: "ready" });
  });
});

describe("a unique key", () => {
  test("launches one job, however many calls come at once", async () => {
    const at = await setUp();
    const id = await at.event();
    const all = await Promise.all(Array.from({ length: 50 }, () => at.launch(id, { uniqueKey: "due/1" })));
    expect(new Set(all.map((job) => job?.id)).size).toBe(1);
    expect(await at.active()).toHaveLength(1);
  });

  test("returns the finished job later, and nothing once that is deleted", async () => {
    const at = await setUp();
    const server = await at.connect();
    const id = await at.event();
    const first = await at.launch(id, { uniqueKey: "due/1" });
    await at.settle();
    server.send("jobs", { [String(first?.id)]: { state: "complete", complete: true, code: 0 } });
    await at.settle();
    expect(await at.launch(id, { uniqueKey: "due/1" })).toMatchObject({ id: first?.id, final: true });
    await at.signalbox.api.deleteJob({ id: String(first?.id) });
    expect(await at.launch(id, { uniqueKey: "due/1" })).toBeUndefined();
    expect(launched(server)).toHaveLength(1);
  });

  test("expires after a week, also when there are very many", async () => {
    const at = await setUp();
    await at.cradle.transact(async ({ tx }) => {
      for (let key = 0; key < 1200; key++)
        await tx
          .collection(jobLaunchCollection)
          .insert({ id: `old${key}`, job: "j1", created: at.clock.now() - 8 * 86_400 });
      await tx.collection(jobLaunchCollection).insert({ id: "new", job: "j1", created: at.clock.now() - 86_400 });
    });
    await at.cradle.jobs.watch.prune(at.clock.now());
    expect(await at.keys()).toBe(1);
  });
});

describe("a delayed start", () => {
  test("waits until its time and no longer", async () => {
    const at = await setUp();
    const server = await at.connect();
    const job = await at.launch(await at.event(), { until: at.clock.now() + 30 });
    expect(job).toMatchObject({ state: "start_delay", until: at.clock.now() + 30 });
    await at.clock.advance(29);
    expect(launched(server)).toEqual([]);
    await at.clock.advance(2);
    expect(launched(server)).toMatchObject([{ job: { id: job?.id, state: "active" } }]);
    expect(launched(server)[0]?.job).not.toHaveProperty("until");
  });

  test("in the past is ignored", async () => {
    const at = await setUp();
    expect(await at.launch(await at.event(), { until: at.clock.now() - 30 })).toMatchObject({ state: "ready" });
  });

  test.each(["scheduler", "startup"] as const)(
    "delays launches by %s that are above the cap of their minute",
    async (source) => {
      const at = await setUp({ max_jobs_per_min: 2 });
      const id = await at.event();
      const states = [];
      for (let count = 0; count < 5; count++) states.push(await at.launch(id, { source }));
      const minute = Math.ceil(at.clock.now() / 60 + 1e-9) * 60;
      expect(states.map((job) => [job?.state, job?.until])).toEqual([
        ["ready", undefined],
        ["ready", undefined],
        ["start_delay", minute],
        ["start_delay", minute],
        ["start_delay", minute + 60],
      ]);
      await expect(at.launch(id, { source: "user" })).rejects.toThrow(
        "Global jobs per minute limit has been reached (2/min)",
      );
    },
  );
});

describe("the record of a new job", () => {
  test("has the engine's members, whatever the event contains", async () => {
    const at = await setUp({ job_env: { A: "1" } });
    const id = await at.event({ server: "s9", complete: true, code: 5, retry_count: -9, custom: "kept" });
    const job = await at.launch(id, { now: 1_700_000_000, stype: "interval", parent: { job: "j9" } });
    expect(job).toMatchObject({
      ...{ event: id, state: "ready", source: "scheduler", stype: "interval", parent: { job: "j9" }, custom: "kept" },
      ...{ now: 1_700_000_000, started: at.clock.now(), env: { A: "1" }, command: "[shell-plugin]", kill: "all" },
    });
    for (const member of ["server", "complete", "code", "retry_count", "title", "enabled", "triggers", "revision"])
      expect(job).not.toHaveProperty(member);
  });

  test("starts its meta log with its id, source and event", async () => {
    const at = await setUp();
    const id = await at.event();
    const job = await at.launch(id);
    const [record] = await at.active();
    expect(record?.details.activity.map(({ msg }) => msg)).toEqual([
      `Signalbox job starting: #${job?.id}`,
      "Source: Scheduler",
      `Event ID: #${id}`,
    ]);
  });

  test("merges limits in the order event, category, configuration", async () => {
    const at = await setUp({
      job_universal_limits: { default: [{ enabled: true, type: "log", amount: 9 }], workflow: [] },
    });
    await at.signalbox.api.updateCategory({ id: "general", limits: [{ enabled: true, type: "time", duration: 9 }] });
    const job = await at.launch(await at.event({ limits: [{ enabled: true, type: "retry", amount: 0 }] }));
    expect(job?.limits?.map(({ type, source }) => [type, source])).toEqual([
      ["retry", undefined],
      ["time", "category"],
      ["log", "universal"],
    ]);
  });

  test.each<[Members, number]>([
    [{ test: true }, 0],
    [{ test: true, overrides: { test_limits: true } }, 1],
    [{}, 1],
  ])("%o takes %d limits of the category", async (changes, count) => {
    const at = await setUp();
    await at.signalbox.api.updateCategory({ id: "general", limits: [{ enabled: true, type: "time", duration: 9 }] });
    expect((await at.launch(await at.event(), changes))?.limits).toHaveLength(count);
  });
});

import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { eventHistoryCollection } from "../../events/collection.ts";
import { activeJobCollection } from "../collection.ts";

async function setUp() {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin], config: { max_jobs_per_min: 0 } });
  const { storage } = jobs;
  return {
    ...jobs,
    run: (id: string, over: object = {}) => jobs.signalbox.api.runEvent({ id, ...over }).then((result) => result.id),
    state: (id: string) => storage.read(async (tx) => (await tx.collection(activeJobCollection).get(id))?.job.state),
    queued: async () => (await storage.work.stats()).open,
    history: (id: string) => storage.read((tx) => tx.collection(eventHistoryCollection).get(id)),
    transact: () => probe.cradle().transact,
    launcher: () => probe.cradle().launcher,
    [Symbol.asyncDispose]: () => jobs.signalbox.stop(),
  };
}

describe("a launch", () => {
  test("makes the job active and sends it without any queued work where its server is here", async () => {
    await using at = await setUp();
    const server = await at.connect();
    const id = await at.run(await at.event());
    expect([await at.state(id), await at.queued()]).toEqual(["active", 0]);
    expect(launched(server)).toMatchObject([{ job: { id, state: "active" } }]);
  });

  test("without a server leaves the job to queued work", async () => {
    await using at = await setUp();
    const id = await at.run(await at.event());
    expect([await at.state(id), await at.queued()]).toEqual(["ready", 1]);
  });

  test("above the limit of concurrent jobs leaves the job to queued work", async () => {
    await using at = await setUp();
    const server = await at.connect();
    const limits = [
      { enabled: true, type: "job", amount: 1 },
      { enabled: true, type: "queue", amount: 5 },
    ];
    const event = await at.event({ limits });
    const ids = [await at.run(event), await at.run(event)];
    expect([await at.state(ids[0] ?? ""), await at.state(ids[1] ?? "")]).toEqual(["active", "ready"]);
    await at.settle();
    expect(await at.state(ids[1] ?? "")).toBe("queued");
    expect(launched(server)).toHaveLength(1);
  });

  test("sends nothing when it is rolled back", async () => {
    await using at = await setUp();
    const server = await at.connect();
    const { event } = await at.signalbox.api.getEvent({ id: await at.event() });
    const launch = at.transact()(async (unit) => {
      await at.launcher().launch(unit, { event: event as never, source: "user" });
      throw new Error("Changed my mind");
    });
    await expect(launch).rejects.toThrow("Changed my mind");
    await at.settle();
    expect(launched(server)).toEqual([]);
  });
});

describe("jobs that end together", () => {
  test("are all final, and their event counts each of them", async () => {
    await using at = await setUp();
    const server = await at.connect();
    const event = await at.event();
    const ids = await Promise.all(Array.from({ length: 40 }, () => at.run(event)));
    server.send("jobs", Object.fromEntries(ids.map((id) => [id, { state: "complete", complete: true, code: 0 }])));
    await at.settle();
    const { jobs } = await at.signalbox.api.getJobs({ ids });
    expect(jobs.map((job) => (job as { final?: unknown }).final)).toEqual(ids.map(() => true));
    expect(await at.history(event)).toMatchObject({ total_count: 40, last_code: 0 });
  });

  test("keep their output, also the part that was on disk already", async () => {
    await using at = await setUp();
    const server = await at.connect();
    const event = await at.event();
    const ids = await Promise.all(Array.from({ length: 5 }, () => at.run(event)));
    server.send("job_log", { id: ids[0], text: "early\n" });
    await at.settle(2);
    for (const id of ids) server.send("job_log", { id, text: `late ${id}\n` });
    server.send("jobs", Object.fromEntries(ids.map((id) => [id, { state: "complete", complete: true, code: 0 }])));
    await at.settle();
    const outputs = await Promise.all(
      ids.map(async (id) => ((await at.signalbox.api.getJob({ id })).job as { output?: string }).output),
    );
    expect(outputs).toEqual(ids.map((id, index) => `${index === 0 ? "early\n" : ""}late ${id}\n`));
  });
});

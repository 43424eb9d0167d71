import { describe, expect, test } from "vitest";
import { cradleProbe, START } from "../../../test/engine.ts";
import { durable, everyMinute } from "../../../test/work/scheduler-setup.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { startJobs } from "../../testing/test-jobs.ts";
import { eventStateCollection } from "../events/collection.ts";

describe("a due run happens once", () => {
  async function withScheduler() {
    const probe = cradleProbe();
    const at = await startJobs({ clock: fakeClock(START + 30), plugins: [probe.plugin], config: { tz: "UTC" } });
    const { scheduler } = probe.cradle();
    const { signal } = new AbortController();
    const jobs = async () => (await at.signalbox.api.getActiveJobs()).rows.map(({ now }) => now);
    return { ...at, jobs, pass: (now: number) => scheduler.run(now, signal), rewind: rewind(at.storage) };
  }
  /** Resets the storage to what a long-stalled leader last saw, without the writes of the other leader. */
  const rewind = (storage: Storage) => (id: string) =>
    storage.write((tx) => tx.collection(eventStateCollection).update(id, () => ({ id, cursor: START })));

  test("also when several leaders evaluate its minute at the same time", async () => {
    const at = await withScheduler();
    await at.event({
      triggers: [{ enabled: true, ...everyMinute }],
      limits: [
        { type: "job", enabled: true, amount: 1 },
        { type: "queue", enabled: true, amount: 99 },
      ],
    });
    await Promise.all([at.pass(START + 60), at.pass(START + 60), at.pass(START + 60)]);
    expect(await at.jobs()).toEqual([START + 60]);
    await at.signalbox.stop();
  });

  test("also for events that a killed engine had not reached, when the next one starts after the minute", async () => {
    const storage = durable();
    const probe = cradleProbe();
    const first = await startJobs({ clock: fakeClock(START + 30), storage, plugins: [probe.plugin] });
    const triggers = [{ enabled: true, ...everyMinute }];
    const ids = [await first.event({ triggers }), await first.event({ triggers }), await first.event({ triggers })];
    const killed = new AbortController();
    first.signalbox.events.on("job.launched", () => killed.abort());
    await probe.cradle().scheduler.run(START + 60.1, killed.signal);
    const jobs = async () => (await first.signalbox.api.getActiveJobs()).rows.map((job) => [job.event, job.now]);
    expect(await jobs()).toHaveLength(1);
    const second = await startJobs({ clock: fakeClock(START + 75), storage });
    await second.clock.advance(1);
    expect((await jobs()).toSorted()).toEqual(ids.toSorted().map((id) => [id, START + 60]));
    await second.signalbox.stop();
    await first.signalbox.stop();
  });

  test("a minute is missed by all events or by none, also when leaders started before and after it alternate", async () => {
    const storage = durable();
    const old = cradleProbe();
    const first = await startJobs({ clock: fakeClock(START + 30), storage, plugins: [old.plugin] });
    const triggers = [{ enabled: true, ...everyMinute }];
    for (let n = 0; n < 3; n++) await first.event({ triggers });
    const never = new AbortController();
    await old.cradle().scheduler.run(START + 60.1, never.signal);
    const young = cradleProbe();
    const second = await startJobs({ clock: fakeClock(START + 130), storage, plugins: [young.plugin] });
    const killed = new AbortController();
    second.signalbox.events.on("job.launched", () => killed.abort());
    await young.cradle().scheduler.run(START + 180.1, killed.signal);
    await old.cradle().scheduler.run(START + 181, never.signal);
    const jobs = (await first.signalbox.api.getActiveJobs()).rows;
    expect(jobs.map(({ now = 0 }) => now - START).toSorted((a, b) => a - b)).toEqual([60, 60, 60, 180, 180, 180]);
    const state = await storage.read((tx) => tx.collection(eventStateCollection).get("*"));
    expect(state).toEqual({
      ...{ id: "*", cursor: START + 180 },
      gaps: [{ from: START + 120, to: START + 120, reason: "down" }],
    });
    await second.signalbox.stop();
    await first.signalbox.stop();
  });

  test("also in a minute without a leader, when another node was up and the next leader started later", async () => {
    const clock = fakeClock(START + 30);
    const storage = durable();
    const node = (nodeId: string, isLeader: boolean): Storage => ({
      ...storage,
      coordination: {
        ...{ ...storage.coordination, nodeId, shared: true },
        ...(isLeader ? {} : { lead: () => ({ [Symbol.dispose]: () => undefined }) }),
      },
    });
    const first = await startJobs({ clock, storage: node("node_one", true) });
    const beside = await startJobs({ clock, storage: node("node_two", false) });
    await first.event({ triggers: [{ enabled: true, ...everyMinute }] });
    await clock.advance(60);
    await first.signalbox.stop();
    await clock.advance(40);
    const next = await startJobs({ clock, storage: node("node_three", true) });
    await clock.advance(60);
    const { rows } = await beside.signalbox.api.searchJobs({ query: "*", limit: 99 });
    expect(rows.map(({ now }) => Number(now) - START).toSorted((a, b) => a - b)).toEqual([60, 120, 180]);
    await next.signalbox.stop();
    await beside.signalbox.stop();
  });

  test("also when a leader knows nothing of the launches of another one", async () => {
    const at = await withScheduler();
    const id = await at.event({
      triggers: [
        { enabled: true, ...everyMinute },
        { enabled: true, type: "catchup" },
      ],
      limits: [
        { type: "job", enabled: true, amount: 1 },
        { type: "queue", enabled: true, amount: 99 },
      ],
    });
    await at.pass(START + 60);
    await at.pass(START + 120);
    await at.rewind(id);
    await at.rewind("*");
    await at.pass(START + 180);
    expect((await at.jobs()).toSorted()).toEqual([START + 60, START + 120, START + 180]);
    await at.signalbox.stop();
  });
});

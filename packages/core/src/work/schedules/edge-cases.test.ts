import { afterEach, describe, expect, test } from "vitest";
import { cradleProbe, recordingLogger } from "../../../test/engine.ts";
import { categoryCollection } from "../../directory/categories/collection.ts";
import { launched, startJobs, type TestJobs } from "../../testing/test-jobs.ts";
import { eventStateCollection } from "../events/collection.ts";

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

async function setUp() {
  const log = recordingLogger();
  const probe = cradleProbe();
  const jobs = await startJobs({ log, plugins: [probe.plugin], config: { tz: "UTC", scheduler_stagger_ms: 0 } });
  running.push(jobs);
  const server = await jobs.connect();
  return {
    ...jobs,
    api: jobs.signalbox.api,
    log,
    server,
    cradle: probe.cradle,
    sent: () => launched(server).map(({ job }) => job),
    stateOf: (id: string) => jobs.storage.read((tx) => tx.collection(eventStateCollection).get(id)),
  };
}

const every = (members: Record<string, unknown> = {}) => ({ type: "schedule", enabled: true, ...members });

describe("edge cases of events", () => {
  test("several triggers that are due in one minute make one job each, with its own parameters and tags", async () => {
    const at = await setUp();
    for (const id of ["red", "blue"]) await at.api.createTag({ id, title: id });
    const triggers = [
      every({ params: { which: "a" }, tags: ["red"] }),
      every({ params: { which: "b" }, tags: ["blue"] }),
    ];
    await at.event({ triggers });
    await at.clock.advance(60);
    expect(at.sent().map(({ params, tags }) => [(params as { which: unknown }).which, tags])).toEqual([
      ["a", ["red"]],
      ["b", ["blue"]],
    ]);
    expect(new Set(at.sent().map(({ now }) => now)).size).toBe(1);
  });

  test("an event whose category is deleted is skipped with a line in the log, and the others run", async () => {
    const at = await setUp();
    await at.api.createCategory({ id: "gone", title: "Gone", enabled: true });
    await at.event({ id: "a_lost", category: "gone", triggers: [every()] });
    await at.event({ id: "b_fine", triggers: [every()] });
    // An import or an older version may leave this state; the API refuses to delete a category that still has events.
    await at.cradle().transact(({ tx }) => tx.collection(categoryCollection).delete("gone"));
    await at.clock.advance(60);
    expect(at.sent().map(({ event }) => event)).toEqual(["b_fine"]);
    expect(at.log.lines).toContainEqual({
      level: "error",
      message: "The category of a scheduled event does not exist",
      fields: { event: "a_lost", category: "gone" },
    });
  });

  test("every-nth counts per event and not per trigger, and the count is deleted with the event", async () => {
    const at = await setUp();
    const triggers = [every(), every(), { type: "nth", enabled: true, every: 3 }];
    const id = await at.event({ id: "third", triggers });
    await at.clock.advance(240);
    // Minutes 1 and 4, each with both triggers.
    expect(new Set(at.sent().map(({ now }) => now)).size).toBe(2);
    expect(at.sent()).toHaveLength(4);
    for (const { id: job } of at.sent())
      at.server.send("jobs", { [String(job)]: { state: "complete", complete: true, code: 0 } });
    await at.settle();
    await at.api.deleteEvent({ id });
    expect(await at.stateOf(id)).toBeUndefined();
    await at.event({ id: "third", triggers });
    await at.clock.advance(60);
    expect(at.sent()).toHaveLength(6);
  });

  test("a paused scheduler stops schedules, but not lines, delays and retries", async () => {
    const at = await setUp();
    await at.event({ id: "timed", triggers: [every()] });
    const limits = [
      { enabled: true, type: "job", amount: 1 },
      { enabled: true, type: "queue", amount: 5 },
      { enabled: true, type: "retry", amount: 1, duration: 30 },
    ];
    const id = await at.event({ id: "by_hand", limits });
    await at.api.updateGlobalState({ "scheduler.enabled": false } as never);
    const first = await at.api.runEvent({ id });
    const second = await at.api.runEvent({ id });
    await at.settle();
    at.server.send("jobs", { [first.id]: { state: "complete", complete: true, code: 1 } });
    await at.settle();
    expect((await at.api.getJob({ id: second.id })).job.state).toBe("active");
    at.server.send("jobs", { [second.id]: { state: "complete", complete: true, code: 0 } });
    await at.clock.advance(35);
    const attempts = at.sent().filter(({ retry_count: count }) => count === 1);
    expect(attempts).toMatchObject([{ event: "by_hand", retry_prev: first.id }]);
    await at.clock.advance(60);
    expect(at.sent().filter(({ event }) => event === "timed")).toEqual([]);
  });

  test("a replayed job counts its time from its start: limits on time ignore the missed time", async () => {
    const at = await setUp();
    const cursor = Math.floor(at.clock.now() / 60) * 60 - 3600;
    const limits = [{ enabled: true, type: "time", duration: 600, abort: true }];
    const triggers = [
      every({ minutes: [new Date((cursor + 120) * 1000).getUTCMinutes()] }),
      { type: "catchup", enabled: true },
    ];
    await at.event({ triggers, limits, update_state: { cursor } });
    await at.clock.advance(62);
    const [job] = at.sent();
    expect(Number(job?.["now"])).toBeLessThan(at.clock.now() - 3000);
    expect(Number(job?.["started"])).toBeGreaterThan(at.clock.now() - 70);
    at.server.send("jobs", { [String(job?.["id"])]: { progress: 0.5 } });
    await at.clock.advance(5);
    expect((await at.api.getJob({ id: String(job?.["id"]) })).job).toMatchObject({
      state: "active",
      limits: [{ type: "time" }],
    });
    expect((await at.api.getJob({ id: String(job?.["id"]) })).job["limits"]).not.toMatchObject([
      { date: expect.anything() },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import type { Job } from "../model.ts";

const rights = ["run_jobs", "abort_jobs"];
const one = [
  { enabled: true, type: "job", amount: 1 },
  { enabled: true, type: "queue", amount: 10 },
];

async function setUp() {
  const jobs = await startJobs();
  const { storage, signalbox } = jobs;
  const activity = async (action: string) => {
    const rows = await storage.read((tx) => tx.collection(activityCollection).list());
    return rows.filter((row) => row.action === action);
  };
  return { ...jobs, ...signalbox, ...jobRecords(storage), activity };
}

describe("flush_event_queue", () => {
  test("drops queued jobs without a record, an action or a statistic, and leaves running ones", async () => {
    const at = await setUp();
    await at.connect();
    const event = await at.event({ limits: one });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await at.api.runEvent({ id: event })).id);
    await at.settle();
    expect(await at.as(keyWith(rights)).flushEventQueue({ id: event })).toEqual({ count: 2 });
    await at.settle();
    expect((await at.api.getActiveJobs({})).rows.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await at.api.searchJobs({})).list.length).toBe(0);
    expect(await at.activity("queue_flush")).toMatchObject([{ jobs: ids.slice(1), count: 2, event: { id: event } }]);
  });

  test("drops a long line in pieces, and yields to the loop after each", async () => {
    const at = await setUp();
    await at.connect();
    const event = await at.event({ limits: [one[0], { enabled: true, type: "queue", amount: 100 }] });
    for (let count = 0; count < 61; count++) await at.api.runEvent({ id: event });
    await at.settle();
    let turns = 0;
    const count = (): void => {
      turns++;
      watch = setImmediate(count);
    };
    let watch = setImmediate(count);
    expect(await at.api.flushEventQueue({ id: event })).toEqual({ count: 60 });
    clearImmediate(watch);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  test("ends a stream and a wait for a dropped job", async () => {
    const at = await setUp();
    await at.connect();
    const event = await at.event({ limits: one });
    await at.api.runEvent({ id: event });
    await at.settle();
    const waiting = at.signalbox.execute({
      operation: "run_event",
      input: { id: event },
      credentials: {},
      actor: keyWith(["run_jobs"]),
      client: { pathSuffix: "wait" } as never,
    });
    const refusal = refusalOf(waiting);
    await at.settle();
    await at.api.flushEventQueue({ id: event });
    await at.clock.advance(2);
    expect(await refusal).toEqual({ code: "event", description: "Failed to wait for job: The job is gone." });
  });

  test("of an unknown event or another category is refused", async () => {
    const at = await setUp();
    expect(await refusalOf(at.api.flushEventQueue({ id: "none" }))).toEqual({
      code: "event",
      description: "Event not found: none",
    });
    const id = await at.event();
    const stranger = keyWith(rights, { categories: ["other"] });
    expect((await refusalOf(at.as(stranger).flushEventQueue({ id }))).code).toBe("access");
  });
});

describe("job_skip_delay", () => {
  test("starts a delayed job at once", async () => {
    const at = await setUp();
    const server = await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event(), state: "start_delay", until: at.clock.now() + 900 });
    await at.settle();
    expect(launched(server)).toEqual([]);
    await at.as(keyWith(rights)).jobSkipDelay({ id });
    await at.settle();
    expect(launched(server)).toMatchObject([{ job: { id } }]);
    expect(JSON.stringify((await at.api.getJob({ id })).job["activity"])).toContain("The delay was skipped by");
  });

  test.each([
    [{ id: "none" }, "Job not found: none"],
    [{ id: "j1" }, "Job is not in a delay state: j1"],
  ])("%j is refused", async (input, description) => {
    const at = await setUp();
    await at.active("j1");
    expect(await refusalOf(at.api.jobSkipDelay(input))).toEqual({ code: "job", description });
  });
});

describe("job_toggle_notify_me", () => {
  const HIDDEN = {
    ...({ enabled: true, hidden: true, condition: "complete", type: "email" } as const),
    ...{ users: [], email: "ann@example.com" },
  };
  const ann: Actor = { ...keyWith([]), kind: "user", id: "ann", title: "Ann" };

  async function withAnn(job: Partial<Job> = {}) {
    const at = await setUp();
    await at.active("j1", job);
    const { email } = HIDDEN;
    await at.api.userAdminCreate({ username: "ann", full_name: "Ann", email, password: "Sunflower 77 fields" });
    const mails = async () => {
      const { actions = [] } = (await at.api.getJob({ id: "j1" })).job as { actions?: { enabled: unknown }[] };
      return actions;
    };
    return { ...at, mails };
  }

  test("adds a hidden mail to the caller, and removes it again", async () => {
    const at = await withAnn();
    expect(await at.as(ann).jobToggleNotifyMe({ id: "j1" })).toEqual({ enabled: true });
    expect(await at.mails()).toEqual([HIDDEN]);
    expect(await at.as(ann).jobToggleNotifyMe({ id: "j1" })).toEqual({ enabled: false });
    expect(await at.mails()).toEqual([]);
    expect(await at.as(ann).jobToggleNotifyMe({ id: "j1" })).toEqual({ enabled: true });
    expect(await at.mails()).toHaveLength(1);
  });

  test.each<[string, Partial<Job>]>([
    ["one that others follow", { actions: [HIDDEN, { enabled: true, condition: "success", type: "snapshot" }] }],
    ["one of a job that runs its last actions", { state: "complete", actions: [HIDDEN] }],
  ])("disables %s, whose place has to stay", async (_case, members) => {
    const at = await withAnn(members);
    expect(await at.as(ann).jobToggleNotifyMe({ id: "j1" })).toEqual({ enabled: false });
    expect(await at.mails()).toEqual(members.actions?.with(0, { ...HIDDEN, enabled: false }));
    expect(await at.as(ann).jobToggleNotifyMe({ id: "j1" })).toEqual({ enabled: true });
    expect(await at.mails()).toEqual(members.actions);
  });

  test("needs an account with an address, and a running job", async () => {
    const at = await withAnn();
    const refused = { code: "job", description: "User has no email address set." };
    expect(await refusalOf(at.as(keyWith([])).jobToggleNotifyMe({ id: "j1" }))).toEqual(refused);
    expect(await refusalOf(at.as(ann).jobToggleNotifyMe({ id: "j9" }))).toEqual({
      code: "job",
      description: "Job not found: j9",
    });
  });
});

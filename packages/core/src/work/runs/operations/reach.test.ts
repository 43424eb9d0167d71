import { expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { type JobsOptions, launched, startJobs } from "../../../testing/test-jobs.ts";

const limited = keyWith(["run_jobs", "edit_events", "create_events", "abort_jobs"], { groups: ["mine"] });
const durable = (): Storage => ({ ...memoryStorage(), close: async () => undefined });

/** Two servers: one in a group that the key may use, the other in another group. */
async function setUp(options: JobsOptions = {}) {
  const at = await startJobs(options);
  for (const id of ["mine", "foreign"]) await at.signalbox.api.createGroup({ id, title: id, hostname_match: "^none$" });
  const mine = () => at.connect({ id: "s1", hostname: "a.example.internal", initial: { groups: ["mine"] } });
  const foreign = () => at.connect({ id: "s2", hostname: "b.example.internal", initial: { groups: ["foreign"] } });
  return { ...at, mine, foreign, api: at.signalbox.api, own: at.signalbox.as(limited) };
}
const bothGroups = { targets: ["foreign", "mine"], algo: "prefer_first_natural" };
const denied = (targets: string) => ({
  code: "access",
  description: `You do not have the required account privileges to access targets: ${targets}.`,
});

test("a launch by a limited key is placed only on servers within its reach", async () => {
  const at = await setUp();
  const [mine, foreign] = [await at.mine(), await at.foreign()];
  const id = await at.event(bothGroups);
  await at.own.runEvent({ id });
  await at.own.runEvent({ id, targets: ["s2", "mine"] });
  await at.own.runEvent({ id, params: { _xy_override_targets: "foreign,mine" } });
  await at.settle();
  expect([launched(mine).length, launched(foreign).length]).toEqual([3, 0]);
  await at.api.runEvent({ id });
  await at.settle();
  expect(launched(foreign)).toHaveLength(1);
  await at.signalbox.stop();
});

test("without a server within reach there is no target, though others are online", async () => {
  const at = await setUp();
  const foreign = await at.foreign();
  const id = await at.event(bothGroups);
  const { id: job } = await at.own.runEvent({ id });
  await at.settle(2);
  expect(launched(foreign)).toEqual([]);
  expect((await at.api.getJob({ id: job })).job).toMatchObject({ code: "abort" });
  await at.signalbox.stop();
});

test("the reach outlives the queue and a restart", async () => {
  const storage = durable();
  const first = await setUp({ storage });
  const limits = [
    { type: "job", enabled: true, amount: 1 },
    { type: "queue", enabled: true, amount: 5 },
  ];
  const id = await first.event({ ...bothGroups, limits });
  await first.own.runEvent({ id });
  await first.settle();
  await first.signalbox.stop();
  const second = await startJobs({ storage });
  const foreign = await second.connect({ id: "s2", hostname: "b", initial: { groups: ["foreign"] } });
  await second.settle(65);
  expect(launched(foreign)).toEqual([]);
  const mine = await second.connect({ id: "s1", hostname: "a", initial: { groups: ["mine"] } });
  await second.settle(65);
  expect([launched(mine).length, launched(foreign).length]).toEqual([1, 0]);
  await second.signalbox.stop();
});

test("a retry has the reach of the first attempt", async () => {
  const at = await setUp();
  const mine = await at.mine();
  const id = await at.event({ ...bothGroups, limits: [{ type: "retry", enabled: true, amount: 1, duration: 5 }] });
  await at.own.runEvent({ id });
  await at.settle();
  const foreign = await at.foreign();
  const [run] = launched(mine);
  mine.send("jobs", { [String(run?.job["id"])]: { state: "complete", code: 1, description: "no" } });
  await at.settle(10);
  expect([launched(mine).length, launched(foreign).length]).toEqual([2, 0]);
  await at.signalbox.stop();
});

test("an event that a job launches is limited to the reach of its caller", async () => {
  const at = await setUp();
  const [mine, foreign] = [await at.mine(), await at.foreign()];
  const next = await at.event({ ...bothGroups, title: "Next" });
  const actions = [{ type: "run_event", condition: "start", enabled: true, event_id: next }];
  const id = await at.event({ targets: ["mine"], actions });
  await at.own.runEvent({ id });
  await at.settle(1);
  expect([launched(mine).length, launched(foreign).length]).toEqual([2, 0]);
  await at.signalbox.stop();
});

test("an event of a category out of the caller's reach is not launched by an action of the job", async () => {
  const at = await setUp();
  const mine = await at.mine();
  await at.api.createCategory({ id: "secret", title: "Secret", enabled: true });
  const next = await at.event({ targets: ["mine"], category: "secret" });
  const actions = [{ type: "run_event", condition: "start", enabled: true, event_id: next }];
  const id = await at.event({ targets: ["mine"], actions });
  const key = keyWith(["run_jobs"], { categories: ["general"] });
  const { id: job } = await at.signalbox.as(key).runEvent({ id });
  await at.settle(1);
  expect(launched(mine)).toHaveLength(1);
  const record = (await at.api.getJob({ id: job })).job as unknown as { actions: object[] };
  expect(record.actions).toMatchObject([
    { code: "event", description: `Event is in a category that the caller who launched the job may not use: ${next}` },
  ]);
  await at.api.runEvent({ id });
  await at.settle(1);
  expect(launched(mine)).toHaveLength(3);
  await at.signalbox.stop();
});

test("scheduled runs are limited only by the event", async () => {
  const at = await setUp();
  const foreign = await at.foreign();
  await at.event({ ...bothGroups, triggers: [{ type: "schedule", enabled: true }] });
  await at.settle(61);
  expect(launched(foreign)).toHaveLength(1);
  await at.signalbox.stop();
});

test("a writer keeps stored foreign targets and adds only targets within reach", async () => {
  const at = await setUp();
  await at.mine();
  await at.foreign();
  const id = await at.event({ targets: ["foreign", "mine"] });
  await at.own.updateEvent({ id, title: "Renamed", targets: ["mine", "foreign", "s1"] });
  expect(await refusalOf(at.own.updateEvent({ id, targets: ["mine", "s2"] }))).toEqual(denied("s2"));
  expect(await refusalOf(at.own.updateEvent({ id, targets: ["mine", "nowhere"] }))).toEqual(denied("nowhere"));
  await at.own.updateEvent({ id, targets: ["mine"] });
  expect(await refusalOf(at.own.updateEvent({ id, targets: ["mine", "foreign"] }))).toEqual(denied("foreign"));
  expect((await at.api.getEvent({ id })).event.targets).toEqual(["mine"]);
  await at.signalbox.stop();
});

test("a new event has no target out of its writer's reach, also not in its parameters and triggers", async () => {
  const at = await setUp();
  const draft = {
    title: "E",
    enabled: true,
    category: "general",
    plugin: "testplug",
    algo: "random",
    params: {},
  };
  const targets = ["mine"];
  expect(await refusalOf(at.own.createEvent({ ...draft, targets: ["mine", "foreign"] }))).toEqual(denied("foreign"));
  const triggers = [{ type: "schedule", enabled: true, params: { _xy_override_targets: ["foreign"] } }];
  expect(await refusalOf(at.own.createEvent({ ...draft, targets, triggers } as never))).toEqual(denied("foreign"));
  const params = { ...draft.params, _xy_override_targets: "mine, foreign" };
  expect(await refusalOf(at.own.createEvent({ ...draft, targets, params }))).toEqual(denied("foreign"));
  expect((await at.own.createEvent({ ...draft, targets })).event.targets).toEqual(targets);
  await at.signalbox.stop();
});

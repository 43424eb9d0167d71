import { expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { launched, startJobs } from "../../testing/test-jobs.ts";

const LACKING = { features: { "docker-plugin": false, "hook-plugin": false } };
const CONTAINER = { plugin: "dockerplug", params: { image_name: "nginx", run_mode: "command" } };
const EVENT = { title: "T", enabled: true, category: "general", targets: ["main"], algo: "prefer_first" };
const TRIGGERS = [{ type: "manual", enabled: true }];

async function setUp() {
  const jobs = await startJobs();
  const without = await jobs.connect({ id: "here", hostname: "a-here", info: LACKING });
  return {
    ...jobs,
    ...jobs.signalbox,
    without,
    connectSatellite: () => jobs.connect({ id: "far", hostname: "z-far", info: { features: { dockerStats: true } } }),
    save: (members: object) => jobs.signalbox.api.createEvent({ ...EVENT, triggers: TRIGGERS, ...members } as never),
  };
}

test("an event for servers without its built-in plugin is saved with a warning that names them", async () => {
  const at = await setUp();
  const { event, warnings } = await at.save(CONTAINER);
  expect(warnings).toEqual([
    "Targets: Docker Container does not run on a-here: [docker-plugin] is missing there. No server that is connected now can run it.",
  ]);
  await at.connectSatellite();
  expect(await at.api.updateEvent({ id: event.id, notes: "x" })).toMatchObject({
    warnings: ["Targets: Docker Container does not run on a-here: [docker-plugin] is missing there."],
  });
  expect(await at.api.updateEvent({ id: event.id, targets: ["far"] })).not.toHaveProperty("warnings");
  expect(await at.save({ plugin: "shellplug", params: { script: "true" } })).not.toHaveProperty("warnings");
});

test("jobs go to the targets that have the plugin", async () => {
  const at = await setUp();
  const far = await at.connectSatellite();
  const { event } = await at.save(CONTAINER);
  for (let run = 0; run < 3; run++) await at.api.runEvent({ id: event.id });
  await at.settle(1);
  expect([launched(at.without).length, launched(far).length]).toEqual([0, 3]);
});

test("a job that no target can run says why", async () => {
  const at = await setUp();
  const { event } = await at.save(CONTAINER);
  const ended = at.next("job.completed");
  const { id } = await at.api.runEvent({ id: event.id });
  await at.settle(1);
  await ended;
  const { job } = await at.api.getJob({ id });
  expect(launched(at.without)).toEqual([]);
  expect(job["code"]).not.toBe(0);
  expect(JSON.stringify(job["activity"])).toContain("None of the targets has [docker-plugin]");
});

const LOCKED = "Event Plugin: Parameter 'script' is locked: only administrators may choose its value.";

test("a missing locked parameter is reported as locked, not as missing", async () => {
  const at = await setUp();
  const editor = at.as(keyWith(["create_events", "edit_events", "run_jobs"]));
  for (const params of [{ script: "true" }, {}])
    expect(
      await refusalOf(editor.createEvent({ ...EVENT, plugin: "shellplug", params, triggers: TRIGGERS } as never)),
    ).toEqual({ code: "api", description: LOCKED });
  const { event } = await at.save({ plugin: "testplug", params: { duration: 1 } });
  expect(await refusalOf(editor.updateEvent({ id: event.id, plugin: "shellplug", params: { script: "x" } }))).toEqual({
    code: "api",
    description: LOCKED,
  });
  expect(
    await refusalOf(editor.runEvent({ id: event.id, plugin: "shellplug", params: { script: "x" } } as never)),
  ).toEqual({ code: "api", description: LOCKED });
});

test("an ignored value for a locked parameter gives a warning", async () => {
  const at = await setUp();
  const editor = at.as(keyWith(["edit_events"]));
  const { event } = await at.save({ plugin: "shellplug", params: { script: "mine" } });
  const answer = await editor.updateEvent({ id: event.id, params: { script: "yours" } });
  expect(answer.event.params).toEqual({ script: "mine" });
  expect(answer.warnings).toEqual(["Event Plugin: Parameter 'script' is locked: the value that was sent is not used."]);
  expect(await editor.updateEvent({ id: event.id, params: { script: "mine" } })).not.toHaveProperty("warnings");
});

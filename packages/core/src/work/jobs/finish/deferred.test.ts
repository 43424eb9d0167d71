import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith } from "../../../../test/engine.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { serverCollection } from "../../../fleet/servers/collection.ts";
import type { OperationHook } from "../../../kernel/plugins/hooks.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "../../events/collection.ts";

type Members = Record<string, unknown>;
const onEnd = { enabled: true, condition: "complete" };

async function setUp(event: Members = {}, hooks: readonly OperationHook[] = []) {
  const probe = cradleProbe();
  const plugins = [probe.plugin as never, definePlugin({ id: "acme.guard", hooks }) as never];
  const jobs = await startJobs({ plugins });
  const cradle = probe.cradle();
  const server = await jobs.connect();
  const id = await jobs.event(event);
  const { api } = jobs.signalbox;
  return {
    ...jobs,
    api,
    cradle,
    server,
    event: id,
    async runAndEnd(update: Members = {}, caller = api) {
      const { id: job } = await caller.runEvent({ id });
      await jobs.settle();
      server.send("jobs", { [job]: { state: "complete", complete: true, code: 0, ...update } });
      await jobs.settle();
      return (await api.getJob({ id: job })).job;
    },
    userData: async () => (await cradle.snapshot((tx) => tx.collection(serverCollection).get("s1")))?.userData,
    warnings: (job: Members) =>
      (job["activity"] as { msg: string }[]).map(({ msg }) => msg).filter((msg) => msg.startsWith("WARNING")),
  };
}

describe("update_event sent by a job", () => {
  test("changes the event like a call, once the job is final", async () => {
    const at = await setUp();
    const job = await at.runAndEnd({ update_event: { notes: "changed", enabled: false } });
    const { event } = await at.api.getEvent({ id: at.event });
    expect(event).toMatchObject({ notes: "changed", enabled: false, revision: 2 });
    expect(job).not.toHaveProperty("update_event");
    expect(at.warnings(job)).toEqual([]);
  });

  test("does not change the event's id, type, author and dates", async () => {
    const at = await setUp();
    const before = (await at.api.getEvent({ id: at.event })).event;
    await at.runAndEnd({
      update_event: {
        id: "other",
        type: "workflow",
        username: "x",
        created: 1,
        workflow: {},
        command: "rm",
        notes: "n",
      },
    });
    const { event } = await at.api.getEvent({ id: at.event });
    expect(event).toMatchObject({
      id: before.id,
      username: before["username"],
      created: before["created"],
      notes: "n",
    });
    for (const member of ["type", "workflow", "command"]) expect(event[member]).toBe(before[member]);
  });

  test.each<[string, unknown]>([
    ["an unknown category", { category: "nope" }],
    ["an unknown plugin", { plugin: "nope" }],
    ["an unknown tag", { tags: ["nope"] }],
    ["a malformed limit", { limits: [{ enabled: true, type: "job" }] }],
    ["a malformed trigger", { triggers: "x" }],
    ["a malformed expression", { expression: "((" }],
    ["a step", { revision: "+1", created: "+5" }],
    ["no title", { title: "<b>" }],
    ["a malformed expectation", { expect: { success_every: 1 } }],
    ["an unknown expectation", { expect: { constructor: 1 } }],
    ["a record that is too large", { notes: "x".repeat(1_100_000) }],
  ])("%s is ignored with a warning, and the job ends", async (_name, change) => {
    const at = await setUp();
    const before = (await at.api.getEvent({ id: at.event })).event;
    const job = await at.runAndEnd({ update_event: change });
    expect(job).toMatchObject({ final: true, code: 0 });
    expect(at.warnings(job)).toEqual([expect.stringMatching(/^WARNING: Ignoring malformed update of the event/)]);
    expect((await at.api.getEvent({ id: at.event })).event).toEqual(before);
  });

  test.each<[string, Members]>([
    ["another category", { category: "theirs" }],
    ["servers of another group", { targets: ["main", "db"] }],
    ["an action on an event of another category", { actions: [{ ...onEnd, type: "run_event", event_id: "foreign" }] }],
  ])("%s is refused for a job that a limited caller launched", async (_name, change) => {
    const at = await setUp();
    await at.api.createCategory({ id: "theirs", title: "Theirs" });
    await at.api.createGroup({ id: "db", title: "DB", hostname_match: "^db" });
    const { event } = await at.api.getEvent({ id: at.event });
    await at.api.createEvent({ ...event, id: "foreign", category: "theirs" } as never);
    const limited = at.signalbox.as(keyWith(["run_jobs"], { categories: ["general"], groups: ["main"] }));
    const job = await at.runAndEnd({ update_event: { ...change, notes: "n" } }, limited);
    expect(at.warnings(job)).toEqual([expect.stringMatching(/^WARNING: Ignoring .*: You do not have the required/)]);
    expect((await at.api.getEvent({ id: at.event })).event).toMatchObject({ category: "general", targets: ["main"] });
    await at.runAndEnd({ update_event: { notes: "within" } }, limited);
    await at.runAndEnd({ update_event: change });
    expect((await at.api.getEvent({ id: at.event })).event).toMatchObject({ ...change, notes: "within" });
  });

  test("keeps locked parameters of the plugin", async () => {
    const at = await setUp();
    const params = [
      { id: "mode", type: "text", title: "Mode", value: "safe", locked: true },
      { id: "word", type: "text", title: "Word", value: "" },
    ];
    await at.api.createPlugin({ id: "plg", title: "P", type: "event", command: "/bin/sh", params } as never);
    await at.api.updateEvent({ id: at.event, plugin: "plg", params: { word: "a" } });
    await at.runAndEnd({ update_event: { params: { mode: "unsafe", word: "b" } } });
    expect((await at.api.getEvent({ id: at.event })).event.params).toEqual({ mode: "safe", word: "b" });
  });

  test.each(["text", ["a"], 5, null])("%o is no change", async (change) => {
    const at = await setUp();
    const before = (await at.api.getEvent({ id: at.event })).event;
    expect(await at.runAndEnd({ update_event: change })).toMatchObject({ final: true });
    expect((await at.api.getEvent({ id: at.event })).event).toEqual(before);
  });
});

const DELETES = { actions: [{ enabled: true, condition: "complete", type: "delete" }] };

describe("hooks around commands that a job causes", () => {
  test("run around the deletion of an event by its job", async () => {
    const seen: unknown[] = [];
    const at = await setUp(DELETES, [
      {
        operation: "delete_event",
        before: (input, { actor }, name) => void seen.push([name, input, actor.kind]),
        after: (output) => void seen.push(output),
      },
    ]);
    await at.runAndEnd();
    expect(seen).toEqual([["delete_event", { id: at.event }, "system"], {}]);
  });

  test.each<[string, Members, Members, string]>([
    ["delete_event", DELETES, {}, "WARNING: The event was not deleted: keep it"],
    ["update_event", {}, { update_event: { notes: "changed" } }, "WARNING: The event was not changed: keep it"],
  ])("may forbid %s: the event stays, the job ends and says why", async (operation, event, update, warning) => {
    const before = (): never => {
      throw new Error("keep it");
    };
    const at = await setUp(event, [{ operation, before }]);
    const { event: kept } = await at.api.getEvent({ id: at.event });
    const job = await at.runAndEnd(update);
    expect(job).toMatchObject({ final: true, code: 0 });
    expect(at.warnings(job)).toEqual([warning]);
    expect((await at.api.getEvent({ id: at.event })).event).toEqual(kept);
  });

  test("may change the stored members, within the command's own schema", async () => {
    const before = (input: Members): Members => ({ ...input, notes: "by the hook" });
    const at = await setUp({}, [{ operation: "update_event", before }]);
    await at.runAndEnd({ update_event: { notes: "by the job" } });
    expect((await at.api.getEvent({ id: at.event })).event).toMatchObject({ notes: "by the hook" });
  });

  test("cannot undo a finished command, or prevent the job from ending", async () => {
    const after = (): never => {
      throw new Error("too late");
    };
    const at = await setUp(DELETES, [{ operation: "delete_event", after }]);
    expect(await at.runAndEnd()).toMatchObject({ final: true });
    await expect(at.api.getEvent({ id: at.event })).rejects.toThrow("Failed to locate event");
  });
});

describe("data for the server sent by a job", () => {
  test("is merged into its user data, which the next job gets", async () => {
    const at = await setUp();
    await at.runAndEnd({ serverData: { a: 1, b: { c: 1 } } });
    await at.runAndEnd({ serverData: { b: 2, __proto__: { polluted: 1 } } });
    expect(await at.userData()).toEqual({ a: 1, b: 2 });
    expect((await at.api.getActiveServer({ id: "s1" })).server.userData).toEqual({ a: 1, b: 2 });
    await at.api.runEvent({ id: at.event });
    await at.settle();
    expect(launched(at.server).at(-1)?.details).toMatchObject({ serverData: { a: 1, b: 2 } });
  });

  test("is left out with a warning when it is too large", async () => {
    const at = await setUp();
    const job = await at.runAndEnd({ serverData: { a: "x".repeat(300_000) } });
    expect(at.warnings(job)).toEqual(["WARNING: Ignoring data for the server: it is too large"]);
    expect(await at.userData()).toBeUndefined();
  });

  test.each(["text", [1], 5])("%o is none", async (serverData) => {
    const at = await setUp();
    expect(at.warnings(await at.runAndEnd({ serverData }))).toEqual([]);
    expect(await at.userData()).toBeUndefined();
  });
});

describe("the job history of an event", () => {
  const history = (at: Awaited<ReturnType<typeof setUp>>) =>
    at.cradle.snapshot((tx) => tx.collection(eventHistoryCollection).get(at.event));

  test("keeps the last result and the sums", async () => {
    const at = await setUp();
    await at.runAndEnd();
    const job = await at.runAndEnd({ code: "Warning" });
    expect(await history(at)).toMatchObject({ last_job: job["id"], last_code: "warning", total_count: 2 });
  });

  test("is deleted with the event when its last job deletes it", async () => {
    const at = await setUp({ actions: [{ enabled: true, condition: "complete", type: "delete" }] });
    await at.runAndEnd();
    expect(await history(at)).toBeUndefined();
  });
});

test.each<[string, Members[], (at: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
  ["its last job", [{ enabled: true, condition: "complete", type: "delete" }], (at) => at.runAndEnd()],
  ["a call", [], (at) => at.runAndEnd().then(() => at.api.deleteEvent({ id: at.event }))],
])("an event that %s deletes leaves one row in the log, and is reported once", async (_name, actions, remove) => {
  const at = await setUp({ actions });
  await at.api.updateEvent({ id: at.event, update_state: { cursor: 60, total_count: 7 } });
  const told: string[] = [];
  at.cradle.events.on("event.deleted", ({ id }) => void told.push(id));
  await remove(at);
  expect(told).toEqual([at.event]);
  const left = await at.cradle.snapshot(async (tx) => [
    await tx.collection(eventCollection).get(at.event),
    await tx.collection(eventStateCollection).get(at.event),
    await tx.collection(eventHistoryCollection).get(at.event),
    ...(await tx.collection(activityCollection).list()).filter(({ action }) => action === "event_delete"),
  ]);
  expect(left).toMatchObject([undefined, undefined, undefined, { event: { id: at.event } }]);
});

import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { type Members, setUp } from "../../../../test/work/run-setup.ts";
import { localClient } from "../../../kernel/calls/context.ts";
import { launched } from "../../../testing/test-jobs.ts";

describe("members of a run", () => {
  test("may describe the job", async () => {
    const at = await setUp();
    const { job } = await at.run({
      id: await at.event(),
      label: "<b>L</b>",
      notes: "N",
      icon: "star",
      limits: [{ enabled: true, type: "time", duration: 60 }],
      tickets: ["t1"],
      custom: { a: 1 },
    });
    expect(job).toMatchObject({ label: "L", notes: "N", icon: "star", tickets: ["t1"], custom: { a: 1 } });
    expect(job["limits"]).toMatchObject([{ type: "time", duration: 60 }]);
  });

  const hostile: Members = {
    ...{ event: "other", server: "s9", groups: ["x"], source: "scheduler", username: "root", started: 1, completed: 1 },
    ...{
      elapsed: 1,
      code: 0,
      complete: true,
      final: true,
      remote: true,
      retried: true,
      retry_count: 9,
      retry_prev: "j",
    },
    ...{ jobs: [{ id: "j" }], activity: [], suspended: true, position: 5, state: "complete", until: 1, now: 1 },
    ...{ command: "rm", script: "rm", uid: 0, gid: 0, cwd: "/", env: { A: "1" }, kill: "none", runner: true },
    ...{ type: "workflow", category: "other", parent: { job: "j" }, progress: 1, output: "forged", data: { a: 1 } },
    ...{ update_event: { enabled: false }, delete_event: true, clear_alert: "i1", serverData: { a: 1 } },
    ...{ workflow: { job: "j1", node: "n1" }, late: true, splugin: "x", reconnected: 1 },
    ...{ log_file_size: 99, log_uploaded: true, event_title: "forged", table: {}, html: {}, perf: "x", pid: 1 },
  };

  test("are ignored where the engine owns them or they would start a process", async () => {
    const at = await setUp();
    const id = await at.event();
    const plain = await at.run({ id });
    const { job, details } = await at.run({ id, ...hostile });
    const own = new Set(["id", "started", "now", "updated"]);
    const differing = Object.keys({ ...plain.job, ...job }).filter(
      (member) => !own.has(member) && JSON.stringify(plain.job[member]) !== JSON.stringify(job[member]),
    );
    expect(differing).toEqual([]);
    expect(job["started"]).toBeGreaterThan(1);
    expect(Object.keys(details)).toEqual(Object.keys(plain.details));
  });

  test("do not let a caller delete an event that it may only run", async () => {
    const at = await setUp();
    const event = await at.event();
    const server = await at.connect({ id: "s2", hostname: "web02.example.internal" });
    const { id } = await at
      .as(keyWith(["run_jobs"]))
      .runEvent({ id: event, delete_event: true, targets: ["s2"] } as never);
    await at.settle();
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await at.settle();
    expect((await at.api.getJob({ id })).job["final"]).toBe(true);
    expect((await at.api.getEvent({ id: event })).event.enabled).toBe(true);
  });

  test("lose all credentials, wherever they stood", async () => {
    const at = await setUp();
    const { job } = await at.run({
      id: await at.event(),
      ...{ api_key: "hunter2", session_id: "hunter2", csrf_token: "hunter2", cachebust: "1", pretty: "1" },
      json: '{"api_key":"hunter2"}',
    });
    expect(JSON.stringify(job)).not.toContain("hunter2");
    expect(job).not.toHaveProperty("cachebust");
  });
});

describe("running an event", () => {
  const CATEGORY = "You do not have the required account privileges to access category ID general.";
  const TARGETS = "You do not have the required account privileges to access targets: ";
  test.each<[string, Parameters<typeof keyWith>, Members, string | undefined]>([
    ["may run jobs", [["run_jobs"]], {}, undefined],
    [
      "has all rights but this",
      [["edit_events"]],
      {},
      "You do not have the 'Run Jobs' privilege required to perform this action.",
    ],
    ["is in its category", [["run_jobs"], { categories: ["general"] }], {}, undefined],
    ["is in another category", [["run_jobs"], { categories: ["other"] }], {}, CATEGORY],
    ["is in its group", [["run_jobs"], { groups: ["main"] }], {}, undefined],
    ["is in another group", [["run_jobs"], { groups: ["web"] }], {}, `${TARGETS}main.`],
    [
      "has a server of its group for a target, but not the group",
      [["run_jobs"], { groups: ["main"] }],
      { targets: ["s1"] },
      `${TARGETS}s1.`,
    ],
    ["names targets of its own", [["run_jobs"], { groups: ["web"] }], { targets: ["web"] }, `${TARGETS}main.`],
    ["names targets of others", [["run_jobs"], { groups: ["main"] }], { targets: ["web"] }, `${TARGETS}web.`],
    [
      "hides targets of others in a parameter",
      [["run_jobs"], { groups: ["main"] }],
      { params: { _xy_override_targets: ["web"] } },
      `${TARGETS}web.`,
    ],
  ])("a caller who %s", async (_who, [privileges, limits], input, description) => {
    const at = await setUp();
    const id = await at.event({ plugin: "_function" });
    const call = at.as(keyWith(privileges, limits)).runEvent({ id, ...input });
    if (description === undefined) expect((await call).id).toMatch(/^j[a-z0-9]{15}$/);
    else expect(await refusalOf(call)).toEqual({ code: "access", description });
    expect((await at.api.getActiveJobs()).list.length).toBe(description === undefined ? 1 : 0);
  });
});

describe("a run that is refused", () => {
  test.each<[Members, string, string]>([
    [{ id: "__proto__" }, "api", "Invalid ID parameter: __proto__ (reserved word)"],
    [{ id: "../x" }, "api", "Malformed parameter: id"],
    [{ id: 5 }, "api", "Invalid ID parameter: 5 (not a string)"],
    [{ id: "e".repeat(65) }, "api", "Malformed parameter: id"],
    [{ title: "x<y" }, "api", "Malformed title parameter: Cannot contain HTML metacharacters"],
    [{ title: ["Backup"] }, "api", "Parameter is not type string: title"],
    [{ id: "backup", constructor: 1 }, "api", "Invalid parameter: constructor (illegal key)"],
    [{ id: "backup", json: "[" }, "api", "Failed to parse JSON: Unexpected end of JSON input"],
    [{ id: "backup", json: { a: 1 } }, "api", "Parameter is not type string: json"],
    [{ id: "backup", json: '{"id":5}' }, "api", "Invalid ID parameter: 5 (not a string)"],
    [{ id: "backup", input: "x" }, "api", "Malformed event parameter: input (must be object)"],
    [{ id: "backup", actions: {} }, "api", "Malformed event parameter: actions (must be array)"],
    [
      { id: "backup", actions: [{ enabled: true, condition: "success", type: "nonsense" }] },
      "api",
      "Malformed action entry #1: Unknown type",
    ],
    [{ id: "backup", limits: [5] }, "api", "Malformed limit entry #1 (not an object)"],
    [{ id: "backup", plugin: "nope" }, "api", "Plugin not found: nope"],
    [{ id: "backup", expression: "1 +" }, "api", expect.stringMatching(/^Failed to compile target expression/)],
    [{ id: "backup", targets: [] }, "api", "Event has no targets specified."],
    [{ id: "idle" }, "event", "Failed to launch job: Category is disabled: Idle"],
    [{ id: "off" }, "event", "Event is disabled: off"],
    [{ title: "Off" }, "event", "Event is disabled: Off"],
  ])("%j leaves no job", async (input, code, description) => {
    const at = await setUp();
    await at.api.createCategory({ id: "idle", title: "Idle", enabled: false });
    await at.event({ id: "backup" });
    await at.event({ id: "idle", title: "Idle one", category: "idle" });
    await at.event({ id: "off", title: "Off", enabled: false });
    expect(await refusalOf(at.api.runEvent(input as never))).toEqual({ code, description });
    expect((await at.api.getActiveJobs()).rows).toEqual([]);
  });

  test("over the cap of the minute is reported with the number", async () => {
    const at = await setUp({ max_jobs_per_min: 1 });
    const id = await at.event();
    await at.api.runEvent({ id });
    expect(await refusalOf(at.api.runEvent({ id }))).toEqual({
      code: "event",
      description: "Failed to launch job: Global jobs per minute limit has been reached (1/min)",
    });
  });
});

describe("waiting for the end", () => {
  const client = { ...localClient, pathSuffix: "wait" };
  const waitFor = (at: Awaited<ReturnType<typeof setUp>>, id: string, signal?: AbortSignal) =>
    at.execute({
      operation: "run_event",
      input: { id },
      client,
      actor: keyWith(["run_jobs"]),
      ...(signal ? { signal } : {}),
    }) as Promise<{ job: Members }>;

  test("answers the final record of the job, as soon as it is final", async () => {
    const at = await setUp();
    const answer = waitFor(at, await at.event());
    await at.settle();
    const id = String(launched(at.server).at(-1)?.job["id"]);
    at.server.send("jobs", { [id]: { xy: 1, state: "complete", code: 0, description: "Well done" } });
    await at.settle();
    const { job, ...others } = await answer;
    expect(job).toMatchObject({ id, state: "complete", final: true, code: 0, description: "Well done" });
    expect(others).toEqual({});
    expect(await at.api.getJob({ id })).toMatchObject({ job: { final: true } });
  });

  test("also answers the final record of a job that is not stored", async () => {
    const at = await setUp();
    const answer = waitFor(at, await at.event({ ephemeral: true }));
    await at.settle();
    const id = String(launched(at.server).at(-1)?.job["id"]);
    at.server.send("jobs", { [id]: { xy: 1, state: "complete", code: 0 } });
    await at.settle();
    expect((await answer).job).toMatchObject({ id, final: true, code: 0 });
  });

  test("ends when the caller leaves, and leaves the job alone", async () => {
    const at = await setUp();
    const caller = new AbortController();
    const refusal = refusalOf(waitFor(at, await at.event(), caller.signal));
    await at.settle();
    caller.abort();
    expect(await refusal).toEqual({ code: "event", description: "Failed to wait for job: The caller has left." });
    const { rows } = await at.api.getActiveJobs();
    expect(rows).toHaveLength(1);
  });

  test("ends when the engine stops", async () => {
    const at = await setUp();
    const refusal = refusalOf(waitFor(at, await at.event()));
    await at.settle();
    await Promise.all([at.stop(), at.settle(60)]);
    expect(await refusal).toEqual({ code: "event", description: "Failed to wait for job: The engine is stopping." });
  });

  test("a refused launch answers at once", async () => {
    const at = await setUp();
    expect(await refusalOf(waitFor(at, await at.event({ enabled: false })))).toMatchObject({
      code: "event",
      description: expect.stringMatching(/^Event is disabled/),
    });
  });
});

test("a test run needs the privilege, and counts against the cap of the minute", async () => {
  const at = await setUp({ max_jobs_per_min: 1 });
  const id = await at.event({ enabled: false, triggers: [] });
  expect((await refusalOf(at.as(keyWith(["edit_events"])).runEvent({ id, test: true }))).code).toBe("access");
  await at.api.runEvent({ id, test: true });
  expect((await refusalOf(at.api.runEvent({ id, test: true }))).description).toBe(
    "Failed to launch job: Global jobs per minute limit has been reached (1/min)",
  );
});

test("a test run starts a disabled event and plugin, but nothing of a disabled category", async () => {
  const at = await setUp();
  const id = await at.event({ enabled: false });
  await at.api.updatePlugin({ id: "shellplug", enabled: false });
  expect((await at.run({ id, test: true })).job).toMatchObject({ event: id, test: true });
  await at.api.updateCategory({ id: "general", enabled: false });
  expect((await refusalOf(at.api.runEvent({ id, test: true }))).description).toMatch(
    /^Failed to launch job: Category is disabled: /,
  );
});

test("a paused scheduler does not affect runs by hand and their delays", async () => {
  const at = await setUp();
  await at.api.updateGlobalState({ "scheduler.enabled": false } as never);
  const until = at.clock.now() + 90;
  const { id } = await at.api.runEvent({ id: await at.event(), state: "start_delay", until } as never);
  expect((await at.api.getJob({ id })).job).toMatchObject({ state: "start_delay", until });
  await at.clock.advance(92);
  expect((await at.api.getJob({ id })).job.state).toBe("active");
});

test.each<[Members, string]>([
  [{ tags: {} }, "Malformed event parameter: tags (must be array)"],
  [{ tags: ["flag", 5] }, "Malformed tag: 5"],
  [{ tags: ["a b"] }, "Malformed tag: a b"],
  [{ tags: ["nope"] }, "Unknown tag: nope"],
  [{ targets: 5 }, "Malformed event parameter: targets (must be array)"],
  [{ targets: [["s1"]] }, 'Malformed target: ["s1"]'],
])("%j is refused with the messages for events", async (members, description) => {
  const at = await setUp();
  const id = await at.event();
  const refusal = { code: "api", description };
  expect(await refusalOf(at.api.runEvent({ id, ...members } as never))).toEqual(refusal);
  expect(await refusalOf(at.api.runEvent({ id, json: JSON.stringify(members) }))).toEqual(refusal);
});

test("the first of several events with one title is run", async () => {
  const at = await setUp();
  await at.event({ id: "a", title: "Twice" });
  await at.event({ id: "b", title: "Twice" });
  expect((await at.run({ title: "Twice" })).job["event"]).toBe("a");
});

test("names that lead into the prototype of objects are dropped", async () => {
  const at = await setUp();
  const { job } = await at.run({ id: await at.event(), "params/__proto__/polluted": "1", "params/ok": "2" });
  expect(job["params"]).toEqual({ script: "echo hello", ok: "2" });
  expect(({} as Members)["polluted"]).toBeUndefined();
});

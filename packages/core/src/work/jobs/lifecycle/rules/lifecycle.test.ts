import { describe, expect, test } from "vitest";
import { facts, INPUTS, kinds, limited, NOW, record } from "../../../../../test/work/jobs/lifecycle-records.ts";
import type { ActiveJob, Job, JobState } from "../../model.ts";
import { JOB_STATES } from "../../model.ts";
import { advance } from "./lifecycle.ts";
import type { Input, StartChoice, StartFacts } from "./transition.ts";

/** The state after each input; "-" = the record is unchanged. */
const TABLE: Readonly<Record<JobState, Readonly<Record<string, string>>>> = {
  start_delay: { due: "ready", abort: "complete", orphan: "complete", restarted: "start_delay" },
  retry_delay: { due: "ready", abort: "complete", orphan: "complete", restarted: "retry_delay" },
  ready: { check: "starting", abort: "complete", orphan: "complete", restarted: "ready" },
  queued: { slot: "ready", abort: "complete", orphan: "complete", restarted: "queued" },
  starting: { started: "active", missed: "ready", abort: "starting", orphan: "starting", restarted: "ready" },
  active: {
    unsent: "ready",
    abort: "active",
    orphan: "complete",
    lost: "complete",
    finishing: "finishing",
    complete: "complete",
    restarted: "active",
  },
  finishing: { abort: "complete", orphan: "complete", lost: "complete", complete: "complete", restarted: "finishing" },
  complete: { abort: "complete", orphan: "complete", restarted: "complete" },
};

const CELLS = JOB_STATES.flatMap((state) =>
  Object.keys(INPUTS).map((input) => [state, input, TABLE[state][input] ?? "-"] as const),
);

describe("every state and every input", () => {
  test.each(CELLS)("%s + %s gives %s", (state, name, expected) => {
    const before = record(state);
    const input = INPUTS[name];
    if (!input) throw new Error(name);
    const { record: after, effects } = advance(before, input, NOW);
    if (expected === "-") {
      expect(after).toBe(before);
      expect(effects).toEqual([]);
    } else expect(after.job.state).toBe(expected);
  });
});

describe("delays", () => {
  test.each([
    [NOW + 1, "start_delay"],
    [NOW, "ready"],
    [NOW - 1, "ready"],
  ])("until %d is delayed to %s", (until, state) => {
    const { record: after } = advance(record("start_delay", { until }), { kind: "due" }, NOW);
    expect(after.job.state).toBe(state);
    if (state === "ready") expect(after.job).not.toHaveProperty("until");
  });
});

describe("leaving ready", () => {
  const none: StartChoice = { kind: "none" };
  const concurrency = "Maximum number of concurrent jobs for event has been reached";
  const noServer = "No available servers matching targets";
  test.each<[string, Partial<StartFacts>, Partial<Job>]>([
    [
      "full, no queue",
      { limits: limited(1, 0), running: 1 },
      { state: "complete", code: "abort", description: `${concurrency}.` },
    ],
    ["full, room in the queue", { limits: limited(1, 2), running: 1, queued: 1 }, { state: "queued", position: 2 }],
    [
      "full, full queue",
      { limits: limited(1, 2), running: 1, queued: 2 },
      { state: "complete", description: `${concurrency}, and the queue is maxed out.` },
    ],
    [
      "one below the limit",
      { limits: limited(2, 0), running: 1 },
      { state: "starting", server: "s1", groups: ["main"] },
    ],
    [
      "event gone",
      { refusal: "Event was deleted: e1" },
      { state: "complete", code: "abort", description: "Event was deleted: e1" },
    ],
    ["full before event gone", { limits: limited(1, 5), running: 1, refusal: "gone" }, { state: "queued" }],
    ["no server", { choice: none }, { state: "complete", code: "abort", description: `${noServer}.`, retry_ok: true }],
    ["no server, room in the queue", { limits: limited(1, 1), choice: none }, { state: "queued", position: 1 }],
    [
      "no server, full queue",
      { limits: limited(1, 1), queued: 1, choice: none },
      { state: "complete", description: `${noServer}, and the queue is full.`, retry_ok: true },
    ],
    ["servers expected", { choice: { kind: "wait" } }, { state: "ready" }],
    [
      "unknown algorithm",
      { choice: { kind: "unknown", algo: "magic" } },
      { state: "complete", code: "abort", description: "Unknown algorithm or monitor: magic" },
    ],
  ])("%s", (_name, changes, expected) => {
    const { record: after } = advance(record("ready"), { kind: "check", facts: facts(changes) }, NOW);
    expect(after.job).toMatchObject(expected);
    if (!("retry_ok" in expected)) expect(after.job).not.toHaveProperty("retry_ok");
  });

  test("priority comes before all positions", () => {
    const { record: after } = advance(
      record("ready", { priority: true }),
      { kind: "check", facts: facts({ limits: limited(1, 9), running: 1, queued: 4 }) },
      NOW,
    );
    expect(after.job).toMatchObject({ state: "queued", position: 0 });
  });

  test("a released job that finds its slot taken returns to the full queue", () => {
    const { record: ready } = advance(record("queued", { position: 1 }), { kind: "slot" }, NOW);
    expect(ready.job).not.toHaveProperty("position");
    const full = facts({ limits: limited(1, 1), running: 1, queued: 1 });
    expect(advance(ready, { kind: "check", facts: full }, NOW).record.job.state).toBe("queued");
  });
});

describe("the launch message", () => {
  const start = (given: ActiveJob) => advance(given, { kind: "started", serverReady: true }, NOW);

  test("is sent with a job whose times and progress begin now", () => {
    const { record: after, effects } = start(record("starting", { server: "s1", progress: 0.9 }));
    expect(after).toMatchObject({
      dispatched: NOW,
      job: { state: "active", started: NOW, updated: NOW, progress: 0, remote: true },
    });
    expect(kinds(effects)).toEqual(["dispatch"]);
  });

  test("contains the data of the workflow, which are removed from the details", () => {
    const given = record("starting", { server: "s1" }, { details: { activity: [], workflowData: { a: 1 } } });
    const { record: after } = start(given);
    expect(after.workflowData).toEqual({ a: 1 });
    expect(after.details).toEqual({ activity: [] });
  });

  test("a disconnected server is replaced three times, then the job ends and may be retried", () => {
    let job = record("starting", { server: "s1", groups: ["main"] });
    for (let count = 1; count <= 3; count++) {
      const { record: after, effects } = advance(job, { kind: "started", serverReady: false }, NOW);
      expect(after).toMatchObject({ misses: count, job: { state: "ready" } });
      expect(after.job).not.toHaveProperty("server");
      expect(kinds(effects)).toEqual(["slot", "wake"]);
      job = { ...after, job: { ...after.job, state: "starting", server: "s2" } };
    }
    expect(advance(job, { kind: "started", serverReady: false }, NOW).record.job).toMatchObject({
      state: "complete",
      code: "abort",
      description: "Chosen server is no longer connected.",
      retry_ok: true,
    });
  });

  test("is never sent for a job that was aborted during its start actions", () => {
    const { record: aborted } = advance(record("starting"), { kind: "abort", reason: "stop", connected: true }, NOW);
    const { record: after, effects } = start(aborted);
    expect(after.job).toMatchObject({ state: "complete", code: "abort", description: "stop" });
    expect(kinds(effects)).toEqual(["slot"]);
  });
});

describe("an abort", () => {
  const abort = (given: ActiveJob, changes: Partial<Input & { kind: "abort" }> = {}) =>
    advance(given, { kind: "abort", reason: "stop", connected: true, ...changes }, NOW);

  test("of a running job asks the agent and refreshes its sign of life", () => {
    const { record: after, effects } = abort(record("active"));
    expect(after).toMatchObject({ aborting: NOW, abortReason: "stop", job: { state: "active", updated: NOW } });
    expect(after.job).not.toHaveProperty("code");
    expect(effects).toContainEqual({ kind: "send_abort", reason: "stop" });
  });

  test.each([{ remote: false }, { remote: undefined }])("of a job that is not remote ends it here (%o)", (members) => {
    expect(abort(record("active", members as Partial<Job>)).record.job).toMatchObject({
      state: "complete",
      code: "abort",
    });
  });

  test.each<JobState>(["active", "starting", "queued"])("from %s gives its place to others", (state) => {
    const given = record(state, state === "starting" ? { complete: true } : {});
    const { effects } =
      state === "starting"
        ? advance(given, { kind: "started", serverReady: true }, NOW)
        : abort(given, { connected: false });
    expect(kinds(effects)).toContain("slot");
  });

  test("allows a retry only when it says so", () => {
    expect(abort(record("active")).record.job).not.toHaveProperty("retry_ok");
    expect(abort(record("active"), { retryOk: true }).record.job).toMatchObject({ retry_ok: true });
  });

  test.each([
    [false, true],
    [true, false],
  ])("against a retry takes precedence over one that allows it (%s, then %s)", (first, second) => {
    const { record: once } = abort(record("active"), { retryOk: first });
    expect(abort(once, { retryOk: second }).record.job).not.toHaveProperty("retry_ok");
  });

  test("during completion actions does not change the result that they got", () => {
    const { record: after } = abort(record("complete", { code: 0, complete: true }));
    expect(after.job).toMatchObject({ state: "complete", code: "abort", description: "stop" });
  });
});

describe("a silent job", () => {
  const watch = (given: ActiveJob, since = 0) => advance(given, { kind: "watch", timeout: 120, since }, NOW);
  const silent = "No updates received in last 2 minutes, assuming job is dead.";

  test.each<[JobState, number, boolean]>([
    ["active", 119.9, false],
    ["active", 120, true],
    ["finishing", 120, true],
  ])("%s for %d seconds: dead is %s", (state, seconds, isDead) => {
    const { record: after } = watch(record(state, { updated: NOW - seconds }));
    if (isDead)
      expect(after.job).toMatchObject({ state: "complete", code: "abort", description: silent, retry_ok: true });
    else expect(after.job.state).toBe(state);
  });

  test("is measured from the start of the engine at the earliest", () => {
    expect(watch(record("active", { updated: NOW - 900 }), NOW - 100).record.job.state).toBe("active");
  });

  test("with times in the future, because the clock was set back, counts them as now", () => {
    const { record: after } = watch(record("active", { updated: NOW + 900 }, { aborting: NOW + 900 }), NOW + 900);
    expect(after).toMatchObject({ aborting: NOW, job: { state: "active", updated: NOW } });
  });

  test("a job that keeps reporting after its abort ends as aborted", () => {
    const given = record("active", { updated: NOW }, { aborting: NOW - 120, abortReason: "stop" });
    const { record: after, effects } = watch(given);
    expect(after.job).toMatchObject({ state: "complete", code: "abort", description: "stop" });
    expect(after.job).not.toHaveProperty("retry_ok");
    expect(kinds(effects)).not.toContain("send_abort");
  });

  test("a job that a user stopped is not retried because its agent falls silent", () => {
    const given = record("active", { updated: NOW - 120 }, { aborting: NOW - 120, abortReason: "stop" });
    expect(watch(given).record.job).toMatchObject({ state: "complete", description: "stop" });
    expect(watch(given).record.job).not.toHaveProperty("retry_ok");
    const lost = advance(given, { kind: "lost", reason: "gone" }, NOW).record.job;
    expect(lost).not.toHaveProperty("retry_ok");
  });
});

describe("a restart", () => {
  const restart = (given: ActiveJob) => advance(given, { kind: "restarted" }, NOW).record;

  test.each<JobState>(["active", "finishing"])("%s waits for its server", (state) => {
    expect(restart(record(state, { updated: 5 })).job).toMatchObject({ state, updated: NOW, remote: false });
  });

  test("resets actions that were running and keeps ended ones", () => {
    const actions = [
      { enabled: true, condition: "start", type: "tag", active: true },
      { enabled: true, condition: "start", type: "tag", code: 0 },
    ];
    expect(restart(record("starting", { actions })).job.actions).toEqual([
      { enabled: true, condition: "start", type: "tag" },
      actions[1],
    ]);
  });

  test("keeps an abort that waited for start actions", () => {
    expect(restart(record("starting", { complete: true, code: "abort" })).job).toMatchObject({
      state: "complete",
      code: "abort",
    });
  });
});

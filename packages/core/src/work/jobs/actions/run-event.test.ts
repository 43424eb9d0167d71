import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { runEventAction } from "./run-event.ts";

type Members = Record<string, unknown>;
const done = (id: string, update: Members = {}) => ({
  [id]: { state: "complete", complete: true, code: 0, ...update },
});
const chain = (event: string, members: Members = {}) => ({
  enabled: true,
  condition: "complete",
  type: "run_event",
  event_id: event,
  ...members,
});

async function setUp(config: Members = {}) {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin], config });
  const { api } = jobs.signalbox;
  const server = await jobs.connect();
  return {
    jobs,
    api,
    server,
    probe,
    async start(event: string, options: Members = {}): Promise<string> {
      const { id } = await api.runEvent({ id: event, ...options });
      await jobs.settle();
      return id;
    },
    async end(id: string, update: Members = {}) {
      server.send("jobs", done(id, update));
      await jobs.settle();
      return (await api.getJob({ id })).job;
    },
  };
}

describe("the run_event action of a job", () => {
  test("is not disturbed by other actions of its job that write to the same record", async () => {
    const at = await setUp();
    const next = await at.jobs.event({ id: "next", title: "Next" });
    const tags = Array.from({ length: 12 }, (_unused, n) => `tag_${n}`);
    for (const id of tags) await at.api.createTag({ id, title: id });
    const others = tags.map((id) => ({ enabled: true, condition: "complete", type: "tag", tags: [id] }));
    const first = await at.jobs.event({ actions: [...others.slice(6), chain(next), ...others.slice(0, 6)] });
    const id = await at.start(first);
    const { actions, jobs, tags: given } = await at.end(id);
    expect(given).toEqual(expect.arrayContaining(tags));
    expect((actions as Members[]).find(({ type }) => type === "run_event")).toMatchObject({ code: 0 });
    expect(jobs).toHaveLength(1);
    expect(launched(at.server)).toHaveLength(2);
  });

  test("sets no locked field when the output of the job contains one", async () => {
    const at = await setUp();
    const fields = [
      { id: "target", type: "text", title: "Target", value: "test", locked: true },
      { id: "size", type: "text", title: "Size", value: "small" },
    ];
    await at.jobs.event({ id: "next", fields });
    const params = { target: "production", size: "big" };
    const id = await at.start(await at.jobs.event());
    await at.end(id, { push: { actions: [chain("next", { params })] } });
    await at.end(await at.start(await at.jobs.event({ actions: [chain("next", { params })] })));
    const [, pushed, , written] = launched(at.server).map(({ job }) => job["params"]);
    expect([pushed, written]).toMatchObject([{ ...params, target: "test" }, params]);
  });

  test("launches the other event with the output of the job, and links both jobs", async () => {
    const at = await setUp();
    const next = await at.jobs.event({
      id: "next",
      title: "Next",
      fields: [{ id: "size", type: "text", title: "Size" }],
      username: "author",
    });
    const first = await at.jobs.event({
      id: "first",
      actions: [chain(next, { params: { size: "big", script: "rm" } })],
    });
    const id = await at.start(first, { tickets: ["t1"] });
    const files = [{ id: "f1", filename: "a.csv", path: `files/jobs/${id}/x/a.csv`, size: 3 }];
    await at.jobs.blobs.put(`files/jobs/${id}/x/a.csv`, Readable.from([Buffer.from("a,b")]));
    const job = await at.end(id, { code: 2, description: "so so", data: { rows: 5 }, files });
    const child = launched(at.server)[1];
    expect(child?.job).toMatchObject({
      event: next,
      source: "action",
      username: "system",
      parent: { job: id, event: first, code: 2, description: "so so" },
      // Only fields of the event may be set; its other parameters stay unchanged.
      params: { size: "big", script: "echo hello" },
      tickets: ["t1"],
    });
    expect(child?.details["input"]).toEqual({ data: { rows: 5 }, files: job["files"] });
    const childId = String(child?.job["id"]);
    expect(job["jobs"]).toEqual([{ id: childId, reason: "action" }]);
    expect(job["actions"]).toMatchObject([
      { code: 0, description: `Launched job: #${childId}`, loc: `#Job?id=${childId}` },
    ]);
  });

  test("uses the defaults of fields that the action leaves out", async () => {
    const at = await setUp();
    const field = { type: "text", title: "T" };
    const fields = [
      { ...field, id: "size", value: "small", required: true },
      { ...field, id: "kept", value: "preset" },
      { ...field, id: "secret", type: "hidden", value: "own" },
    ];
    const next = await at.jobs.event({ id: "next", fields, params: { script: "echo hello", kept: "stored" } });
    const id = await at.start(await at.jobs.event({ actions: [chain(next, { params: { secret: "sent" } })] }));
    await at.end(id);
    expect(launched(at.server)[1]?.job["params"]).toEqual({
      script: "echo hello",
      size: "small",
      kept: "stored",
      secret: "own",
    });
  });

  test.each<[string, Members, string]>([
    ["deleted", {}, "Event not found: next"],
    ["without a manual trigger", { triggers: [] }, "Event does not allow manual job runs: next"],
    [
      "with a disabled manual trigger",
      { triggers: [{ type: "manual", enabled: false }] },
      "Event does not allow manual job runs: next",
    ],
    ["disabled", { enabled: false }, "Failed to launch event: Event is disabled: Next"],
  ])("fails for an event that is %s, and the job is unaffected", async (how, change, description) => {
    const at = await setUp();
    await at.jobs.event({ id: "next", title: "Next" });
    const id = await at.start(await at.jobs.event({ id: "first", actions: [chain("next")] }));
    if (how === "deleted") await at.api.deleteEvent({ id: "next" });
    else await at.api.updateEvent({ id: "next", ...change });
    const job = await at.end(id);
    expect(job).toMatchObject({ code: 0, actions: [{ code: "event", description }] });
    expect(job["jobs"]).toBeUndefined();
  });

  test("delays the start of the launched job", async () => {
    const at = await setUp();
    await at.jobs.event({ id: "next" });
    const first = await at.jobs.event({ id: "first", actions: [chain("next", { start_delay: 30 })] });
    await at.end(await at.start(first));
    expect((await at.api.getActiveJobs()).rows).toMatchObject([{ event: "next", state: "start_delay" }]);
    await at.jobs.clock.advance(31);
    expect((await at.api.getActiveJobs()).rows).toMatchObject([{ event: "next", state: "active" }]);
  });

  test("launches once for each key, however often it runs", async () => {
    const at = await setUp();
    const event = await at.jobs.event({ id: "next" });
    const run = {
      action: chain(event),
      timeoutSec: 300,
      side: "job",
      data: { job: { id: "j1", event: "first" } },
      idempotencyKey: "j1/0",
      signal: new AbortController().signal,
    } as const;
    const [one, two] = [
      await runEventAction.run(run, at.probe.cradle()),
      await runEventAction.run(run, at.probe.cradle()),
    ];
    expect(two).toEqual(one);
    const other = await runEventAction.run({ ...run, idempotencyKey: "j1/1" }, at.probe.cradle());
    expect(other.resultId).not.toBe(one.resultId);
    await at.jobs.settle();
    expect((await at.api.getActiveJobs()).list.length).toBe(2);
  });

  test("two actions on the same event run it once", async () => {
    const at = await setUp();
    await at.jobs.event({ id: "next", fields: [{ id: "size", type: "text", title: "Size" }] });
    const actions = [chain("next"), chain("next", { condition: "success", params: { size: "big" } })];
    const job = await at.end(await at.start(await at.jobs.event({ id: "first", actions })));
    expect(job["jobs"]).toHaveLength(1);
  });

  test("an event that launches itself continues until the cap on launches", async () => {
    const at = await setUp({ max_jobs_per_min: 3 });
    const event = await at.jobs.event({ id: "loop" });
    await at.api.updateEvent({ id: event, actions: [chain(event)] } as never);
    let id = await at.start(event);
    const chained: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const job = await at.end(id);
      const [action] = job["actions"] as Members[];
      chained.push(action?.["code"] === 0 ? "launched" : action?.["description"]);
      id = String((job["jobs"] as { id: string }[] | undefined)?.[0]?.id ?? "");
    }
    expect(chained).toEqual([
      "launched",
      "launched",
      "Failed to launch event: Global jobs per minute limit has been reached (3/min)",
    ]);
  });

  test.each([{}, { event_id: 5 }, { event_id: "a b" }, { event_id: "../x" }])("%j is refused", (action) => {
    expect(() => runEventAction.validate?.(action)).toThrow(new InputError("Invalid Event ID."));
  });
});

describe("the run_event action of an alert", () => {
  const invocation = { id: "i1", alert: "a1", server: "s1" };
  async function fire(action: Members) {
    const at = await setUp();
    await at.jobs.event({ id: "next", targets: ["main"] });
    const outcome = await runEventAction.run(
      {
        action: chain("next", { condition: "alert_new", ...action }),
        timeoutSec: 300,
        side: "alert",
        data: { alert: invocation, def: { title: "Hot" } },
        idempotencyKey: "i1:alert_new/0",
        signal: new AbortController().signal,
      },
      at.probe.cradle(),
    );
    await at.jobs.settle();
    return { outcome, child: launched(at.server)[0] };
  }

  test("passes on the invocation, and its parameters override the event's", async () => {
    const { outcome, child } = await fire({ params: { script: "echo alert" } });
    expect(outcome.code).toBe(0);
    expect(child?.job).toMatchObject({ source: "alert", targets: ["main"], params: { script: "echo alert" } });
    expect(child?.details["input"]).toEqual({
      data: { condition: "alert_new", alert: { ...invocation, title: "Hot" } },
    });
    expect(child?.job).not.toHaveProperty("parent");
  });

  test("may run on the server of the alert and clear it at the end", async () => {
    const { child } = await fire({ target_server: true, clear_alert: true });
    expect(child?.job).toMatchObject({ targets: ["s1"], clear_alert: "i1" });
  });
});

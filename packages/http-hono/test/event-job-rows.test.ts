import { AsyncLocalStorage } from "node:async_hooks";
import { memoryBlobStore } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE, openStorage } from "./open-storage.ts";
import { untilOf } from "./until.ts";

type Members = Readonly<Record<string, unknown>>;
type Call = readonly [operation: string, input: Members];

const eventOf = (members: Members = {}) => ({
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  ...members,
});

async function open(name: string, config: Members = {}, given?: Storage) {
  const own = { tz: "UTC", job_universal_actions: { default: [], workflow: [] }, ...config };
  const { admin, agent, clock, engine, limited } = await openEngine(name, {
    ...{ blobs: memoryBlobStore(), config: own },
    ...(given ? { storage: given } : {}),
  });
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
  const until = untilOf(clock);
  const jobOf = async (id: string): Promise<Members> => (await engine.api.getJob({ id })).job;
  return {
    ...{ admin, clock, engine, limited, server, until, jobOf },
    run: async (members: Members = {}) =>
      (await admin.post("run_event", { id: "backup", ...members })).body.id as string,
    isIn: (id: string, state: string) => until(async () => (await jobOf(id))["state"] === state),
  };
}

/** An object that cannot be converted to text or to a number. */
const odd = { toString: 1, valueOf: 1 };

describe.each(ONE_STORAGE)("rows of events and jobs over %s", (name) => {
  test("values that are neither texts nor numbers are refused or match nothing", async () => {
    const at = await open(name);
    await at.admin.post("create_event", eventOf({ id: "backup" }));
    await at.isIn(await at.run(), "active");
    const field = { id: "f", title: "F", type: "text", caption: odd };
    const calls: readonly Call[] = [
      ["create_event", eventOf({ fields: [field] })],
      ["run_event", { id: "backup", test: true, until: odd }],
      ["run_event", { id: "backup", test: true, state: "start_delay", until: odd }],
      ["run_event", { id: "backup", params: { _xy_override_targets: odd } }],
      ["run_event", { id: "backup", test_conditions: odd }],
      ["get_event_history", { id: "backup", sort_dir: odd }],
      ["get_active_jobs", { state: odd }],
      ["get_active_jobs", { sort_by: "params.f", event: [odd] }],
      ["get_active_job_summary", { event: odd }],
      ["get_workflow_job_summary", { state: [odd] }],
    ];
    const answers: unknown[] = [];
    for (const [operation, input] of calls) {
      const { status, body } = await at.admin.post(operation, input);
      answers.push([operation, status, body.description ?? body.rows?.length ?? body.events ?? body.nodes ?? "ok"]);
    }
    expect(answers).toEqual([
      ["create_event", 400, "Malformed user field 'f': Invalid caption (not a string)"],
      ["run_event", 200, "ok"],
      ["run_event", 200, "ok"],
      ["run_event", 200, "ok"],
      ["run_event", 400, "Parameter is not an array: test_conditions"],
      ["get_event_history", 200, 1],
      ["get_active_jobs", 200, 0],
      ["get_active_jobs", 200, 0],
      ["get_active_job_summary", 200, {}],
      ["get_workflow_job_summary", 200, {}],
    ]);
  });

  test("an update never changes the type of an event: a sent type is ignored", async () => {
    const at = await open(name);
    await at.admin.post("create_event", eventOf({ id: "backup" }));
    for (const type of ["workflow", "adhoc", 5, {}]) {
      const { status, body } = await at.admin.post("update_event", { id: "backup", type, notes: String(type) });
      expect([status, body.event.type, body.event.notes]).toEqual([200, undefined, String(type)]);
    }
  });

  test("the state of an event accepts only numbers, and a round may begin anywhere", async () => {
    const at = await open(name);
    await at.admin.post("create_event", eventOf({ id: "backup", algo: "round_robin" }));
    const refused = await at.admin.post("update_event", { id: "backup", update_state: { total_count: "" } });
    expect([refused.status, refused.body.description]).toEqual([
      400,
      "Malformed event parameter: update_state (total_count must be a number)",
    ]);
    const state = { robin: -4.5, begun: "x" };
    expect((await at.admin.post("update_event", { id: "backup", update_state: state })).status).toBe(200);
    await at.isIn(await at.run(), "active");
    const { events } = (await at.admin.post("get_global_state", {})).body.state;
    expect(events.backup).toEqual({ robin: 0 });
  });

  test("get_event shows the present readings of running jobs", async () => {
    const at = await open(name);
    await at.admin.post("create_event", eventOf({ id: "backup" }));
    const id = await at.run();
    await at.isIn(id, "active");
    at.server.send("jobs", { [id]: { progress: 0.25 } });
    await at.until(async () => (await at.jobOf(id))["progress"] === 0.25);
    expect((await at.admin.post("get_event", { id: "backup" })).body.jobs).toMatchObject([{ id, progress: 0.25 }]);
  });

  test("a job of an event that is no workflow is no sub-job", async () => {
    const at = await open(name);
    const workflow = { job: "jother", node: odd };
    const { body } = await at.admin.post("create_event", eventOf({ id: "backup", overlap: "queue", workflow }));
    expect(body.event.workflow).toEqual(workflow);
    const first = await at.run();
    await at.isIn(first, "active");
    const second = await at.run();
    await at.isIn(second, "queued");
    expect(await at.jobOf(first)).not.toHaveProperty("workflow");
  });

  test("strict overrides allow only callers who may edit events to set the time of the start", async () => {
    const at = await open(name, { run_event_overrides: "strict" });
    await at.admin.post("create_event", eventOf({ id: "backup" }));
    const runner = await at.limited([], { run_jobs: true });
    const later = { id: "backup", state: "start_delay", until: at.clock.now() + 3600, test_conditions: "error" };
    const { body } = await runner.post("run_event", later);
    await at.isIn(body.id, "active");
    expect((await at.jobOf(body.id))["test_conditions"]).toEqual(["error"]);
    await at.isIn((await at.admin.post("run_event", later)).body.id, "start_delay");
  });

  test("an action with an odd target that a job pushes does not prevent the job from ending", async () => {
    const at = await open(name);
    await at.admin.post("create_event", eventOf({ id: "backup" }));
    const id = await at.run();
    await at.isIn(id, "active");
    const types = ["store", "fetch", "run_event", "channel", "plugin"];
    const targets = { bucket_id: odd, event_id: odd, channel_id: odd, plugin_id: odd };
    const actions = types.map((type) => ({ enabled: true, condition: "success", type, ...targets }));
    at.server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, push: { actions } } });
    await at.until(async () => (await at.jobOf(id))["final"] === true);
    const run = ((await at.jobOf(id))["actions"] as Members[]).map(({ type, code }) => [type, code !== undefined]);
    expect(run).toEqual(types.map((type) => [type, true]));
  });

  test("resuming is reported with its time, and so is a member that no parameter replaces", async () => {
    const at = await open(name);
    const actions = [{ enabled: true, condition: "start", type: "suspend" }];
    await at.admin.post("create_event", eventOf({ id: "backup", actions }));
    const id = await at.run();
    await at.until(async () => (await at.jobOf(id))["suspended"] === true);
    const params = { _xy_override_server: "s9", _xy_override_label: "Again" };
    expect((await at.admin.post("resume_job", { id, params })).body).toEqual({ code: 0 });
    await at.isIn(id, "active");
    const job = await at.jobOf(id);
    expect(job).toMatchObject({ label: "Again", server: "s1" });
    expect((job["actions"] as Members[])[0]?.["details"]).toMatch(
      /^Resumed by API Key: .+ on 2027-01-15T08:00:\d\d.\d+Z after \d+ seconds?$/,
    );
    const rows = (job["activity"] as Members[]).map(({ msg }) => msg);
    expect(rows).toContain("WARNING: Ignoring override of: server");
  });

  test("a bulk deletion of jobs leaves a row of the activity log at its end", async () => {
    const at = await open(name);
    const { body } = await at.admin.post("bulk_search_delete_jobs", { query: "code:abort" });
    const rows = async () =>
      (await at.admin.post("search_activity", { query: "action:internal_job", limit: 5 })).body.rows as Members[];
    await at.until(async () => (await rows()).length > 0);
    const job = { params: { query: "code:abort" }, outcome: "done" };
    expect(await rows()).toMatchObject([
      {
        description: "Bulk deletion of jobs: finished (deleted: 0).",
        keywords: expect.arrayContaining([body["id"]]),
        job,
      },
    ]);
  });

  test("zero characters and half characters pass through a job and its log", async () => {
    const at = await open(name);
    const text = "a\u0000b \ud83d c";
    const { body } = await at.admin.post("create_event", eventOf({ id: "backup", notes: text }));
    expect(body.event.notes).toContain("a\u0000b");
    const id = await at.run({ params: { script: text }, label: text });
    await at.isIn(id, "active");
    at.server.send("job_log", { id, text: `${text}\n` });
    at.server.send("job_meta", { id, text });
    const end = { state: "complete", complete: true, code: text, description: text, data: { [text]: text } };
    at.server.send("jobs", { [id]: end });
    await at.until(async () => (await at.jobOf(id))["final"] === true);
    const job = await at.jobOf(id);
    expect(job).toMatchObject({ code: "a_b_c", description: expect.stringContaining("a\u0000b") });
    expect(Object.keys(job["data"] as Members)[0]).toContain("a\u0000b");
    const log = await at.admin.get(`get_job_log?id=${id}`);
    expect([log.status, log.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    for (const verbose of [false, true]) {
      const found = await at.admin.post("search_jobs", { query: "code:a_b_c", verbose });
      const inProcess = await at.engine.api.searchJobs({ query: "code:a_b_c", verbose });
      expect(inProcess.list.length).toBe(1);
      expect(found.text).toBe(`${JSON.stringify({ code: 0, ...inProcess })}\n`);
    }
  });

  test("an event that is created again under its id replays its minutes again", async () => {
    const at = await open(name);
    const triggers = ["schedule", "catchup"].map((type) => ({ type, enabled: true }));
    const cursor = at.clock.now() - 180;
    const replayed = async (): Promise<number> => {
      await at.admin.post("create_event", eventOf({ id: "backup", triggers, update_state: { cursor } }));
      await at.clock.advance(60);
      const jobs = async () => (await at.admin.post("get_active_jobs", { event: "backup", state: "active" })).body.rows;
      await at.until(async () =>
        (await jobs()).some((job: Members) => job["now"] === at.clock.now() - (at.clock.now() % 60)),
      );
      const nows = ((await jobs()) as Members[]).map(({ now }) => Number(now));
      const ends = ((await jobs()) as Members[]).map(({ id }) => [id, { state: "complete", complete: true, code: 0 }]);
      at.server.send("jobs", Object.fromEntries(ends));
      await at.until(async () => (await at.admin.post("get_active_jobs", {})).body.list.length === 0);
      expect((await at.admin.post("delete_event", { id: "backup" })).body.code).toBe(0);
      return nows.filter((now) => now <= cursor + 180).length;
    };
    expect([await replayed(), await replayed()]).toEqual([3, 3]);
  });
});

/** Runs something right after a writing transaction has searched for active jobs with a word. */
function interrupted(storage: Storage, word: string, happen: () => Promise<unknown>): Storage {
  const over = <T extends object>(target: T, member: string, replacement: (original: never) => unknown): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        const bound: unknown = typeof value === "function" ? value.bind(object) : value;
        return name === member ? replacement(bound as never) : bound;
      },
    });
  type Any = (...values: unknown[]) => Promise<unknown>;
  return over(
    storage,
    "write",
    (write: Any) => (work: Any) =>
      write((tx: object) =>
        work(
          over(tx, "collection", (open: (definition: { name: string }) => object) => (definition: { name: string }) => {
            const records = open(definition);
            if (definition.name !== "active_jobs") return records;
            return over(records, "find", (find: Any) => async (...values: unknown[]) => {
              const found = await find(...values);
              if (JSON.stringify(values[0]).includes(word)) await happen();
              return found;
            });
          }),
        ),
      ),
  );
}

/** A running job and one in line behind it; `callWhen` makes a call while jobs are searched by the word. */
async function inLine(word: string) {
  const seen: { happen?: (() => Promise<unknown>) | undefined } = {};
  const storage = interrupted(await openStorage("postgres"), word, async () => {
    const { happen } = seen;
    delete seen.happen;
    await happen?.();
  });
  const at = await open("postgres", {}, storage);
  await at.admin.post("create_event", eventOf({ id: "backup", overlap: "queue" }));
  const running = await at.run();
  await at.isIn(running, "active");
  const queued = await at.run();
  await at.isIn(queued, "queued");
  // Runs outside of the transaction's context: storages refuse a transaction that is started inside of another one.
  const elsewhere = AsyncLocalStorage.snapshot();
  const callWhen = (isTime: () => Promise<boolean>, operation: string, input: Members = {}): void => {
    seen.happen = () =>
      elsewhere(async () => {
        if (await isTime()) await at.admin.post(operation, { id: queued, ...input });
        else callWhen(isTime, operation, input);
      });
  };
  return { ...at, running, queued, callWhen };
}

test("a job that leaves its line while it is flushed is not lost", async () => {
  const at = await inLine('"queued"');
  at.callWhen(async () => true, "abort_job");
  expect((await at.admin.post("flush_event_queue", { id: "backup" })).body).toEqual({ code: 0, count: 0 });
  await at.until(async () => (await at.jobOf(at.queued))["final"] === true);
  expect(await at.jobOf(at.queued)).toMatchObject({ code: "abort" });
});

test("a change of a job while its line moves on is not lost", async () => {
  const at = await inLine('"not"');
  at.callWhen(async () => (await at.jobOf(at.running))["final"] === true, "update_job", { label: "Kept" });
  at.server.send("jobs", { [at.running]: { state: "complete", complete: true, code: 0 } });
  await at.isIn(at.queued, "active");
  expect(await at.jobOf(at.queued)).toMatchObject({ label: "Kept" });
});

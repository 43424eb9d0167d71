import { describe, expect, test } from "vitest";
import { openFlows } from "./open-flows.ts";
import { ONE_STORAGE } from "./open-storage.ts";

type Members = Record<string, unknown>;

const HANGS = { hangs: true };
const action = (data: object) => ({ type: "action", data: { enabled: true, ...data } });
const limit = (data: object) => ({ type: "limit", data: { enabled: true, ...data } });
const repeat = (times: number) => ({ controller: "repeat", repeat: times });

describe.each(ONE_STORAGE)("workflows over %s", (storage) => {
  const open = async (config: Members = {}) => {
    const at = await openFlows(storage, config);
    const ended = async (id: string) => {
      await at.until(async () => (await at.read(id))?.final === true);
      return at.read(id);
    };
    return { ...at, ended };
  };

  test("have no log of their own, also when they failed", async () => {
    const at = await open();
    for (const code of [0, 5]) {
      const { job } = await at.play({ nodes: { a: "job" }, wires: ["start>a"], answers: { a: [{ code }] } });
      expect([job.code === 0, job.log_file_size, job.output]).toEqual([code === 0, 0, undefined]);
      expect((await at.admin.get(`get_job_log/v1?id=${job.id}`)).status).toBe(204);
    }
  });

  test("show their state while they run, and short records of ended jobs", async () => {
    const at = await open();
    const id = await at.start({
      nodes: { a: "job", r: repeat(2), b: "job", w: { controller: "wait", wait: 900 }, z: "job" },
      wires: ["start>a", "a>r:success", "r>b", "start>w", "w>z"],
      answers: {
        a: [(job) => ({ label: "First", tags: [], files: [{ filename: "x", path: `files/jobs/${job}/x`, size: 3 }] })],
        b: [HANGS, HANGS],
      },
    });
    const [one, two] = await at.told("b", 2);
    const usage = (current: number) => ({ min: current, max: current, total: current, count: 1, current });
    const sent = { progress: 0.5, cpu: usage(20), mem: usage(1000) };
    for (const { job } of [one, two].filter((each) => each !== undefined))
      at.servers.get(job.server)?.send("jobs", { [job.id]: { state: "active", ...sent } });
    await at.until(async () => Number((await at.read(id)).cpu?.current) === 40);
    const running = await at.read(id);
    const number = expect.any(Number);
    expect(running).toMatchObject({
      ...{
        state: "active",
        progress: 0.75,
        mem: { current: 2000, max: 2000, min: number, total: number, count: number },
      },
      workflow: {
        ...{ start: "start", nodes: expect.any(Array), connections: expect.any(Array) },
        state: {
          start: { started: number, completed: number },
          r: { started: number, active: true, max: 2, count: 0 },
          w: { active: true, start: number },
          c2: { completed: number },
        },
      },
    });
    expect(running.updated).toBeGreaterThan(running.started);
    const [stub] = running.workflow.jobs.a;
    expect(Object.keys(stub).toSorted()).toEqual(
      ["id", "code", "description", "server", "completed", "elapsed", "tags", "files", "label"].toSorted(),
    );
    expect(stub).toMatchObject({ server: "s1", tags: expect.arrayContaining(["_success", "_last"]), label: "First" });
    const rows = running.activity.map(({ msg }: { msg: string }) => msg).join("\n");
    for (const node of ["a", "r", "b", "w"]) expect(rows).toMatch(new RegExp(`\\b${node}\\b`));
    // The list of active jobs shows this job beside its sub-jobs, and the summary counts those by node.
    const active = (await at.admin.get(`get_active_jobs/v1?workflow.job=${id}`)).body;
    expect(active.list.length).toBe(2);
    at.end(one?.job.id);
    await at.until(async () => (await at.read(id)).workflow.state.r.count === 1);
    await at.must("abort_job", { id });
    expect(await at.ended(id)).toMatchObject({
      ...{ code: "abort", description: expect.stringMatching(/^Manually aborted by API Key: /), progress: 1 },
      workflow: { state: { r: { count: 1, active: false } }, jobs: { b: [{ code: 0 }, { code: "abort" }] } },
    });
    expect(at.launched.map(({ node }) => node)).not.toContain("z");
  });

  test("continue when one of their jobs is aborted, by its wires for that", async () => {
    const at = await open();
    const id = await at.start({
      nodes: { a: "job", x: "job", y: "job", z: "job", n: "job" },
      wires: ["start>a", "a>x:abort", "a>y:error", "a>z:complete", "a>n:success"],
      answers: { a: [HANGS] },
    });
    const [part] = await at.told("a");
    await at.must("abort_job", { id: part?.job.id });
    expect(await at.ended(id)).toMatchObject({ code: "warning", workflow: { jobs: { a: [{ code: "abort" }] } } });
    expect(at.launched.map(({ node }) => node).toSorted()).toEqual(["a", "x", "y", "z"]);
  });

  test("suspend one job and continue the others; it resumes at the named node", async () => {
    const at = await open();
    const flow = {
      nodes: { r: repeat(1), a: "job", s: action({ type: "suspend" }), b: "job", c: "job", k: "job", other: "job" },
      wires: ["start>r", "r>a", "a>s:complete", "a>b:success", "a>k:continue", "start>other"],
    };
    const resume = async (members: Members) => {
      const id = await at.start(flow);
      const [part] = await at.told("a");
      await at.told("other");
      await at.until(async () => (await at.read(part?.job.id)).suspended === true);
      expect((await at.read(id)).state).toBe("active");
      const refused = await at.admin.post("resume_job", { id: part?.job.id, redirect: "s" });
      expect(refused.body).toEqual({ code: "job", description: "Workflow node not found: s" });
      await at.must("resume_job", { id: part?.job.id, ...members });
      const job = await at.ended(id);
      expect(job).toMatchObject({ code: 0, workflow: { state: { r: { max: 1, count: 1 }, s: { code: 0 } } } });
      return at.launched.map(({ node }) => node).toSorted();
    };
    expect(await resume({ redirect: "c" })).toEqual(["a", "c", "k", "other"]);
    expect(await resume({})).toEqual(["a", "b", "k", "other"]);
  });

  test("are retried as a whole after a limit, and not after a user ended them", async () => {
    const at = await open();
    const event = {
      limits: [
        { enabled: true, type: "time", duration: 5, abort: true },
        { enabled: true, type: "retry", amount: 1, duration: 0 },
      ],
    };
    const flow = { nodes: { a: "job" }, wires: ["start>a"], event, answers: { a: [HANGS] }, input: { n: 1 } };
    const id = await at.start(flow);
    await at.told("a", 2);
    const first = await at.ended(id);
    expect(first).toMatchObject({
      ...{ code: "abort", retried: true, tags: expect.arrayContaining(["_retried"]) },
      description: expect.stringContaining("exceeded maximum limit"),
      ...{ jobs: [{ id: expect.any(String), reason: "retry" }], workflow: { jobs: { a: [{ code: "abort" }] } } },
    });
    const second = await at.ended(first.jobs[0].id);
    expect(second).toMatchObject({ code: 0, retry_count: 1, retry_prev: id, workflow: { jobs: { a: [{ code: 0 }] } } });
    expect(second.workflow.aborted).toBeUndefined();
    expect(at.launched.map(({ input }) => input)).toMatchObject([{ data: { n: 1 } }, { data: { n: 1 } }]);
    const other = await at.start(flow);
    await at.told("a");
    await at.must("abort_job", { id: other });
    expect(await at.ended(other)).not.toHaveProperty("retried");
  });

  test("are deleted with their jobs, and mark one that is deleted alone", async () => {
    const at = await open();
    const { job } = await at.play({ nodes: { r: repeat(2), a: "job" }, wires: ["start>r", "r>a"] });
    const [one, two] = job.workflow.jobs.a;
    await at.must("delete_job", { id: one.id });
    expect((await at.read(job.id)).workflow.jobs.a).toMatchObject([{ id: one.id, deleted: true }, { id: two.id }]);
    expect((await at.read(job.id)).workflow.jobs.a[1]).not.toHaveProperty("deleted");
    await at.must("delete_job", { id: job.id });
    await at.until(async () => (await at.admin.get(`get_job/v1?id=${two.id}`)).status === 404);
  });

  test("count a job that was removed from its line as an aborted one", async () => {
    const at = await open();
    const id = await at.start({
      nodes: {
        r: repeat(3),
        a: "job",
        l: limit({ type: "job", amount: 1 }),
        q: limit({ type: "queue", amount: 9 }),
        z: "job",
      },
      wires: ["start>r", "r>a", "a>l", "a>q", "a>z:continue"],
      answers: { a: [HANGS] },
    });
    const [first] = await at.told("a");
    await at.until(async () => (await at.admin.get("get_active_jobs/v1?state=queued")).body.list.length === 2);
    expect(await at.must("flush_event_queue", { id: first?.job.event })).toMatchObject({ count: 2 });
    at.end(first?.job.id);
    const job = await at.ended(id);
    expect(job.workflow.jobs.a.map(({ code }: Members) => code).toSorted()).toEqual([0, "abort", "abort"]);
    expect(job).toMatchObject({ code: "warning", workflow: { state: { r: { max: 3, count: 3, active: false } } } });
  });

  test("have limit nodes for the jobs of one run, and a limit of their own for their runs", async () => {
    const at = await open();
    const event = {
      limits: [
        { enabled: true, type: "job", amount: 1 },
        { enabled: true, type: "queue", amount: 5 },
      ],
    };
    const id = await at.start({ nodes: { a: "job" }, wires: ["start>a"], event, answers: { a: [HANGS] } });
    const [first] = await at.told("a");
    const { id: second } = await at.must("run_event", { id: (await at.read(id)).event });
    await at.until(async () => (await at.read(second)).state === "queued");
    at.end(first?.job.id);
    await at.ended(id);
    expect(await at.ended(second)).toMatchObject({ code: 0 });
  });

  test("delay jobs above the bound of a minute, and have a bound of depth", async () => {
    const at = await open({ max_jobs_per_min: 3 });
    const id = await at.start({ nodes: { r: repeat(4), a: "job" }, wires: ["start>r", "r>a"] });
    await at.until(async () => (await at.admin.get("get_active_jobs/v1?state=start_delay")).body.list.length > 0);
    const [late] = (await at.admin.get("get_active_jobs/v1?state=start_delay")).body.rows;
    expect(late.until).toBeGreaterThan(late.started);
    await at.clock.advance(62);
    await at.clock.advance(62);
    expect(await at.ended(id)).toMatchObject({ code: 0, workflow: { state: { r: { count: 4 } } } });
  });

  test("in a circle end at a depth of sixteen", async () => {
    const at = await open();
    const node = (event: string) => ({ type: "event", data: { event } });
    const outer = await at.create({ nodes: {}, wires: [] });
    const inner = await at.create({ nodes: { a: node(outer) }, wires: ["start>a"] });
    const stored = (await at.must("get_event", { id: outer })).event.workflow;
    const nodes = [...stored.nodes, { id: "b", x: 0, y: 0, ...node(inner) }];
    const connections = [{ id: "c1", source: "start", dest: "b" }];
    await at.must("update_event", { id: outer, workflow: { nodes, connections } });
    const { id } = await at.must("run_event", { id: outer });
    const job = await at.ended(id);
    expect(job.code).toBe(1);
    const all = (await at.admin.get("search_jobs/v1?query=code:abort&limit=50&verbose=1")).body.rows;
    expect(all).toMatchObject([{ description: "Maximum workflow depth reached (16)" }]);
    expect((await at.admin.get("search_jobs/v1?query=*&limit=50")).body.list.length).toBe(16);
  });

  test("continue although their category is disabled meanwhile", async () => {
    const at = await open();
    await at.must("create_category", { id: "c", title: "C" });
    const id = await at.start({
      nodes: { a: "job", b: "job" },
      wires: ["start>a", "a>b:success"],
      event: { category: "c" },
      answers: { a: [HANGS] },
    });
    const [part] = await at.told("a");
    await at.must("update_category", { id: "c", enabled: false });
    at.end(part?.job.id);
    expect(await at.ended(id)).toMatchObject({ code: 0 });
  });
});

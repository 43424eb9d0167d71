import { describe, expect, test } from "vitest";
import { openFlows } from "./open-flows.ts";
import { ONE_STORAGE } from "./open-storage.ts";

type Members = Record<string, unknown>;

const START = 1_800_000_000;

describe.each(ONE_STORAGE)("workflows over %s", (storage) => {
  test("begin with the trigger that fired, and pass on its data", async () => {
    const at = await openFlows(storage);
    const triggers = [
      { id: "start", type: "manual", enabled: true, params: { p: 1 } },
      { id: "t1", type: "schedule", enabled: true, minutes: [1], tags: ["flag"] },
      { id: "t2", type: "magic", enabled: true, key: "mykeymykey" },
      { id: "t3", type: "startup", enabled: true },
    ];
    const nodes = Object.fromEntries(["t1", "t2", "t3"].map((id) => [id, "trigger"]));
    const jobs = Object.fromEntries(["m", "a", "b", "c"].map((id) => [id, "job"]));
    const event = await at.create({
      nodes: { ...nodes, ...jobs },
      wires: ["start>m", "t1>a", "t2>b", "t3>c"],
      event: { triggers },
    });
    const link = await at.send("/api/app/magic/v1/mykeymykey?color=red", { method: "POST" });
    expect(link.body).toMatchObject({ code: 0 });
    expect((await at.told("b"))[0]?.job).toMatchObject({ workflow: { launcher: "t2" } });
    await at.clock.advance(START + 61 - at.clock.now());
    expect((await at.told("a"))[0]?.job).toMatchObject({ workflow: { launcher: "t1", now: START + 60 } });
    const action = { enabled: true, condition: "complete", type: "run_event", event_id: event };
    const outer = await at.create({ nodes: { x: "job" }, wires: ["start>x"], event: { actions: [action] } });
    const { id } = await at.must("run_event", { id: outer });
    const [manual] = await at.told("m");
    expect(manual?.job).toMatchObject({ workflow: { launcher: "start" } });
    const run = await at.read(manual?.job.workflow.job);
    expect(run).toMatchObject({
      source: "action",
      parent: { job: id, event: outer, code: 0 },
      workflow: { start: "start" },
    });
    expect(manual?.input).toMatchObject({ data: { x: 1 } });
    const scheduled = (await at.admin.get(`search_jobs/v1?query=source:scheduler%20event:${event}&limit=5&verbose=1`))
      .body.rows;
    expect(scheduled).toMatchObject([{ type: "workflow", workflow: { start: "t1" } }]);
    expect(scheduled[0].tags).toContain("flag");
    const magic = (await at.admin.get("search_jobs/v1?query=source:magic&limit=5&verbose=1")).body.rows;
    expect(magic).toMatchObject([{ workflow: { start: "t2" } }]);
  });

  test("use graph, parameters and triggers of a posted record, and read triggers of the stored one", async () => {
    const at = await openFlows(storage);
    const event = await at.create({ nodes: { a: "job", b: "job" }, wires: ["start>a"] });
    const record = (await at.must("get_event", { id: event })).event;
    const connections = [{ id: "c1", source: "start", dest: "b" }];
    const posted = { ...record, workflow: { ...record.workflow, connections }, params: { p: 2 } };
    const { id } = await at.must("run_event", posted);
    await at.until(async () => (await at.read(id)).final === true);
    expect(at.launched.map(({ node, job }) => [node, job.workflow.params])).toEqual([["b", { p: 2 }]]);
    expect((await at.must("get_event", { id: event })).event.workflow.connections).toMatchObject([{ dest: "a" }]);

    // The manual trigger is removed while a run waits for its turn.
    const limits = [
      { enabled: true, type: "job", amount: 1 },
      { enabled: true, type: "queue", amount: 5 },
    ];
    await at.start({ nodes: { a: "job" }, wires: ["start>a"], event: { limits }, answers: { a: [{ hangs: true }] } });
    const [held] = await at.told("a");
    const busy = held?.job.event;
    const second = await at.must("run_event", { id: busy });
    await at.until(async () => (await at.read(second.id)).state === "queued");
    await at.must("update_event", { id: busy, triggers: [{ id: "other", type: "manual", enabled: true }] });
    at.end(held?.job.id);
    await at.until(async () => (await at.read(second.id)).final === true);
    expect(await at.read(second.id)).toMatchObject({
      code: "abort",
      description: "Could not find linked trigger definition: start",
    });
  });

  test("keep replayed jobs within reach of their writers and callers", async () => {
    const at = await openFlows(storage);
    await at.must("create_category", { id: "mine", title: "Mine" });
    await at.must("create_plugin", { id: "free", title: "Free", type: "event", command: "sh" });
    const node = (more: Members) => ({
      type: "job",
      data: { plugin: "free", targets: ["s1"], ...more },
    });
    const played = async (category: string) =>
      (await at.play({ nodes: { a: node({ category }) }, wires: ["start>a"], event: { category } })).job.workflow.jobs
        .a[0].id;
    const [theirs, mine] = [await played("general"), await played("mine")];
    const privileges = { create_events: true, edit_events: true, run_jobs: true };
    const { plain_key } = await at.must("create_api_key", { title: "K", privileges, categories: ["mine"] });
    const headers = { "x-api-key": plain_key, "content-type": "application/json" };
    const call = async (operation: string, members: object) => {
      const { body, status } = await at.send(`/api/app/${operation}/v1`, {
        method: "POST",
        headers,
        body: JSON.stringify(members),
      });
      return status === 200 ? "ok" : [status, body.code, body.description];
    };
    const refused = [
      403,
      "access",
      "You do not have the required account privileges to access one or more replayed jobs.",
    ];
    const event = await at.create({
      nodes: { a: node({ category: "mine" }) },
      wires: ["start>a"],
      event: { category: "mine" },
    });
    const { workflow, ...record } = (await at.must("get_event", { id: event })).event;
    const graphWith = (replay: string) => ({
      ...workflow,
      nodes: workflow.nodes.map((each: { id: string; data: object }) =>
        each.id === "a" ? { ...each, data: { ...each.data, replay } } : each,
      ),
    });
    for (const [replay, expected] of [
      [theirs, refused],
      [mine, "ok"],
      ["jgone", "ok"],
    ] as const) {
      const graph = graphWith(replay);
      expect([replay, await call("create_event", { ...record, id: `n${replay}`, workflow: graph })]).toEqual([
        replay,
        expected,
      ]);
      expect([replay, await call("run_event", { id: event, workflow: graph })]).toEqual([replay, expected]);
      expect([replay, await call("update_event", { id: event, workflow: graph })]).toEqual([replay, expected]);
      // The same for a stored workflow.
      await at.must("update_event", { id: event, workflow: graph });
      expect([replay, await call("run_event", { id: event })]).toEqual([replay, expected]);
      expect([replay, await call("update_event", { id: event, workflow })]).toEqual([replay, expected]);
      await at.must("update_event", { id: event, workflow });
    }
  });

  test("are listed, counted and sent to pages like other jobs, and have no log", async () => {
    const at = await openFlows(storage);
    const { job } = await at.play({ nodes: { a: "job" }, wires: ["start>a"] });
    expect(job).toMatchObject({
      type: "workflow",
      plugin: "_workflow",
      targets: [],
      log_file_size: 0,
      elapsed: expect.any(Number),
    });
    expect(job).not.toHaveProperty("server");
    expect(job).not.toHaveProperty("wfJobData");
    expect((await at.admin.get(`get_job_log/v1?id=${job.id}`)).status).toBe(204);
    const rows = (await at.admin.get("search_jobs/v1?query=*&limit=9")).body.rows;
    expect(rows.map(({ type }: Members) => type).toSorted()).toEqual(["adhoc", "workflow"]);
    expect((await at.admin.get("search_jobs/v1?query=plugin:_workflow&limit=9")).body.list.length).toBe(1);
    const day = (await at.admin.get("dash_stats/v1")).body.stats.day;
    expect(day.transactions).toMatchObject({ job_start: 2, job_success: 2, job_complete: 2 });
    // Jobs of job nodes are counted under the workflow's event.
    expect(day.events[job.event]).toMatchObject({ job_start: 2, job_success: 2 });
    const several = (await at.admin.get(`get_jobs/v1?ids=${job.id}&verbose=1`)).body.jobs;
    expect(several).toMatchObject([{ id: job.id, workflow: { jobs: { a: [{}] } } }]);
  });
});

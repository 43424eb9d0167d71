import { describe, expect, test } from "vitest";
import { graphOf, type Members, manual, node, openGraphs, wire, workflowOf } from "./boxes/graph-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const account = "You do not have the required account privileges to access";
const PRIVILEGES = ["create_events", "edit_events", "run_jobs"];

describe.each(ONE_STORAGE)("rights to write and run workflows over %s", (name) => {
  /** Answers to a restricted caller for each way to write or run a workflow with a node. */
  async function refusals(
    at: Awaited<ReturnType<typeof openGraphs>>,
    limits: Members,
    data: [type: string, data: Members],
  ) {
    const call = await at.caller(PRIVILEGES, limits);
    const workflow = graphOf(node("n2", ...data));
    const own = workflowOf({ id: "mine1", category: "mine" });
    await at.post("create_event", own);
    const created = await call("create_event", workflowOf({ id: "other", category: "mine", workflow }));
    const changed = await call("update_event", { id: "mine1", workflow });
    const posted = await call("run_event", { id: "mine1", workflow });
    await at.must("update_event", { id: "mine1", workflow });
    const stored = await call("update_event", { id: "mine1", workflow: graphOf() });
    const run = await call("run_event", { id: "mine1" });
    await at.must("update_event", { id: "mine1", workflow: graphOf() });
    return [created, changed, posted, stored, run].map(({ description, status }) =>
      status === 200 ? "ok" : description,
    );
  }
  const all = (text: string) => Array(5).fill(text);
  const inCategory = { categories: ["mine"] };
  const inGroup = { groups: ["web"] };

  test("nodes are within reach, also nodes of workflows that are run", async () => {
    const at = await openGraphs(name);
    const foreign = graphOf(node("n2", "event", { event: "foreign" }));
    await at.must("create_event", workflowOf({ id: "inner", category: "mine", workflow: foreign }));
    const middle = graphOf(node("n2", "event", { event: "inner" }));
    await at.must("create_event", workflowOf({ id: "outer", category: "mine", workflow: middle }));
    // A cycle of workflows must not make the check endless.
    await at.must("update_event", {
      id: "inner",
      workflow: { ...foreign, nodes: [...foreign.nodes, node("n3", "event", { event: "outer" })] },
    });
    const theirs = `${account} category ID theirs.`;
    const targets = `${account} targets: db.`;
    const cases: [Members, [string, Members], unknown][] = [
      [inCategory, ["event", { event: "own" }], all("ok")],
      [inCategory, ["event", { event: "foreign" }], all(theirs)],
      [inCategory, ["event", { event: "outer" }], all(theirs)],
      [inCategory, ["job", { plugin: "free", category: "mine" }], all("ok")],
      [inCategory, ["job", { plugin: "free" }], all("ok")],
      [inCategory, ["job", { plugin: "free", category: "theirs" }], all(theirs)],
      [inGroup, ["event", { event: "own" }], all("ok")],
      [inGroup, ["event", { event: "own", targets: [] }], all("ok")],
      [inGroup, ["event", { event: "foreign" }], all(targets)],
      [inGroup, ["event", { event: "outer" }], all(targets)],
      [inGroup, ["event", { event: "own", targets: ["db"] }], all(targets)],
      [inGroup, ["job", { plugin: "free", targets: ["db"] }], all(targets)],
      [inGroup, ["job", { plugin: "free", params: { _xy_override_targets: "db" } }], all(targets)],
      [inGroup, ["job", { plugin: "free", targets: ["web"] }], all("ok")],
    ];
    for (const [limits, data, expected] of cases) {
      expect([data, await refusals(at, limits, data)]).toEqual([data, expected]);
      await at.post("delete_event", { id: "other" });
    }
  });

  test("a deleted event is reported to limited callers before anything else of the graph", async () => {
    const at = await openGraphs(name);
    const call = await at.caller(PRIVILEGES, inCategory);
    const workflow = graphOf(node("n2", "event", { event: "gone" }));
    const answer = await call("create_event", workflowOf({ category: "mine", workflow }));
    expect([answer.status, answer.code, answer.description]).toEqual([
      400,
      "api",
      "Workflow references missing Event ID: gone",
    ]);
  });

  test("references of action nodes must be within reach, and stored ones may stay", async () => {
    const at = await openGraphs(name);
    const call = await at.caller(PRIVILEGES, inCategory);
    const runs = (event_id: string) => node("n2", "action", { enabled: true, type: "run_event", event_id });
    const own = (workflow: unknown) => workflowOf({ category: "mine", workflow });
    const refused = { status: 403, description: `${account} category ID theirs.` };
    expect(await call("create_event", own(graphOf(runs("foreign"))))).toMatchObject(refused);
    await at.must("create_event", own(graphOf(runs("foreign"))));
    const moved = { ...runs("foreign"), x: 500 };
    expect(await call("update_event", { id: "flow", workflow: graphOf(moved) })).toMatchObject({ status: 200 });
    const wired = { ...graphOf(moved), connections: [wire("c1", "n1", "n2", { condition: "error" })] };
    expect(await call("update_event", { id: "flow", workflow: wired })).toMatchObject(refused);
    expect(await call("run_event", { id: "flow", workflow: wired })).toMatchObject(refused);
    expect(await call("run_event", { id: "flow", workflow: graphOf(moved) })).toMatchObject({ status: 200 });
    expect(await call("update_event", { id: "flow", workflow: graphOf(runs("own")) })).toMatchObject({ status: 200 });
  });

  test("a limit to groups hides no workflow, but a limit to categories does", async () => {
    const at = await openGraphs(name);
    const workflow = graphOf(node("n2", "event", { event: "foreign" }));
    await at.must("create_event", workflowOf({ category: "theirs", workflow }));
    const grouped = await at.caller([], inGroup);
    expect(await grouped("get_event", { id: "flow" })).toMatchObject({ status: 200, event: { workflow } });
    expect((await grouped("get_events", {})).rows.map(({ id }: { id: string }) => id)).toContain("flow");
    const limited = await at.caller([], inCategory);
    expect((await limited("get_event", { id: "flow" })).status).toBe(403);
    expect((await limited("get_events", {})).rows.map(({ id }: { id: string }) => id)).toEqual(["own"]);
  });

  test("privileges of events apply to workflows", async () => {
    const at = await openGraphs(name);
    const call = await at.caller([]);
    for (const operation of ["create_event", "update_event", "run_event"])
      expect((await call(operation, workflowOf())).code).toBe("access");
  });
});

describe.each(ONE_STORAGE)("locked parameters and starts over %s", (name) => {
  const nodes = (secretOfJob: unknown, secretOfEvent: unknown) => [
    node("n2", "job", { plugin: "lock", params: { secret: secretOfJob } }),
    node("n3", "event", { event: "locked", params: { secret: secretOfEvent } }),
  ];
  const paramsIn = (workflow: { nodes: { type: string; data: Members }[] }) =>
    workflow.nodes.filter(({ type }) => type !== "trigger").map(({ data }) => data["params"]);

  test("a writer who is not an administrator can set none of them", async () => {
    const at = await openGraphs(name);
    const call = await at.caller(PRIVILEGES);
    const created = await call("create_event", workflowOf({ workflow: graphOf(...nodes("rm", "rm")) }));
    expect(paramsIn(created.event.workflow)).toEqual([{ secret: "preset" }, {}]);
    expect(created.warnings).toEqual(
      ["n2", "n3"].map(
        (id) => `Workflow node #${id}: Parameter 'secret' is locked: the value that was sent is not used.`,
      ),
    );
    await at.must("update_event", { id: "flow", workflow: graphOf(...nodes("one", "two")) });
    const changed = await call("update_event", { id: "flow", workflow: graphOf(...nodes("rm", "rm")) });
    expect(paramsIn(changed.event.workflow)).toEqual([{ secret: "one" }, { secret: "two" }]);
    const renamed = await call("update_event", { id: "flow", title: "Other" });
    expect(paramsIn(renamed.event.workflow)).toEqual([{ secret: "one" }, { secret: "two" }]);
    const [job, event] = nodes("rm", "rm");
    const others = graphOf({ ...job, id: "n8" }, { ...event, id: "n9" });
    const added = await call("update_event", { id: "flow", workflow: others });
    expect(paramsIn(added.event.workflow)).toEqual([{ secret: "preset" }, {}]);
  });

  test("a whole record is run by a caller with one privilege, with locked values unchanged", async () => {
    const at = await openGraphs(name);
    const { event } = await at.must("create_event", workflowOf({ workflow: graphOf(...nodes("one", "two")) }));
    const call = await at.caller(["run_jobs"]);
    const triggers = [{ id: "n5", type: "manual", enabled: true }];
    const posted = { ...event, triggers, params: { a: 1 }, workflow: graphOf(...nodes("rm", "rm")), plugin: "free" };
    expect(await call("run_event", posted)).toMatchObject({ code: 0, id: "j1" });
    const [{ overrides = {}, params: sent } = {}] = at.launched;
    const workflow = overrides["workflow"] as never;
    expect(paramsIn(workflow)).toEqual([{ secret: "one" }, { secret: "two" }]);
    expect(workflow).toMatchObject({ start: "n1", connections: posted.workflow.connections });
    expect([sent, overrides["plugin"]]).toEqual([{ a: 1 }, undefined]);
  });

  test("a run begins with the manual trigger, or with the node that the caller names", async () => {
    const at = await openGraphs(name);
    await at.must("create_event", workflowOf({ workflow: graphOf(...nodes("one", "two")) }));
    const stored = (await at.must("get_event", { id: "flow" })).event.workflow;
    await at.must("run_event", { id: "flow" });
    await at.must("run_event", { id: "flow", "workflow/start": "n3" });
    await at.must("run_event", { id: "flow", workflow: { ...stored, start: "n2", job: "j9", node: "n9" } });
    expect(at.launched.map(({ overrides }) => overrides?.["workflow"])).toEqual([
      { ...stored, start: "n1" },
      { ...stored, start: "n3" },
      { ...stored, start: "n2" },
    ]);
    await at.must("update_event", { id: "flow", triggers: [] });
    const refused = await at.post("run_event", { id: "flow" });
    expect(refused.body.description).toBe("Event does not allow manual job runs: flow");
  });

  test("other launches begin with the trigger that fired", async () => {
    const at = await openGraphs(name);
    const triggers = [
      ...[manual, { id: "n2", type: "schedule", enabled: true, minutes: [1] }],
      ...[{ id: "n3", type: "magic", enabled: true, key: "mykey" }],
    ];
    const workflow = { ...graphOf(node("n2", "trigger"), node("n3", "trigger")), start: "n3" };
    await at.must("create_event", workflowOf({ triggers, workflow }));
    const link = await at.send("/api/app/magic/v1/mykey", { method: "POST" });
    expect(link.status).toBe(200);
    await at.clock.advance(61);
    await untilOf(at.clock)(() => at.launched.length > 1);
    const starts = at.launched.map(({ overrides = {}, source }) => [source, Object(overrides["workflow"])["start"]]);
    expect(starts).toEqual([
      ["magic", "n3"],
      ["scheduler", "n2"],
    ]);
  });
});

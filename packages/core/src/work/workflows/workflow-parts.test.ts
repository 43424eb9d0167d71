import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { startWorkflows } from "../../testing/test-workflows.ts";

describe("actions", () => {
  test("of the workflow run beside it, actions of a node in its jobs, and both are in the state", async () => {
    const at = await startWorkflows();
    const tag = { enabled: true, type: "tag", tags: ["nightly"] };
    const { id } = await at.run({
      nodes: [
        ...[
          at.manual,
          at.job("a"),
          at.node("t", "action", tag),
          at.node("u", "action", tag),
          at.node("off", "action", { ...tag, enabled: false }),
        ],
        at.node("s", "action", { enabled: true, type: "suspend" }),
      ],
      wires: ["start>a", "a>t:success", "start>u", "start>off"],
    });
    const { job } = await at.final(id);
    expect(job).toMatchObject({ code: 0 });
    expect(job.workflow).toMatchObject({
      state: {
        t: { code: 0, count: 1, date: expect.any(Number), completed: expect.any(Number) },
        u: { code: 0, count: 1, active: false, date: expect.any(Number) },
      },
    });
    expect((await at.jobsOf("a"))[0]?.tags).toContain("nightly");
  });

  test("of type suspend are allowed only for jobs", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [at.manual, at.node("s", "action", { enabled: true, type: "suspend" })],
      wires: ["start>s"],
    });
    expect((await at.final(id)).job).toMatchObject({ code: "warning", workflow: { state: { s: { error: true } } } });
  });

  test("a suspended sub-job continues at another node when the user chooses one", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        at.manual,
        at.job("a"),
        at.node("s", "action", { enabled: true, type: "suspend" }),
        at.job("b"),
        at.job("c"),
      ],
      wires: ["start>a", "a>s:complete", "a>b:success"],
    });
    await at.settle();
    const [part = ""] = at.idsOf("a");
    await expect(at.api.resumeJob({ id: part, redirect: "nowhere" })).rejects.toThrow(
      "Workflow node not found: nowhere",
    );
    await at.api.resumeJob({ id: part, redirect: "c" });
    expect((await at.final(id)).job).toMatchObject({ code: 0 });
    expect(at.ranNodes()).toEqual(["a", "c"]);
  });
});

describe("limits", () => {
  test("of a node apply to its jobs: one at a time, in a line", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        ...[at.manual, at.controller("r", { controller: "repeat", repeat: 4 }), at.job("a")],
        at.node("one", "limit", { enabled: true, type: "job", amount: 1 }),
        at.node("line", "limit", { enabled: true, type: "queue", amount: 10 }),
      ],
      wires: ["start>r", "r>a", "a>one", "a>line"],
    });
    expect((await at.final(id)).job).toMatchObject({ code: 0, workflow: { state: { r: { max: 4, count: 4 } } } });
    expect(at.ranNodes()).toHaveLength(4);
  });

  test("a retried sub-job reports once, and is listed with its failed attempts", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        ...[
          at.manual,
          at.controller("r", { controller: "repeat", repeat: 1 }),
          at.job("a", { gives: { code: 1, data: { n: 1 } } }),
        ],
        at.node("again", "limit", { enabled: true, type: "retry", amount: 2, duration: 0 }),
        at.job("b"),
      ],
      wires: ["start>r", "r>a", "a>again", "a>b:error"],
    });
    const { job } = await at.final(id);
    expect(at.ranNodes()).toEqual(["a", "a", "a", "b"]);
    expect(job).toMatchObject({
      code: "warning",
      workflow: {
        state: { r: { max: 1, count: 1 } },
        jobs: { a: [{ retried: true }, { retried: true }, { code: 1 }] },
      },
    });
  });
});

test("a retry of a job node has nothing of the workflow's event, and continues when that is disabled", async () => {
  const time = (duration: number) => [{ enabled: true, type: "time", duration }] as never;
  const at = await startWorkflows({ config: { job_universal_limits: { default: time(99), workflow: time(77) } } });
  const again = { enabled: true, type: "retry", amount: 1, duration: 5 };
  const { id, event } = await at.run({
    nodes: [at.manual, at.job("a", { gives: { code: 1 } }), at.node("again", "limit", again)],
    wires: ["start>a", "a>again"],
    event: { notes: "Of the workflow", icon: "flow", expression: "false", silence_alerts: true },
  });
  await at.settle();
  await at.api.updateEvent({ id: event, enabled: false });
  await at.final(id);
  const [first, second, ...more] = await at.jobsOf("a");
  expect([first?.["retried"], second?.["retry_count"], more]).toEqual([true, 1, []]);
  expect(second?.["limits"]).toEqual(first?.["limits"]);
  for (const member of ["notes", "icon", "expression", "silence_alerts"])
    expect([member, second?.[member]]).toEqual([member, first?.[member]]);
});

describe("workflows inside of workflows", () => {
  test("are one sub-job of the outer one, with their merged output", async () => {
    const at = await startWorkflows();
    const inner = await at.event({
      nodes: [at.manual, at.job("x", { gives: { data: { inner: 1 } } })],
      wires: ["start>x"],
    });
    const { id } = await at.run({
      nodes: [at.manual, at.node("sub", "event", { event: inner, params: {} }), at.job("after")],
      wires: ["start>sub", "sub>after:success"],
    });
    const { job } = await at.final(id);
    expect(job).toMatchObject({ code: 0, data: { inner: 1 } });
    expect(at.inputOf("after")).toEqual([{ data: { inner: 1 }, files: [] }]);
    const [stub] = (job.workflow as { jobs: { sub: { id: string }[] } }).jobs.sub;
    const nested = (await at.api.getJob({ id: stub?.id ?? "" })).job;
    expect(nested).toMatchObject({
      type: "workflow",
      workflow: { job: id, node: "sub", start: "start", jobs: { x: [{ code: 0 }] } },
    });
  });

  test("are refused at a depth of sixteen", async () => {
    const at = await startWorkflows();
    const first = await at.event({ nodes: [at.manual, at.job("x")], wires: ["start>x"] });
    const second = await at.event({
      nodes: [at.manual, at.node("sub", "event", { event: first, params: {} })],
      wires: ["start>sub"],
    });
    const nodes = [at.manual, at.node("sub", "event", { event: second, params: {} })];
    const workflow = { nodes, connections: [{ id: "c1", source: "start", dest: "sub" }] };
    await at.api.updateEvent({ id: first, workflow } as never);
    const { id } = await at.api.runEvent({ id: first });
    const path: string[] = [];
    for (let next: string | undefined = id; next; ) {
      const { job } = await at.final(next);
      path.push(String(job.description));
      next = (job.workflow as { jobs: { sub?: { id: string }[] } }).jobs.sub?.[0]?.id;
    }
    expect(path).toHaveLength(16);
    expect(path.at(-1)).toBe("Maximum workflow depth reached (16)");
  });
});

test("are retried as a whole when they fail", async () => {
  const at = await startWorkflows();
  const { id } = await at.run({
    nodes: [at.manual, at.job("a", { gives: { code: 1 } })],
    wires: ["start>a"],
    event: { limits: [{ enabled: true, type: "retry", amount: 1, duration: 0 }] },
  });
  const { job } = await at.final(id);
  const next = job.jobs?.find(({ reason }) => reason === "retry")?.id ?? "";
  expect((await at.final(next)).job).toMatchObject({
    code: 1,
    retry_prev: id,
    workflow: { jobs: { a: [{ code: 1 }] } },
  });
});

test("end their jobs by the workflow's own time limit", async () => {
  const at = await startWorkflows();
  const { id } = await at.run({
    nodes: [at.manual, at.job("a", { hangs: true })],
    wires: ["start>a"],
    event: { limits: [{ enabled: true, type: "time", duration: 60, abort: true }] },
  });
  await at.advance(65);
  expect((await at.final(id)).job).toMatchObject({
    code: "abort",
    description: expect.stringContaining("elapsed time"),
  });
});

describe("a restart", () => {
  test("in the middle loses nothing and starts nothing twice", async () => {
    const first = await startWorkflows({ satellites: true });
    const { id } = await first.run({
      nodes: [
        ...[first.manual, first.controller("r", { controller: "repeat", repeat: 3 }), first.job("a", { hangs: true })],
        ...[first.controller("w", { controller: "wait", wait: 100 }), first.job("b"), first.job("c")],
      ],
      wires: ["start>r", "r>a", "start>w", "w>b", "a>c:continue"],
    });
    await first.settle();
    first.crash();
    const at = await startWorkflows({
      satellites: true,
      storage: first.storage,
      blobs: first.blobs,
      clock: first.clock,
    });
    await at.settle();
    for (const part of first.idsOf("a"))
      at.server.send("jobs", { [part]: { state: "complete", complete: true, code: 0 } });
    await at.advance(101);
    expect((await at.final(id)).job).toMatchObject({
      code: 0,
      workflow: { state: { r: { count: 3 }, w: { active: false } } },
    });
    expect(at.ranNodes().toSorted()).toEqual(["b", "c"]);
  });
});

interface GraphOf {
  readonly nodes: readonly { readonly id: string }[];
}

describe("a stored graph that names deleted records", () => {
  test("runs until a node needs them, and only a changed node is refused where it is sent or saved", async () => {
    const at = await startWorkflows();
    const gone = { title: "Gone", enabled: true, category: "general", plugin: "shellplug", targets: ["main"] };
    const params = { script: "true" };
    await at.api.createEvent({ ...gone, id: "gone", algo: "random", params, triggers: [] } as never);
    const graph = {
      nodes: [at.manual, at.job("a"), at.node("b", "event", { event: "gone" })],
      wires: ["start>a", "a>b:success"],
    };
    const event = await at.event(graph);
    await at.api.deleteEvent({ id: "gone" });
    const { id } = await at.api.runEvent({ id: event });
    const { job } = await at.final(id);
    expect(job).toMatchObject({ code: "abort", description: "Event not found: gone (Node #b)" });
    expect(at.ranNodes()).toEqual(["a"]);
    const refused = { code: "api", description: "Malformed workflow node #b: Unknown Event ID: gone" };
    const { workflow } = (await at.api.updateEvent({ id: event, notes: "n" })).event as never as { workflow: GraphOf };
    const nodes = workflow.nodes.map((each) =>
      each.id === "b" ? { ...each, data: { event: "gone", label: "L" } } : each,
    );
    const changed = { id: event, workflow: { ...workflow, nodes } } as never;
    expect(await refusalOf(at.api.runEvent(changed))).toEqual(refused);
    expect(await refusalOf(at.api.updateEvent(changed))).toEqual(refused);
    for (const sent of [workflow, { start: "a" }])
      await at.final((await at.api.runEvent({ id: event, workflow: sent } as never)).id);
    expect(at.ranNodes()).toEqual(["a", "a", "a"]);
  });
});

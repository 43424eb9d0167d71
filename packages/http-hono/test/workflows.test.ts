import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;

const node = (id: string, type: string, data: Members = {}) => ({ id, type, x: 0, y: 0, data });
const job = (id: string) =>
  node(id, "job", { plugin: "shellplug", category: "general", targets: ["s1"], params: { script: "true" } });
const wire = (text: string, index: number) => {
  const [, source, dest, condition] = /^(\w+)>(\w+)(?::(\w+))?$/.exec(text) ?? [];
  return { id: `c${index}`, source, dest, ...(condition ? { condition } : {}) };
};

const flow = {
  ...{ id: "flow", title: "Flow", enabled: true, type: "workflow", category: "general", plugin: "_workflow" },
  triggers: [{ id: "start", type: "manual", enabled: true }],
  workflow: {
    nodes: [
      ...[node("start", "trigger"), node("split", "controller", { controller: "split", split: "data.items" })],
      ...[job("each"), job("after"), job("side"), node("both", "controller", { controller: "join" }), job("last")],
      node("note", "note", { body: "for people" }),
    ],
    connections: [
      ...["start>split", "split>each", "each>after:continue", "start>side", "after>both:success", "side>both:success"],
      "both>last",
    ].map(wire),
  },
};

/** An engine whose server answers depending on the graph node of a job; `held` waits for the test. */
async function open(name: string) {
  const config = { tz: "UTC", job_universal_actions: { default: [], workflow: [] } };
  const at = await openEngine(name, { config });
  const held: string[] = [];
  const ran: string[] = [];
  const isHeld = new Set<string>();
  const server = await at.agent.connect({
    hostname: "s1.example.internal",
    id: "s1",
    onMessage({ cmd, data }) {
      if (cmd === "abort_job") end((data as { id: string }).id, { code: "abort" });
      if (cmd !== "launch_job") return;
      const { id, workflow } = (data as { job: { id: string; workflow: { node: string } } }).job;
      ran.push(workflow.node);
      if (isHeld.has(workflow.node)) held.push(id);
      else end(id, { data: { [workflow.node]: 1 } });
    },
  });
  const end = (id: string, members: Members): void =>
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...members } });
  const { body } = await at.admin.post("create_event", flow);
  expect(body).toMatchObject({ code: 0 });
  const read = async (id: string) => (await at.admin.get(`get_job/v1?id=${id}`)).body.job;
  return { ...at, held, isHeld, ran, read, end, until: untilOf(at.clock) };
}

describe.each(ONE_STORAGE)("whole workflows over %s", (name) => {
  test("a workflow splits, continues once, joins and ends with all output of its jobs", async () => {
    const at = await open(name);
    const { id } = (await at.admin.post("run_event", { id: "flow", input: { data: { items: ["a", "b", "c"] } } })).body;
    await at.until(async () => (await at.read(id)).final === true);
    const ended = await at.read(id);
    expect(ended).toMatchObject({ code: 0, type: "workflow", data: { each: 1, after: 1, side: 1, last: 1 } });
    expect(at.ran.toSorted()).toEqual(["after", "each", "each", "each", "last", "side"]);
    expect(ended.workflow.nodes.map((each: Members) => each["id"])).not.toContain("note");
    expect(ended.workflow).toMatchObject({
      state: { split: { max: 3, count: 3, active: false }, both: { max: 2, active: false } },
      jobs: { each: [{ code: 0 }, { code: 0 }, { code: 0 }], last: [{ code: 0 }] },
    });
    const parts = await at.admin.get("search_jobs/v1?query=workflow:flow");
    expect(parts.body.list.length).toBe(6);
    await at.admin.post("delete_job", { id });
    await at.until(async () => (await at.admin.get("search_jobs/v1?query=workflow:flow")).body.list.length === 0);
  });

  test("a workflow that runs shows its state, protects its sub-jobs from deletion and ends with all of them", async () => {
    const at = await open(name);
    at.isHeld.add("each");
    const { id } = (await at.admin.post("run_event", { id: "flow", input: { data: { items: ["a", "b"] } } })).body;
    await at.until(async () => at.held.length === 2 && (await at.read(id)).workflow.jobs?.side !== undefined);
    const running = await at.read(id);
    expect(running).toMatchObject({
      state: "active",
      workflow: { state: { split: { active: true, max: 2, count: 0 } } },
    });
    const [side] = running.workflow.jobs.side;
    expect((await at.admin.post("delete_job", { id: side.id })).body.description).toContain("active workflow");
    const { body: summary } = await at.admin.get("get_workflow_job_summary/v1?workflow.job=".concat(id));
    expect(summary.nodes).toEqual({ each: 2 });
    await at.admin.post("abort_job", { id });
    await at.until(async () => (await at.read(id)).final === true);
    expect(await at.read(id)).toMatchObject({
      code: "abort",
      workflow: { aborted: expect.stringContaining("aborted") },
    });
    expect(at.ran).not.toContain("after");
  });
});

import { expect, test } from "vitest";
import { startWorkflows } from "../../testing/test-workflows.ts";

test("an ended job replaces a run of its node", async () => {
  const at = await startWorkflows();
  const first = await at.run({ nodes: [at.manual, at.job("a", { gives: { data: { n: 5 } } })], wires: ["start>a"] });
  await at.final(first.id);
  const [old = ""] = at.idsOf("a");
  const { id } = await at.run({
    nodes: [at.manual, at.job("a", {}, { replay: old }), at.job("b")],
    wires: ["start>a", "a>b:success"],
  });
  const { job } = await at.final(id);
  expect(at.ranNodes()).toEqual(["a", "b"]);
  expect(at.inputOf("b")).toEqual([{ data: { n: 5 }, files: [] }]);
  expect(job.workflow).toMatchObject({ jobs: { a: [{ id: old, replay: true }] } });
});

test("an ended job replaces each run of its node, however often a controller asks for it", async () => {
  const at = await startWorkflows();
  const first = await at.run({ nodes: [at.manual, at.job("a")], wires: ["start>a"] });
  await at.final(first.id);
  const [old = ""] = at.idsOf("a");
  const { id } = await at.run({
    nodes: [
      ...[at.manual, at.controller("r", { controller: "repeat", repeat: 3 })],
      ...[at.job("a", {}, { replay: old }), at.job("b")],
    ],
    wires: ["start>r", "r>a", "a>b:success"],
  });
  const { job } = await at.final(id);
  const replayed = { id: old, replay: true };
  expect(job).toMatchObject({
    code: 0,
    workflow: { jobs: { a: [replayed, replayed, replayed] }, state: { r: { count: 3 } } },
  });
  expect(at.ranNodes()).toEqual(["a", "b", "b", "b"]);
});

test("a job resumed at a node of another graph is replayed with the wires of this graph", async () => {
  const at = await startWorkflows();
  const suspend = at.node("s", "action", { enabled: true, type: "suspend" });
  const first = await at.run({
    nodes: [at.manual, at.job("a"), suspend, at.job("b"), at.job("c")],
    wires: ["start>a", "a>s:complete", "a>b:success"],
  });
  await at.settle();
  const [old = ""] = at.idsOf("a");
  await at.api.resumeJob({ id: old, redirect: "c" });
  await at.final(first.id);
  const { id } = await at.run({
    nodes: [at.manual, at.job("a", {}, { replay: old }), at.job("d")],
    wires: ["start>a", "a>d:success"],
  });
  await at.final(id);
  expect(at.ranNodes()).toEqual(["a", "c", "d"]);
});

import { expect, test } from "vitest";
import { startWorkflows } from "../../testing/test-workflows.ts";

test("a retry of a workflow begins with the data of the first launch, without the output of its jobs", async () => {
  const at = await startWorkflows();
  const event = await at.event({
    nodes: [at.manual, at.job("a", { gives: { code: 1, workflowData: { rows: [1] } } })],
    wires: ["start>a"],
    event: { limits: [{ enabled: true, type: "retry", amount: 1, duration: 0 }] },
  });
  const { id } = await at.api.runEvent({ id: event, workflowData: { rows: [0] } } as never);
  const first = (await at.final(id)).job;
  const second = (await at.final(first.jobs?.[0]?.id ?? "")).job;
  expect([first["data"], second["data"]]).toEqual([{ rows: [0, 1] }, { rows: [0, 1] }]);
});

test("multiplex runs over the targets that a parameter names, with one job for each server", async () => {
  const at = await startWorkflows({ servers: ["s1", "s2", "s3"] });
  const { id } = await at.run({
    nodes: [at.manual, at.controller("m", { controller: "multiplex" }), at.job("a", {}, { algo: "prefer_first" })],
    wires: ["start>m", "m>a"],
    event: { params: { _xy_override_targets: "main" } },
  });
  await at.final(id);
  const jobs = await at.jobsOf("a");
  expect(jobs.map(({ server, targets }) => [server, targets])).toEqual([
    ["s1", ["s1"]],
    ["s2", ["s2"]],
    ["s3", ["s3"]],
  ]);
});

test.each([false, true])("a decision gets the whole job before it, ephemeral: %s", async (ephemeral) => {
  const at = await startWorkflows();
  const event = await at.event({
    nodes: [
      ...[at.manual, at.job("a", { gives: { perf: { db: 5 } } }), at.job("b")],
      at.controller("d", { controller: "decision", decision: "perf.db == 5 && plugin == 'shellplug'" }),
    ],
    wires: ["start>a", "a>d:success", "d>b"],
  });
  await at.api.runEvent({ id: event, ephemeral });
  await at.settle();
  expect(at.ranNodes()).toEqual(["a", "b"]);
});

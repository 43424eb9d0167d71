import { expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { startWorkflows } from "../../../testing/test-workflows.ts";

const limit = (type: string, amount: number) => ({ enabled: true, type, amount });

test("a workflow whose sub-jobs wait in a line ends when everything is stopped", async () => {
  const probe = cradleProbe();
  const at = await startWorkflows({ plugins: [probe.plugin] });
  const { id } = await at.run({
    nodes: [
      ...[at.manual, at.controller("r", { controller: "repeat", repeat: 3 }), at.job("a", { hangs: true })],
      ...[at.node("one", "limit", limit("job", 1)), at.node("line", "limit", limit("queue", 5))],
    ],
    wires: ["start>r", "r>a", "a>one", "a>line"],
  });
  await at.settle();
  const stopped = probe.cradle().jobs.stopAll("The key is changed", new AbortController().signal);
  for (let second = 0; second < 10; second++) await at.advance(1);
  expect(await stopped).toEqual({ flushed: 2, aborted: 2, left: 0 });
  const stub = { code: "abort" };
  expect((await at.final(id)).job).toMatchObject({ code: "abort", workflow: { jobs: { a: [stub, stub, stub] } } });
});

/** A workflow whose sub-job was aborted and has been waiting for a person since. */
async function held(probe = cradleProbe()) {
  const at = await startWorkflows({ plugins: [probe.plugin] });
  const { id } = await at.run({
    nodes: [at.manual, at.job("a", { hangs: true }), at.node("s", "action", { enabled: true, type: "suspend" })],
    wires: ["start>a", "a>s:abort"],
  });
  await at.settle();
  const [part = ""] = at.idsOf("a");
  await at.api.abortJob({ id: part });
  await at.advance(3);
  expect((await at.api.getJob({ id: part })).job).toMatchObject({ code: "abort", suspended: true });
  return { at, id, probe };
}

test("a workflow ends when it is aborted while an aborted sub-job is suspended", async () => {
  const { at, id } = await held();
  await at.api.abortJob({ id });
  await at.advance(5);
  expect((await at.api.getJob({ id })).job).toMatchObject({ code: "abort", final: true });
});

test("an aborted sub-job that is suspended ends when everything is stopped", async () => {
  const { at, probe } = await held();
  const stopped = probe.cradle().jobs.stopAll("The key is changed", new AbortController().signal);
  for (let second = 0; second < 130; second++) await at.advance(1);
  expect(await stopped).toMatchObject({ left: 0 });
});

import { afterEach, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { jobRecords } from "../../../test/work/job-records.ts";
import { startJobs, type TestJobs } from "../../testing/test-jobs.ts";

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

const refusal = {
  code: "access",
  description: "You do not have the required account privileges to access one or more replayed jobs.",
};

/** A caller limited to a category, and ended jobs in this category and in another. */
async function setUp() {
  const jobs = await startJobs();
  running.push(jobs);
  const { api } = jobs.signalbox;
  for (const id of ["mine", "theirs"]) await api.createCategory({ id, title: id });
  await api.createPlugin({ id: "free", title: "Free", type: "event", command: "sh" });
  const { final } = jobRecords(jobs.storage);
  await final("jmine", { category: "mine" });
  await final("jtheirs", { category: "theirs" });
  const caller = jobs.signalbox.as(keyWith(["create_events", "edit_events", "run_jobs"], { categories: ["mine"] }));
  const flow = (...replay: string[]) => ({
    ...{ title: "Flow", enabled: true, category: "mine", type: "workflow" },
    triggers: [{ id: "n1", type: "manual" as const, enabled: true }],
    workflow: {
      nodes: replay.map((id, index) => ({
        ...{ id: `n${index + 2}`, type: "job" as const, x: 0, y: 0 },
        data: { plugin: "free", replay: id },
      })),
      connections: [],
    },
  });
  return { api, caller, flow };
}

test("jobs within the caller's reach are replayed, and deleted ones are ignored", async () => {
  const { caller, flow } = await setUp();
  const { event } = await caller.createEvent(flow("jmine", "jgone"));
  expect(event["workflow"]).toMatchObject({ nodes: [{ data: { replay: "jmine" } }, { data: { replay: "jgone" } }] });
});

test("jobs of a foreign category are refused, however they come into the graph", async () => {
  const { api, caller, flow } = await setUp();
  const { workflow } = flow("jmine", "jtheirs");
  expect(await refusalOf(caller.createEvent(flow("jmine", "jtheirs")))).toEqual(refusal);
  const { event } = await caller.createEvent(flow());
  expect(await refusalOf(caller.updateEvent({ id: event.id, workflow }))).toEqual(refusal);
  expect(await refusalOf(caller.runEvent({ id: event.id, workflow }))).toEqual(refusal);
  await api.updateEvent({ id: event.id, workflow });
  expect(await refusalOf(caller.updateEvent({ id: event.id, title: "Other" }))).toEqual(refusal);
  expect(await refusalOf(caller.runEvent({ id: event.id }))).toEqual(refusal);
});

test("jobs of a foreign category are also refused inside a workflow that the graph runs", async () => {
  const { api, caller, flow } = await setUp();
  const { event: inner } = await api.createEvent(flow("jtheirs"));
  const node = { id: "n2", type: "event" as const, x: 0, y: 0, data: { event: inner.id } };
  const workflow = { nodes: [node], connections: [] };
  expect(await refusalOf(caller.createEvent({ ...flow(), workflow }))).toEqual(refusal);
});

import { afterEach, describe, expect, test } from "vitest";
import { keyWith } from "../../../test/engine.ts";
import { jobRecords } from "../../../test/work/job-records.ts";
import { invocationCollection } from "../../fleet/alerts/collection.ts";
import type { Invocation } from "../../fleet/alerts/model.ts";
import { startJobs, type TestJobs } from "../../testing/test-jobs.ts";

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

const ended = (id: string, members: object = {}) => ({
  id,
  code: 0,
  description: `Said by ${id}`,
  files: [],
  ...members,
});
const firing = {
  ...{ id: "f1", alert: "a1", server: "s1", date: 1, active: true, modified: 1, exp: "true", message: "m", count: 1 },
  ...{ notified: true, groups: ["web"], jobs: ["jown", "jtheirs", "jgone"] },
};

/** Jobs and tickets of the categories "mine" and "theirs", and records that name them. */
async function setUp() {
  const jobs = await startJobs();
  running.push(jobs);
  const { api } = jobs.signalbox;
  for (const id of ["mine", "theirs"]) await api.createCategory({ id, title: id });
  const records = jobRecords(jobs.storage);
  await records.final("jown", { category: "mine" });
  await records.active("jruns", { category: "mine" });
  await records.final("jtheirs", { category: "theirs" });
  await records.final("flow", {
    ...{ type: "workflow", category: "mine", targets: [], completed: 2 },
    workflow: {
      nodes: [],
      jobs: {
        a: [ended("jown"), ended("jtheirs")],
        b: [ended("jtheirs"), ended("jgone", { deleted: true })],
        c: [ended("jruns")],
      },
    },
  });
  const tickets: string[] = [];
  for (const category of ["mine", "theirs"])
    tickets.push(
      (await api.createTicket({ subject: "S", type: "issue", status: "open", category } as never)).ticket.id,
    );
  await jobs.storage.write((tx) =>
    tx.collection(invocationCollection).insert({
      ...{ ...firing, tickets },
      owed: {
        condition: "alert_cleared",
        alert: "a1",
        invocation: "f1",
        active_jobs: firing.jobs.map((id) => ({ id, event: "e1" })),
      },
    } as unknown as Invocation),
  );
  return { api, limited: jobs.signalbox.as(keyWith(["acknowledge_alerts"], { categories: ["mine"] })), tickets };
}

type Place = Awaited<ReturnType<typeof setUp>>;
type Api = Place["limited"];

describe.each<[string, (api: Api) => Promise<unknown>]>([
  ["get_alert_invocations", async (api) => (await api.getAlertInvocations({ ids: ["f1"] })).alerts[0]],
  ["search_alerts", async (api) => (await api.searchAlerts({ query: "alert:a1" } as never)).rows[0]],
  [
    "acknowledge_alert_invocation",
    async (api) => (await api.acknowledgeAlertInvocation({ id: "f1", comment: "Mine" } as never)).alert,
  ],
])("%s", (_name, read) => {
  test("names the jobs and tickets that the caller may read, and no others", async () => {
    const { limited, tickets } = await setUp();
    const shown = await read(limited);
    expect(shown).toMatchObject({ id: "f1", jobs: ["jown"], tickets: [tickets[0]] });
    expect(JSON.stringify(shown)).not.toMatch(/jtheirs|jgone/);
  });

  test("names all of them for a caller without limits", async () => {
    const { api, tickets } = await setUp();
    expect(await read(api as unknown as Api)).toMatchObject({ jobs: firing.jobs, tickets });
  });
});

describe.each<[string, (api: Api) => Promise<unknown>]>([
  ["get_job", async (api) => (await api.getJob({ id: "flow" })).job],
  ["get_jobs", async (api) => (await api.getJobs({ ids: ["flow"], verbose: true } as never)).jobs[0]],
  [
    "search_jobs",
    async (api) => (await api.searchJobs({ query: "category:mine", limit: 10 } as never)).rows.find(isFlow),
  ],
  [
    "search_jobs with chosen members",
    async (api) =>
      (await api.searchJobs({ query: "category:mine", limit: 10, select: "id,workflow" } as never)).rows.find(isFlow),
  ],
])("a workflow's job in %s", (_name, read) => {
  test("has the results of sub-jobs that the caller may read, and counts the others", async () => {
    const { limited } = await setUp();
    const shown = await read(limited);
    expect(shown).toMatchObject({ workflow: { jobs: { a: [{ id: "jown" }], c: [{ id: "jruns" }] }, hidden: 3 } });
    expect(JSON.stringify(shown)).not.toMatch(/jtheirs|jgone/);
  });

  test("has all of them for a caller without limits", async () => {
    const { api } = await setUp();
    const { workflow } = (await read(api as unknown as Api)) as { workflow: { jobs: Record<string, unknown[]> } };
    expect(Object.values(workflow.jobs).flat()).toHaveLength(5);
    expect(workflow).not.toHaveProperty("hidden");
  });
});

function isFlow({ id }: { readonly id?: unknown }): boolean {
  return id === "flow";
}

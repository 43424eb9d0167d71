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

/** Jobs of both categories, and a workflow whose nodes ran them. */
async function storeJobs(records: ReturnType<typeof jobRecords>) {
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
}

/** A job that has ended and one that runs, with links to tickets and jobs. */
async function storeLinked(records: ReturnType<typeof jobRecords>, tickets: readonly string[]) {
  const links = { tickets, jobs: ["jown", "jtheirs"].map((id) => ({ id, reason: "action" })) };
  await records.final("linked", { category: "mine", source: "links", ...links });
  await records.active("runs", { category: "mine", ...links });
}

/** Jobs and tickets of the categories "mine" and "theirs", and records that name them. */
async function setUp() {
  const jobs = await startJobs();
  running.push(jobs);
  const { api } = jobs.signalbox;
  for (const id of ["mine", "theirs"]) await api.createCategory({ id, title: id });
  const records = jobRecords(jobs.storage);
  await storeJobs(records);
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
  await storeLinked(records, tickets);
  return {
    api,
    limited: jobs.signalbox.as(keyWith(["acknowledge_alerts", "edit_tickets"], { categories: ["mine"] })),
    tickets,
  };
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

describe.each<[string, (api: Api, query: string) => Promise<{ list: { length: number } }>]>([
  ["search_alerts", (api, query) => api.searchAlerts({ query, limit: 9 } as never)],
  ["search_jobs", (api, query) => api.searchJobs({ query, limit: 9 } as never)],
])("%s", (name, search) => {
  const count = async (api: Api, query: string) => (await search(api, query)).list.length;
  test("finds nothing by tickets and jobs that the caller may not read", async () => {
    const { api, limited, tickets } = await setUp();
    const names = [
      ...tickets.map((id) => `tickets:${id}`),
      ...(name === "search_alerts" ? ["jobs:jown", "jobs:jtheirs"] : []),
    ];
    for (const [at, query] of names.entries()) {
      expect(await count(api as unknown as Api, query)).toBe(1);
      expect(await count(limited, query)).toBe(at % 2 === 0 ? 1 : 0);
      expect(await count(limited, `${query} tenant:none`)).toBe(0);
    }
    const all = name === "search_alerts" ? "alert:a1" : "category:mine";
    expect(await count(limited, `${all} -tickets:${tickets[1]}`)).toBe(await count(limited, all));
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

describe.each<[string, (api: Api) => Promise<unknown>]>([
  ["get_job", async (api) => (await api.getJob({ id: "linked" })).job],
  ["get_job, of a running one", async (api) => (await api.getJob({ id: "runs" })).job],
  ["get_jobs", async (api) => (await api.getJobs({ ids: ["linked"] })).jobs[0]],
  ["get_active_jobs", async (api) => (await api.getActiveJobs({})).rows.find(({ id }) => id === "runs")],
  ["search_jobs", async (api) => (await api.searchJobs({ query: "source:links", limit: 10 } as never)).rows[0]],
])("a job with links in %s", (_name, read) => {
  test("names the tickets and jobs that the caller may read, and no others", async () => {
    const { limited, tickets } = await setUp();
    expect(await read(limited)).toMatchObject({ tickets: [tickets[0]], jobs: [{ id: "jown", reason: "action" }] });
  });

  test("names all of them for a caller without limits", async () => {
    const { api, tickets } = await setUp();
    const all = [{ id: "jown" }, { id: "jtheirs" }];
    expect(await read(api as unknown as Api)).toMatchObject({ tickets, jobs: all });
  });
});

describe.each<[string, (api: Api, tickets: string[]) => Promise<unknown>, (api: Api) => Promise<unknown>]>([
  [
    "manage_job_tickets",
    (api, tickets) => api.manageJobTickets({ id: "linked", tickets }),
    async (api) => (await api.getJob({ id: "linked" })).job.tickets,
  ],
  [
    "manage_alert_invocation_tickets",
    (api, tickets) => api.manageAlertInvocationTickets({ id: "f1", tickets }),
    async (api) =>
      (await api.getAlertInvocations({ ids: ["f1"] })).alerts.map((each) => "tickets" in each && each.tickets)[0],
  ],
])("%s", (_name, replace, read) => {
  test("keeps tickets that were hidden from the caller", async () => {
    const { api, limited, tickets } = await setUp();
    await replace(limited, []);
    expect(await read(api as unknown as Api)).toEqual([tickets[1]]);
    await replace(limited, [String(tickets[0])]);
    expect(await read(api as unknown as Api)).toEqual([tickets[1], tickets[0]]);
    await replace(api as unknown as Api, []);
    expect(await read(api as unknown as Api)).toEqual([]);
  });
});

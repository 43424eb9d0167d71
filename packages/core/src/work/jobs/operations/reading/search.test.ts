import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../../test/engine.ts";
import { jobRecords } from "../../../../../test/work/job-records.ts";
import { startJobs } from "../../../../testing/test-jobs.ts";

const NOW = 1_795_253_600;

async function setUp() {
  const jobs = await startJobs({ config: { tz: "UTC" } });
  const { storage, signalbox } = jobs;
  const records = jobRecords(storage);
  await records.final("j1", {
    code: 0,
    completed: NOW - 60,
    elapsed: 9,
    tags: ["_success", "nightly"],
    source: "user",
  });
  await records.final("j2", {
    code: "warning",
    completed: NOW - 90_000,
    elapsed: 10,
    category: "other",
    groups: ["web"],
  });
  await records.final("j3", {
    code: "abort",
    completed: NOW - 30,
    targets: ["web"],
    server: "s1",
    actions: [],
    html: "x",
  });
  await records.final("j4", { code: 0, completed: NOW - 10, type: "workflow", targets: [] });
  const search = async (input: Record<string, unknown>, who = keyWith([])) => {
    const { rows, list } = await signalbox.as(who).searchJobs({ limit: 100, ...input });
    return { ids: rows.map((row) => row["id"]), total: list.length, rows };
  };
  return { ...jobs, ...signalbox, ...records, search };
}

describe("search_jobs", () => {
  test("finds all finished jobs, the newest id first, and no running one", async () => {
    const { active, search } = await setUp();
    await active("j5");
    expect(await search({})).toMatchObject({ ids: ["j4", "j3", "j2", "j1"], total: 4 });
  });

  test.each([
    ["warning", ["j2"]],
    ["code:0", ["j4", "j1"]],
    ["code:abort|warning", ["j3", "j2"]],
    ["source:user tags:_success", ["j1"]],
    ["server:s1", ["j3"]],
    ["code:0 -tags:nightly", ["j4"]],
    ["date:today", ["j4", "j3", "j1"]],
    ['(code = "0" & tags = "nightly")', ["j1"]],
    ["nosuch:field", []],
  ])("%s finds %j", async (query, ids) => {
    const { search } = await setUp();
    expect((await search({ query })).ids).toEqual(ids);
  });

  test("sorts numbers as numbers", async () => {
    const { search } = await setUp();
    expect((await search({ sort_by: "elapsed", sort_dir: -1 })).ids.slice(0, 2)).toEqual(["j2", "j1"]);
    expect((await search({ sort_by: "completed", sort_dir: 1 })).ids[0]).toBe("j2");
  });

  test("answers one row of all unless another number is requested", async () => {
    const { api } = await setUp();
    const { rows, list } = await api.searchJobs({});
    expect([rows.length, list.length]).toEqual([1, 4]);
  });

  test("leaves large members out unless it is verbose, and shows selected ones", async () => {
    const { search } = await setUp();
    const query = "server:s1";
    expect((await search({ query })).rows[0]).not.toHaveProperty("html");
    expect((await search({ query, verbose: true })).rows[0]).toMatchObject({ html: "x", actions: [] });
    expect((await search({ query, select: "id,html" })).rows).toEqual([{ id: "j3", html: "x" }]);
    expect((await search({ query, select: ["code", "constructor"] })).rows).toEqual([{ code: "abort" }]);
    for (const blank of ["", null])
      expect((await search({ query, select: blank, sort_by: blank, verbose: null })).rows[0]).toMatchObject({
        id: "j3",
      });
  });

  test("ends a page early that would be too large, and the next one continues there", async () => {
    const { api, final } = await setUp();
    const output = "x".repeat(1_000_000);
    for (let index = 0; index < 40; index++) await final(`k${index}`, { source: "action", output });
    const first = await api.searchJobs({ query: "source:action", limit: 100 });
    expect([first.rows.length, first.list.length]).toEqual([17, 40]);
    const rest = await api.searchJobs({ query: "source:action", limit: 100, offset: 17, select: "id" } as never);
    expect(rest.rows).toHaveLength(23);
  });

  test.each([
    ["another category", keyWith([], { categories: ["other"] }), ["j2"]],
    [
      "a group that is a target or of the server, and all workflows",
      keyWith([], { groups: ["web"] }),
      ["j4", "j3", "j2"],
    ],
    ["both at once", keyWith([], { categories: ["general"], groups: ["web"] }), ["j4", "j3"]],
    ["an administrator", keyWith(["admin"], { categories: ["other"] }), ["j4", "j3", "j2", "j1"]],
  ])("shows a caller limited to %s only jobs within reach, whatever the query says", async (_who, caller, ids) => {
    const { search } = await setUp();
    for (const query of ["*", "code:0|abort|warning"]) expect((await search({ query }, caller)).ids).toEqual(ids);
  });

  test.each([
    [{ select: { a: 1 } }, "api", "Select parameter must be an array."],
    [{ sort_by: "html" }, "db", "Failed DB search: Error: Cannot find sorter: html"],
  ])("%j is refused", async (input, code, description) => {
    const { api } = await setUp();
    expect(await refusalOf(api.searchJobs(input as never))).toEqual({ code, description });
  });
});

describe("counts of active jobs", () => {
  test("by event, state, source and target, without workflow sub-jobs that are no events", async () => {
    const { active, api, as } = await setUp();
    await active("a1", { state: "queued", source: "user" });
    await active("a2", { source: "scheduler" });
    await active("a3", { event: "e2", category: "other" });
    await active("a4", { type: "adhoc" });
    const { events } = await api.getActiveJobSummary({});
    expect(events["e1"]).toEqual({
      id: "e1",
      states: { queued: 1, active: 1 },
      sources: { user: 1, scheduler: 1 },
      targets: { main: 2 },
    });
    expect(Object.keys(events)).toEqual(["e1", "e2"]);
    expect(Object.keys((await api.getActiveJobSummary({ state: "queued" })).events)).toEqual(["e1"]);
    const limited = await as(keyWith([], { categories: ["other"] })).getActiveJobSummary({});
    expect(Object.keys(limited.events)).toEqual(["e2"]);
  });

  test("by the node of a workflow, found by a dotted path", async () => {
    const { active, api } = await setUp();
    await active("a1", { workflow: { job: "w1", node: "n1" } });
    await active("a2", { workflow: { job: "w1", node: "n1" } });
    await active("a3", { workflow: { job: "w2", node: "constructor" } });
    expect(await api.getWorkflowJobSummary({ "workflow.job": "w1" })).toEqual({ nodes: { n1: 2 } });
    expect((await api.getWorkflowJobSummary({})).nodes).toEqual({ n1: 2, constructor: 1 });
  });
});

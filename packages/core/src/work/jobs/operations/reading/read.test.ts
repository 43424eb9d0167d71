import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf } from "../../../../../test/engine.ts";
import { jobRecords } from "../../../../../test/work/job-records.ts";
import { startJobs } from "../../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const VERBOSE = "actions activity html limits procs conns table timelines input data files".split(" ");

async function setUp() {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin] });
  const { signalbox, storage } = jobs;
  return {
    ...jobs,
    ...signalbox,
    probe,
    ...jobRecords(storage),
  };
}

/** Callers with different access to a job of the category general and the group main. */
const callers = {
  free: keyWith([]),
  sameCategory: keyWith([], { categories: ["general"] }),
  otherCategory: keyWith([], { categories: ["other"] }),
  sameGroup: keyWith([], { groups: ["main"] }),
  otherGroup: keyWith([], { groups: ["web"] }),
  administrator: keyWith(["admin"], { categories: ["other"], groups: ["web"] }),
};

const CATEGORY = "You do not have the required account privileges to access category ID general.";
const TARGETS = "You do not have the required account privileges to access targets: main.";

describe("get_job", () => {
  test("shows a running job with its details and the token of its log", async () => {
    const at = await setUp();
    const server = await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event(), input: { data: { a: 1 } } });
    await at.settle();
    server.send("jobs", { [id]: { progress: 0.25, data: { b: 2 } } });
    await at.settle();
    const { job, token } = await at.as(callers.free).getJob({ id });
    expect(job).toMatchObject({ id, state: "active", progress: 0.25, input: { data: { a: 1 } }, data: { b: 2 } });
    expect((job["activity"] as unknown[]).length).toBeGreaterThan(0);
    expect(token).toMatch(/^[\w-]{22}$/);
  });

  test("never shows members that are for the engine alone", async () => {
    const at = await setUp();
    const server = await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event() });
    await at.settle();
    const keys = ["sec", "secrets", "claim", "conditions", "dispatched", "launched", "job", "details", "aborting"];
    const { job } = await at.api.getJob({ id });
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, secrets: { A: "hunter2" } } });
    await at.settle();
    const shown = [job, (await at.api.getJob({ id })).job];
    for (const key of keys.filter((name) => name !== "secrets"))
      for (const each of shown) expect(each).not.toHaveProperty(key);
    expect(JSON.stringify(shown)).not.toContain("EXAMPLE_CLUSTER_KEY");
  });

  test.each([[["params", "activity"]], ["params, activity"]])("leaves out %j", async (remove) => {
    const at = await setUp();
    await at.final("j1", { params: { a: 1 }, activity: [], code: 0 });
    const { job } = await at.api.getJob({ id: "j1", remove: remove as string[] });
    expect(job).toEqual(expect.not.objectContaining({ params: expect.anything() }));
    expect(Object.keys(job).sort()).toEqual(
      ["category", "code", "event", "final", "id", "started", "state", "targets"].sort(),
    );
  });

  test.each([
    ["free", undefined],
    ["sameCategory", undefined],
    ["otherCategory", CATEGORY],
    ["sameGroup", undefined],
    ["otherGroup", TARGETS],
    ["administrator", undefined],
  ] as const)("of a caller who is %s checks category and targets", async (caller, description) => {
    const at = await setUp();
    await at.active("j1");
    await at.final("j2");
    for (const id of ["j1", "j2"]) {
      // Members excluded from the answer still count for access.
      const call = at.as(callers[caller]).getJob({ id, remove: ["targets", "category"] });
      if (description === undefined) expect((await call).job.id).toBe(id);
      else expect(await refusalOf(call)).toEqual({ code: "access", description });
    }
  });

  test("of a workflow checks only its category", async () => {
    const at = await setUp();
    await at.final("j1", { type: "workflow", targets: ["elsewhere"] });
    expect((await at.as(callers.otherGroup).getJob({ id: "j1" })).job.id).toBe("j1");
    expect((await refusalOf(at.as(callers.otherCategory).getJob({ id: "j1" }))).description).toBe(CATEGORY);
  });

  test("checks the groups of the server as well, like lists and searches, but unlike changes", async () => {
    const at = await setUp();
    const members = { targets: ["s1"], server: "s1", groups: ["main"] };
    await at.active("j1", members);
    await at.final("j2", members);
    for (const [who, isShown] of [
      ["sameGroup", true],
      ["otherGroup", false],
    ] as const) {
      const api = at.as(callers[who]);
      const opened = await Promise.allSettled(["j1", "j2"].map((id) => api.getJob({ id })));
      expect(opened.map(({ status }) => status === "fulfilled")).toEqual([isShown, isShown]);
      const listed = await api.getJobs({ ids: ["j1", "j2"] });
      expect(listed.jobs.map(({ err }) => err === undefined)).toEqual([isShown, isShown]);
      expect((await api.getActiveJobs({})).rows).toHaveLength(isShown ? 1 : 0);
      expect((await api.searchJobs({})).rows).toHaveLength(isShown ? 1 : 0);
    }
    const writer = at.as(keyWith(["delete_jobs"], { groups: ["main"] }));
    const description = "You do not have the required account privileges to access targets: s1.";
    expect(await refusalOf(writer.deleteJob({ id: "j2" }))).toEqual({ code: "access", description });
  });

  test("needs credentials", async () => {
    const at = await setUp();
    await at.final("j1");
    const { code, description } = await refusalOf(at.execute({ operation: "get_job", input: { id: "j1" } }));
    expect([code, description]).toEqual(["session", "No Session ID or API Key could be found"]);
  });

  test.each([
    [{}, "api", "Missing parameter: id"],
    [{ id: 5 }, "api", "Invalid ID parameter: 5 (not a string)"],
    [{ id: "" }, "api", "Malformed parameter: id"],
    [{ id: "../../etc/passwd" }, "api", "Malformed parameter: id"],
    [{ id: "j1\u0000" }, "api", "Malformed parameter: id"],
    [{ id: "j".repeat(65) }, "api", "Malformed parameter: id"],
    [{ id: "__proto__" }, "api", "Invalid ID parameter: __proto__ (reserved word)"],
    [{ id: "constructor" }, "api", "Invalid ID parameter: constructor (reserved word)"],
    [{ id: "j1", remove: 5 }, "api", "Parameter is not an array: remove"],
    [{ id: "nope" }, "notfound", "Failed to load job details: nope: Error: Item not found"],
  ])("%j is refused", async (input, code, description) => {
    const at = await setUp();
    expect(await refusalOf(at.api.getJob(input as never))).toEqual({ code, description });
  });
});

describe("get_jobs", () => {
  test("keeps the order of the ids; missing, malformed and forbidden ones look alike", async () => {
    const at = await setUp();
    await at.active("j1");
    await at.final("j2");
    await at.final("j3", { category: "other" });
    const ids = ["j2", "nope", "j3", "../x", "a\u0000b", "__proto__", "", "j1", "j2"];
    const { jobs } = await at.as(callers.sameCategory).getJobs({ ids });
    const failed = (id: string) => ({ err: `Failed to locate job: ${id}` });
    expect(jobs).toEqual([
      expect.objectContaining({ id: "j2" }),
      ...["nope", "j3", "../x", "a\u0000b", "__proto__", ""].map(failed),
      expect.objectContaining({ id: "j1" }),
      expect.objectContaining({ id: "j2" }),
    ]);
  });

  test("is short unless everything is requested", async () => {
    const at = await setUp();
    const large = Object.fromEntries(VERBOSE.map((member) => [member, [1]]));
    await at.final("j1", { ...large, params: { a: 1 } });
    await at.active("j2", { actions: [] }, { data: 1 });
    const short = await at.api.getJobs({ ids: "j1, j2" as never });
    for (const job of short.jobs) for (const member of VERBOSE) expect(job).not.toHaveProperty(member);
    expect(short.jobs[0]).toMatchObject({ params: { a: 1 } });
    const whole = await at.api.getJobs({ ids: ["j1", "j2"], verbose: "1" as never });
    expect(whole.jobs).toMatchObject([large, { data: 1, actions: [] }]);
  });

  test("reads many at once", async () => {
    const at = await setUp();
    const ids = Array.from({ length: 250 }, (_, index) => `j${index}`);
    for (const id of ids) await at.final(id);
    expect((await at.api.getJobs({ ids })).jobs.map((job) => job["id"])).toEqual(ids);
  });

  test.each([{}, { ids: "" }, { ids: [] }, { ids: null }, { ids: {} }, { ids: [1] }, { ids: Array(20_000).fill("j") }])(
    "bad ids are refused",
    async (input) => {
      const at = await setUp();
      expect(await refusalOf(at.api.getJobs(input as never))).toEqual({
        code: "job",
        description: "Missing or malformed ids parameter.",
      });
    },
  );
});

describe("get_active_jobs", () => {
  const ids = (list: { rows: { id: string }[] }): string[] => list.rows.map(({ id }) => id);

  test("lists jobs newest first without their details", async () => {
    const at = await setUp();
    await at.active("j1", { started: 5 }, { data: { secret: 1 }, input: { data: 1 } });
    await at.active("j2", { started: 9, state: "queued" });
    await at.final("j3");
    const list = await at.as(callers.free).getActiveJobs();
    expect([ids(list), list.list.length]).toEqual([["j2", "j1"], 2]);
    for (const row of list.rows)
      for (const member of ["data", "input", "activity"]) expect(row).not.toHaveProperty(member);
  });

  test("shows readings that are not stored yet", async () => {
    const at = await setUp();
    const server = await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event() });
    await at.settle();
    server.send("jobs", { [id]: { progress: 0.5, cpu: { total: 1, count: 1, current: 1 } } });
    await at.settle(0);
    expect((await at.api.getActiveJobs()).rows).toMatchObject([{ id, progress: 0.5, cpu: { current: 1 } }]);
  });

  test.each<[Members, string[]]>([
    [{ offset: 1, limit: 1, sort_by: "id", sort_dir: 1 }, ["j2"]],
    [{ offset: "2", limit: "0", sort_by: "id", sort_dir: "1" }, ["j3"]],
    [{ offset: 20_000, limit: 20_000 }, []],
    [{ offset: -5, limit: "x", sort_by: "id", sort_dir: 1 }, ["j1", "j2", "j3"]],
    [{ sort_by: "progress", sort_dir: 1 }, ["j1", "j3", "j2"]],
    [{ sort_by: "title", sort_dir: -1 }, ["j2", "j1", "j3"]],
    [{ sort_by: "__proto__.polluted", sort_dir: 1, limit: 1 }, ["j1"]],
  ])("%j pages and sorts", async (input, expected) => {
    const at = await setUp();
    await at.active("j1", { progress: 0.5, title: "b" });
    await at.active("j2", { progress: 10, title: "c" });
    await at.active("j3", { progress: 9, title: "a" });
    const list = await at.api.getActiveJobs(input);
    expect([ids(list), list.list.length]).toEqual([expected, 3]);
  });

  test.each<[Members, string[]]>([
    [{ state: "queued" }, ["j2"]],
    [{ event: "e1", server: "s1" }, ["j1"]],
    [{ "workflow.job": "jw" }, ["j2"]],
    [{ priority: "true" }, ["j2"]],
    [{ priority: "1" }, ["j2"]],
    [{ started: "7" }, ["j1"]],
    [{ nothing: "x" }, []],
    [{ api_key: "k", cachebust: "1" }, ["j1", "j2"]],
  ])("%j filters", async (input, expected) => {
    const at = await setUp();
    await at.active("j1", { server: "s1", started: 7 });
    await at.active("j2", { state: "queued", workflow: { job: "jw" }, priority: true, started: 3 });
    const list = await at.api.getActiveJobs(input);
    expect([ids(list), list.list.length]).toEqual([expected, expected.length]);
  });

  test.each([
    ["otherCategory", ["j3"]],
    ["otherGroup", ["j2", "j4"]],
    ["administrator", ["j1", "j2", "j3", "j4"]],
  ] as const)("shows and counts for a caller who is %s only %j", async (caller, expected) => {
    const at = await setUp();
    await at.active("j1");
    await at.active("j2", { targets: ["web"] });
    await at.active("j3", { category: "other" });
    await at.active("j4", { type: "workflow", targets: [] });
    const list = await at.as(callers[caller]).getActiveJobs({ sort_by: "id", sort_dir: 1 });
    expect([ids(list), list.list.length]).toEqual([expected, expected.length]);
  });

  test.each([{ sort_dir: "down" }, { sort_by: 5 }])("%j is refused", async (input) => {
    const at = await setUp();
    expect((await refusalOf(at.api.getActiveJobs(input as never))).code).toBe("api");
  });
});

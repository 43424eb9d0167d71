import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

const rights = ["tag_jobs", "edit_tickets"];

async function setUp() {
  const jobs = await startJobs();
  const { storage, signalbox } = jobs;
  const records = jobRecords(storage);
  await records.final("j1", { code: 0, tags: ["old", "_success", "_last"], activity: [] });
  await records.active("j2");
  await signalbox.api.createTag({ id: "nightly", title: "Nightly" });
  const activity = async (action: string) => {
    const rows = await storage.read((tx) => tx.collection(activityCollection).list());
    return rows.filter((row) => row.action === action);
  };
  return { ...jobs, ...signalbox, activity, job: async (id: string) => (await signalbox.api.getJob({ id })).job };
}

describe("update_job", () => {
  test("replaces members of a finished job, without the credentials of the call", async () => {
    const { activity, api, job, next } = await setUp();
    const updated = next("job.updated");
    await api.updateJob({ id: "j1", label: "L", code: 5, final: false, api_key: "secret", files: [] } as never);
    expect(await job("j1")).toMatchObject({ id: "j1", label: "L", code: 5, final: true, files: [] });
    expect(await job("j1")).not.toHaveProperty("api_key");
    expect(await updated).toEqual({ id: "j1" });
    expect(JSON.stringify(await activity("job_update"))).not.toContain("secret");
  });

  test("merges into a running job and writes the activity row as well", async () => {
    const { activity, api, job } = await setUp();
    await api.updateJob({ id: "j2", label: "L", data: { a: 1 } } as never);
    expect(await job("j2")).toMatchObject({ id: "j2", state: "active", label: "L", data: { a: 1 } });
    expect(await activity("job_update")).toHaveLength(1);
  });

  test.each([
    [{ id: "none" }, "Failed to update job: none: Error: Item not found"],
    [{ id: "j2", state: "ready" }, "Failed to update job: j2: The engine owns this member of an active job: state"],
    [{ id: "j1", tags: 5 }, "Failed to update job: j1: Malformed member: tags"],
    [{ id: "j1", activity: "x" }, "Failed to update job: j1: Malformed member: activity"],
  ])("%j is refused", async (input, description) => {
    const { api } = await setUp();
    expect(await refusalOf(api.updateJob(input as never))).toEqual({ code: "job", description });
  });

  test("is for administrators", async () => {
    const { as } = await setUp();
    expect((await refusalOf(as(keyWith(rights)).updateJob({ id: "j1" }))).code).toBe("access");
  });
});

describe("manage_job_tags", () => {
  test("replaces the tags and leaves system tags alone", async () => {
    const { activity, as, job } = await setUp();
    await as(keyWith(rights)).manageJobTags({ id: "j1", tags: ["nightly", "nightly", "_error"] });
    const changed = await job("j1");
    expect(changed["tags"]).toEqual(["nightly", "_success", "_last"]);
    expect(changed["activity"]).toMatchObject([{ msg: expect.stringContaining("tags of the job were changed") }]);
    expect(await activity("job_update_tags")).toMatchObject([{ tags: ["nightly", "_success", "_last"] }]);
  });

  test.each([
    [{ id: "j1", tags: ["none"] }, "job", "Unknown tag: none"],
    [{ id: "j1", tags: [], notes: "" }, "job", "Too many properties in params"],
    [{ id: "j2", tags: [] }, "job", "Cannot update tags of running job."],
    [{ id: "none", tags: [] }, "job", "Failed to update job: none: Error: Item not found"],
    [{ id: "j1" }, "api", "Missing parameter: tags"],
  ])("%j is refused", async (input, code, description) => {
    const { api } = await setUp();
    expect(await refusalOf(api.manageJobTags(input as never))).toEqual({ code, description });
  });

  test("keeps a tag that was deleted since, and does not count credentials as members", async () => {
    const { api, job } = await setUp();
    await api.manageJobTags({ id: "j1", tags: ["old"], api_key: "k" } as never);
    expect((await job("j1"))["tags"]).toEqual(["old", "_success", "_last"]);
  });

  test.each([
    ["category", keyWith(rights, { categories: ["other"] })],
    ["group", keyWith(rights, { groups: ["web"] })],
    ["privilege", keyWith([])],
  ])("is refused for lack of the %s", async (_what, caller) => {
    const { as } = await setUp();
    expect((await refusalOf(as(caller).manageJobTags({ id: "j1", tags: [] }))).code).toBe("access");
  });
});

describe("manage_job_tickets", () => {
  test("replaces the tickets", async () => {
    const { activity, api, as, job } = await setUp();
    await as(keyWith(rights)).manageJobTickets({ id: "j1", tickets: ["t1", "t1"] });
    expect((await job("j1"))["tickets"]).toEqual(["t1"]);
    expect((await api.searchJobs({ query: "tickets:t1" })).list.length).toBe(1);
    expect(await activity("job_update_tickets")).toHaveLength(1);
  });

  test.each([
    [{ id: "j2", tickets: [] }, "Cannot update tickets of running job."],
    [{ id: "j1", tickets: [], more: 1 }, "Too many properties in params"],
  ])("%j is refused", async (input, description) => {
    const { api } = await setUp();
    expect(await refusalOf(api.manageJobTickets(input))).toEqual({ code: "job", description });
  });
});

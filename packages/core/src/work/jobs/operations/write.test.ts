import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import { commands, startJobs } from "../../../testing/test-jobs.ts";
import { jobLogChunkCollection } from "../collection.ts";
import { logKey } from "../logs/job-logs.ts";

type Members = Record<string, unknown>;
const rights = ["abort_jobs", "delete_jobs"];
const CATEGORY = "You do not have the required account privileges to access category ID general.";
const TARGETS = "You do not have the required account privileges to access targets: main.";
const outsiders: [string, Actor, string][] = [
  ["another category", keyWith(rights, { categories: ["other"] }), CATEGORY],
  ["another group", keyWith(rights, { groups: ["web"] }), TARGETS],
];
const badIds: [Members, string, string][] = [
  [{}, "api", "Missing parameter: id"],
  [{ id: 5 }, "api", "Invalid ID parameter: 5 (not a string)"],
  [{ id: "a/b" }, "api", "Malformed parameter: id"],
  [{ id: "__proto__" }, "api", "Invalid ID parameter: __proto__ (reserved word)"],
];

async function setUp() {
  const jobs = await startJobs();
  const { storage } = jobs;
  return {
    ...jobs,
    ...jobs.signalbox,
    activity: async (action: string) => {
      const rows = await storage.read((tx) => tx.collection(activityCollection).list());
      return rows.filter((row) => row.action === action);
    },
    async running() {
      const server = await jobs.connect();
      const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
      await jobs.settle();
      return { id, server };
    },
    ...jobRecords(storage),
  };
}

describe("abort_job", () => {
  test.each([
    [{ ...keyWith(rights), title: "Robot" }, "Manually aborted by API Key: Robot"],
    [{ ...keyWith(rights), kind: "user", id: "ann", title: "Ann A." } as const, "Manually aborted by user: ann"],
  ])("tells the agent who requested the end", async (actor, reason) => {
    const at = await setUp();
    const { id, server } = await at.running();
    const aborted = at.next("job.aborted");
    expect(await at.as(actor).abortJob({ id })).toEqual({});
    expect(await aborted).toMatchObject({ id, reason });
    await at.settle();
    expect(commands(server, "abort_job")).toEqual([{ cmd: "abort_job", data: { id, reason } }]);
  });

  test("is in the activity log, with a summary of the job", async () => {
    const at = await setUp();
    const { id } = await at.running();
    await at.as(keyWith(rights)).abortJob({ id });
    const [row] = await at.activity("job_abort");
    expect(row).toMatchObject({ description: id, username: "ktest", keywords: [id, "ktest"], job: { id } });
    expect(row?.["job"]).not.toHaveProperty("actions");
  });

  test("ends a job at once that has no process", async () => {
    const at = await setUp();
    const event = await at.event({
      limits: [
        { enabled: true, type: "queue", amount: 5 },
        { enabled: true, type: "job", amount: 1 },
      ],
    });
    const { id } = await at.api.runEvent({ id: event, state: "start_delay", until: at.clock.now() + 60 });
    await at.settle();
    await at.api.abortJob({ id });
    await at.settle();
    const { job } = await at.api.getJob({ id });
    expect(job).toMatchObject({ final: true, code: "abort", description: "Manually aborted by user: system" });
    expect(job["output"]).toBe("Manually aborted by user: system\n");
  });

  test("needs its privilege, and access to the job", async () => {
    const at = await setUp();
    await at.active("j1");
    expect(await refusalOf(at.as(keyWith(["delete_jobs"])).abortJob({ id: "j1" }))).toEqual({
      code: "access",
      description: "You do not have the 'Abort Jobs' privilege required to perform this action.",
    });
    for (const [, actor, description] of outsiders)
      expect(await refusalOf(at.as(actor).abortJob({ id: "j1" }))).toEqual({ code: "access", description });
    expect(await at.activity("job_abort")).toEqual([]);
  });

  test.each([
    ...badIds,
    [{ id: "j2" }, "job", "Job not found or is no longer active: j2"] as const,
    [{ id: "nope" }, "job", "Job not found or is no longer active: nope"] as const,
  ])("%j is refused", async (input, code, description) => {
    const at = await setUp();
    await at.final("j2");
    expect(await refusalOf(at.api.abortJob(input as never))).toEqual({ code, description });
  });
});

describe("delete_job", () => {
  test("removes the record, its log and its files", async () => {
    const at = await setUp();
    await at.final("j1", { params: { a: 1 }, actions: [] });
    const blob = async function* () {
      yield gzipSync("log");
    };
    const output = "files/jobs/j1/x/out.csv";
    const foreign = "files/jobs/j10/x/out.csv";
    for (const key of [logKey("j1"), output, foreign]) await at.blobs.put(key, blob());
    await at.storage.write((tx) =>
      tx.collection(jobLogChunkCollection).insert({ id: "j1.00000000", job: "j1", text: "x", endBytes: 1 }),
    );
    const deleted = at.next("job.deleted");
    expect(await at.as(keyWith(rights)).deleteJob({ id: "j1" })).toEqual({});
    expect(await deleted).toEqual({ id: "j1" });
    await at.settle();
    expect((await refusalOf(at.api.getJob({ id: "j1" }))).code).toBe("notfound");
    expect(await Promise.all([logKey("j1"), output].map((key) => at.blobs.head(key)))).toEqual([undefined, undefined]);
    expect(await at.blobs.head(foreign)).toBeDefined();
    expect(await at.storage.read((tx) => tx.collection(jobLogChunkCollection).list())).toEqual([]);
    const [row] = await at.activity("job_delete");
    expect(row).toMatchObject({ description: "j1", username: "ktest", job: { id: "j1", params: { a: 1 } } });
    expect(row?.["job"]).not.toHaveProperty("actions");
  });

  test("needs its privilege, and access to the job, also for an active one", async () => {
    const at = await setUp();
    await at.final("j1");
    await at.active("j2");
    expect(await refusalOf(at.as(keyWith(["abort_jobs"])).deleteJob({ id: "j1" }))).toEqual({
      code: "access",
      description: "You do not have the 'Delete Jobs' privilege required to perform this action.",
    });
    for (const [, actor, description] of outsiders)
      for (const id of ["j1", "j2"])
        expect(await refusalOf(at.as(actor).deleteJob({ id }))).toEqual({ code: "access", description });
    expect((await at.api.getJob({ id: "j1" })).job.id).toBe("j1");
  });

  test.each([
    ...badIds,
    [{ id: "j2" }, "job", "Cannot delete a job that is still active: j2"] as const,
    [{ id: "j3" }, "job", "Cannot delete a job from an active workflow: j3"] as const,
    [{ id: "nope" }, "job", "Failed to load job details: nope: Error: Item not found"] as const,
  ])("%j is refused", async (input, code, description) => {
    const at = await setUp();
    await at.active("j2");
    await at.final("j3", { workflow: { job: "j2" } });
    expect(await refusalOf(at.api.deleteJob(input as never))).toEqual({ code, description });
    expect(await at.activity("job_delete")).toEqual([]);
  });

  test("accepts a sub-job whose workflow is over", async () => {
    const at = await setUp();
    await at.final("j3", { workflow: { job: "over" } });
    expect(await at.api.deleteJob({ id: "j3" })).toEqual({});
    expect((await refusalOf(at.api.deleteJob({ id: "j3" }))).code).toBe("job");
  });
});

import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../../test/engine.ts";
import { jobRecords } from "../../../../../test/work/job-records.ts";
import { memoryBlobStore } from "../../../../memory/memory-blob-store.ts";
import { startJobs } from "../../../../testing/test-jobs.ts";

const content = async function* () {
  yield Buffer.from("text");
};
const OUT = "files/jobs/j1/x1/out.csv";
const MINE = "files/ann/x2/in.csv";
const BUCKET = "files/ann/x3/bucket.csv";
const FOREIGN = "files/bob/x4/in.csv";
const PLAIN = "files/ann/kept.csv";

async function setUp() {
  const blobs = memoryBlobStore();
  const config = { client: { job_upload_settings: { user_file_expiration: "2 minutes" } } };
  const jobs = await startJobs({ blobs, config });
  const records = jobRecords(jobs.storage);
  const inputs = [{ path: MINE }, { path: BUCKET, bucket: "b1" }, { path: FOREIGN }, { path: PLAIN }];
  for (const key of [OUT, MINE, BUCKET, FOREIGN, PLAIN]) await blobs.put(key, content());
  await records.final("j1", { username: "ann", files: [{ path: OUT }], input: { data: { a: 1 }, files: inputs } });
  const left = async () => {
    const heads = await Promise.all([OUT, MINE, BUCKET, FOREIGN, PLAIN].map((key) => blobs.head(key)));
    return [OUT, MINE, BUCKET, FOREIGN, PLAIN].filter((_key, index) => heads[index] !== undefined);
  };
  return { ...jobs, ...jobs.signalbox, ...records, blobs, left };
}

describe("delete_job_file", () => {
  test("removes an output file from the record and from the store", async () => {
    const { api, as, left, settle } = await setUp();
    await as(keyWith(["delete_jobs"])).deleteJobFile({ id: "j1", path: OUT });
    await settle();
    expect((await api.getJob({ id: "j1" })).job["files"]).toEqual([]);
    expect(await left()).toEqual([MINE, BUCKET, FOREIGN, PLAIN]);
  });

  test("leaves a row under the id of the job, like other changes of it", async () => {
    const { api } = await setUp();
    await api.deleteJobFile({ id: "j1", path: OUT });
    expect((await api.searchActivity({ query: "action:job_delete_file" })).rows).toMatchObject([
      { description: "j1", path: OUT, job: { id: "j1" } },
    ]);
  });

  test("removes an input file that came with the job, and leaves the data beside it", async () => {
    const { api, left, settle } = await setUp();
    await api.deleteJobFile({ id: "j1", path: MINE });
    await settle();
    expect((await api.getJob({ id: "j1" })).job["input"]).toMatchObject({ data: { a: 1 } });
    expect(await left()).toEqual([OUT, BUCKET, FOREIGN, PLAIN]);
  });

  test("only removes a file of another account from the list", async () => {
    const { left, api, settle } = await setUp();
    for (const path of [FOREIGN, PLAIN]) await api.deleteJobFile({ id: "j1", path });
    await settle();
    expect(await left()).toEqual([OUT, MINE, BUCKET, FOREIGN, PLAIN]);
    expect(JSON.stringify((await api.getJob({ id: "j1" })).job["input"])).not.toContain("bob");
  });

  test.each([
    [BUCKET, "Bucket files cannot be deleted from job: bucket.csv"],
    ["files/jobs/j2/x/out.csv", "Job file not found: out.csv"],
  ])("refuses %s", async (path, description) => {
    const { api } = await setUp();
    expect(await refusalOf(api.deleteJobFile({ id: "j1", path }))).toEqual({ code: "job", description });
  });

  test("refuses a file of a ticket", async () => {
    const { api, final } = await setUp();
    await final("j3", { input: { files: [{ path: "files/ann/x/t.csv", ticket: "t1" }] } });
    expect(await refusalOf(api.deleteJobFile({ id: "j3", path: "files/ann/x/t.csv" }))).toEqual({
      code: "job",
      description: "Ticket files cannot be deleted from job: t.csv",
    });
  });
});

describe("delete_job", () => {
  test("deletes output and own input files, and nothing else", async () => {
    const { api, left, settle } = await setUp();
    await api.deleteJob({ id: "j1" });
    await settle();
    expect(await left()).toEqual([BUCKET, FOREIGN, PLAIN]);
  });

  test("leaves an input file that another job reads until that job is deleted too", async () => {
    const { api, final, left, settle } = await setUp();
    await final("j2", { username: "ann", input: { files: [{ path: MINE }] } });
    await api.deleteJob({ id: "j1" });
    await settle();
    expect(await left()).toContain(MINE);
    await api.deleteJob({ id: "j2" });
    await settle();
    expect(await left()).not.toContain(MINE);
  });

  test("also leaves an input file with a very long name that another job reads", async () => {
    const { api, blobs, final, settle } = await setUp();
    const path = `files/ann/${"r".repeat(100)}/${"n".repeat(200)}.csv`;
    await blobs.put(path, content());
    for (const id of ["j5", "j6"]) await final(id, { username: "ann", input: { files: [{ path }] } });
    await api.deleteJob({ id: "j5" });
    await settle();
    expect(await blobs.head(path)).toBeDefined();
    await api.deleteJob({ id: "j6" });
    await settle();
    expect(await blobs.head(path)).toBeUndefined();
  });

  test("leaves an input file that a running job reads", async () => {
    const { active, api, left, settle } = await setUp();
    await active("j2", {}, { input: { files: [{ path: MINE }] } });
    await api.deleteJob({ id: "j1" });
    await settle();
    expect(await left()).toContain(MINE);
  });

  test("of a workflow deletes its sub-jobs; a deleted sub-job is only marked in its workflow", async () => {
    const { api, final, settle } = await setUp();
    const stubs = { n1: [{ id: "p1" }, { id: "p2" }] };
    await final("w1", { type: "workflow", workflow: { jobs: stubs } });
    for (const id of ["p1", "p2"]) await final(id, { workflow: { job: "w1", event: "e9", node: "n1" } });
    await api.deleteJob({ id: "p1" });
    expect((await api.getJob({ id: "w1" })).job["workflow"]).toEqual({
      jobs: { n1: [{ id: "p1", deleted: true }, { id: "p2" }] },
    });
    await api.deleteJob({ id: "w1" });
    await settle();
    expect((await api.searchJobs({ query: "workflow:e9" })).list.length).toBe(0);
  });
});

test("delete_job continues with files and sub-jobs when the store refuses to remove the log or a file", async () => {
  const { api, blobs, final, left, settle } = await setUp();
  const remove = blobs.delete;
  const second = "files/jobs/j1/x5/second.csv";
  await blobs.put(second, content());
  const isRefused = (key: string) => key.startsWith("logs/") || key === OUT;
  blobs.delete = (key) => (isRefused(key) ? Promise.reject(new Error("read only")) : remove(key));
  await final("p1", { workflow: { job: "j1", event: "e9", node: "n1" } });
  await api.deleteJob({ id: "j1" });
  await settle();
  expect([await left(), await blobs.head(second)]).toEqual([[OUT, BUCKET, FOREIGN, PLAIN], undefined]);
  expect((await api.searchJobs({ query: "workflow:e9" })).list.length).toBe(0);
});

describe("bulk_search_delete_jobs", () => {
  async function withMany() {
    const at = await setUp();
    for (let index = 0; index < 250; index++)
      await at.final(`k${index}`, { completed: 1, code: index % 2 === 0 ? 0 : "abort" });
    return at;
  }

  test("deletes matching jobs in the background, in steps", async () => {
    const { api, settle } = await withMany();
    await api.bulkSearchDeleteJobs({ query: "code:abort" });
    await settle();
    expect((await api.searchJobs({ query: "code:abort" })).list.length).toBe(0);
    expect((await api.searchJobs({ query: "*" })).list.length).toBe(126);
  });

  test("deletes all jobs that had ended by then when the query says so", async () => {
    const { api, clock, final, settle } = await withMany();
    await final("later", { completed: clock.now() + 60 });
    await api.bulkSearchDeleteJobs({ query: "*" });
    await settle(1);
    const { rows } = await api.searchJobs({ limit: 10, select: "id" } as never);
    // Without the time of its end, a record is not a finished job.
    expect(rows.map(({ id }) => id)).toEqual(["later", "j1"]);
  });

  test("refuses a query with an ineffective part, and limited callers", async () => {
    const { api, as } = await setUp();
    expect((await refusalOf(api.bulkSearchDeleteJobs({ query: "nosuch:1 code:0" }))).code).toBe("db");
    const denied = { code: "access", description: "You do not have the required account privileges to use this API." };
    for (const limits of [{ categories: ["general"] }, { groups: ["main"] }])
      expect(await refusalOf(as(keyWith(["delete_jobs"], limits)).bulkSearchDeleteJobs({ query: "*" }))).toEqual(
        denied,
      );
  });
});

describe("upload_job_input_files", () => {
  test("without a file is refused", async () => {
    const { api } = await setUp();
    expect(await refusalOf(api.uploadJobInputFiles({}))).toEqual({
      code: "file",
      description: "No file upload data found in request.",
    });
  });

  test("keeps files under the caller's own folder until they expire", async () => {
    const { blobs, clock, execute } = await setUp();
    await blobs.put("tmp/1", content());
    const upload = { field: "a", filename: "My Data.CSV", sizeBytes: 4, key: "tmp/1" };
    const actor = { ...keyWith(["run_jobs"]), kind: "user", id: "ann" } as const;
    const answer = await execute({ operation: "upload_job_input_files", input: {}, actor, uploads: [upload] });
    const { files } = answer as { files: { path: string; size: number; username: string }[] };
    expect(files).toMatchObject([{ filename: "My Data.CSV", size: 4, username: "ann" }]);
    const [{ path } = { path: "" }] = files;
    expect(path).toMatch(/^files\/ann\/[\w-]+\/my_data\.csv$/);
    expect(await blobs.head(path)).toBeDefined();
    await clock.advance(121);
    expect(await blobs.head(path)).toBeUndefined();
  });
});

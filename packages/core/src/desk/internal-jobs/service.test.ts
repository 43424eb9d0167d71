import { expect, onTestFinished, test } from "vitest";
import { cradleProbe, keyWith, recordingLogger, refusalOf, startEngine } from "../../../test/engine.ts";
import type { Mail } from "../../ports/outside/mailer.ts";
import type { InternalJob, InternalJobSpec } from "./model.ts";

const SPEC: InternalJobSpec = { title: "Work", type: "db", username: "anna" };

async function setUp() {
  const probe = cradleProbe();
  const log = recordingLogger();
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const engine = await startEngine({ log, mailer, plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  const cradle = probe.cradle();
  const { internalJobs: jobs, live, events } = cradle;
  const told: unknown[] = [];
  events.on("internal_job.ended", (event) => void told.push(event));
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await engine.clock.advance(0.1);
  };
  const rows = async () => (await engine.api.searchActivity({ query: "action:internal_job", limit: 10 })).rows;
  return { ...engine, engine, cradle, jobs, live, log, mails, rows, settle, told };
}

/** Work that ends only when the test says so. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let held: InternalJob | undefined;
  const work = (job: InternalJob): Promise<void> => {
    held = job;
    return promise;
  };
  return { work, resolve, reject, job: () => held as InternalJob };
}

test("an internal job is listed while it runs and leaves a row, a notice and a report", async () => {
  const { jobs, mails, rows, settle, told } = await setUp();
  const held = heldWork();
  const { id } = jobs.start({ ...SPEC, email: "anna@example.com", params: { days: 3 } }, held.work);
  expect(id).toMatch(/^i[a-z0-9]{15}$/);
  expect(jobs.list()).toMatchObject([{ id, title: "Work", username: "anna", progress: 0, params: { days: 3 } }]);
  await settle();
  held.job().progress(0.5);
  held.job().stat("rows", 7);
  held.job().report("Seven **rows** <b>");
  expect(jobs.list()).toMatchObject([{ progress: 0.5, stats: { rows: 7 }, details: "Seven **rows** <b>" }]);
  held.resolve();
  await settle();
  expect(jobs.list()).toEqual([]);
  const message = "Work: finished (rows: 7).";
  expect(await rows()).toMatchObject([
    {
      description: message,
      username: "anna",
      keywords: [id, "anna"],
      job: { id, stats: { rows: 7 }, outcome: "done" },
    },
  ]);
  expect(told).toEqual([{ id, title: "Work", username: "anna", message, outcome: "done", quiet: false }]);
  expect(mails).toMatchObject([{ to: ["anna@example.com"], subject: "Signalbox: Work" }]);
  expect(mails[0]?.html).toContain("<strong>rows</strong>");
  expect(mails[0]?.html).not.toContain("<b>");
});

test("exclusive work has a row from its start, and leaves none when its call is rolled back", async () => {
  const { api, cradle, jobs, rows, settle } = await setUp();
  const begun = async () => (await api.searchActivity({ query: "action:internal_job_start", limit: 10 })).rows;
  const spec: InternalJobSpec = { ...SPEC, exclusive: true, params: { filename: "backup.txt.gz" } };
  const undone = cradle.transact(async (unit) => {
    jobs.startAfter(unit, spec, () => Promise.resolve());
    throw new Error("The call fails");
  });
  await expect(undone).rejects.toThrow("The call fails");
  expect(await begun()).toEqual([]);
  const held = heldWork();
  const { id } = await cradle.transact(async (unit) => jobs.startAfter(unit, spec, held.work));
  expect(await begun()).toMatchObject([
    {
      description: "Work",
      keywords: [id, "system"],
      job: { id, title: "Work", params: { filename: "backup.txt.gz" } },
    },
  ]);
  expect(await rows()).toEqual([]);
  held.resolve();
  await settle();
  expect(await rows()).toMatchObject([{ job: { id, outcome: "done" } }]);
  expect(await begun()).toHaveLength(1);
});

test("the remains of a job are cleaned up, also when another exclusive job came first", async () => {
  const { cradle, jobs, settle, told } = await setUp();
  const steps: string[] = [];
  const specOf = (name: string): InternalJobSpec => ({
    ...{ ...SPEC, exclusive: true, title: name },
    cleanUp: async () => void steps.push(`clean ${name}`),
  });
  const fail = () => Promise.reject(new Error("Broken"));
  await cradle.transact(async (unit) => {
    jobs.startAfter(unit, specOf("one"), fail);
    jobs.startAfter(unit, specOf("two"), async () => void steps.push("work of two"));
  });
  await settle();
  expect(steps.toSorted()).toEqual(["clean one", "clean two"]);
  expect(told).toMatchObject([
    { title: "one", outcome: "failed" },
    { message: "two: failed: Another maintenance job is already running." },
  ]);
});

test("no report is mailed without an address or a text, or to a malformed address", async () => {
  const { jobs, mails, settle, log } = await setUp();
  jobs.start(SPEC, async ({ report }) => report("Said"));
  jobs.start({ ...SPEC, email: "a@example.com" }, async () => undefined);
  jobs.start({ ...SPEC, email: "nobody" }, async ({ report }) => report("Said"));
  await settle();
  expect(mails).toEqual([]);
  expect(log.lines.filter(({ message }) => message.includes("mailed"))).toHaveLength(1);
});

test("a failed job is logged and reported in words that hide the error", async () => {
  const { jobs, log, rows, settle, told } = await setUp();
  const { id } = jobs.start(SPEC, () => Promise.reject(new Error("secret of the database")));
  jobs.start({ ...SPEC, title: "At once" }, () => {
    throw new Error("not even a promise");
  });
  await settle();
  expect(told).toMatchObject([{ outcome: "failed", message: `Work: failed: Internal error (${id})` }, {}]);
  expect(JSON.stringify(await rows())).not.toContain("secret of");
  expect(log.lines.filter(({ level }) => level === "error")).toMatchObject([
    { fields: { job: id, title: "Work" } },
    { fields: { title: "At once" } },
  ]);
});

test("one exclusive job runs at a time, and the number of jobs is bounded", async () => {
  const { jobs, settle } = await setUp();
  const held = heldWork();
  jobs.start({ ...SPEC, exclusive: true }, held.work);
  const busy = { code: "admin", description: "Another maintenance job is already running." };
  const attempt = (spec: InternalJobSpec) => refusalOf((async () => jobs.start(spec, held.work))());
  expect(await attempt({ ...SPEC, exclusive: true })).toEqual(busy);
  for (let n = 1; n < 50; n++) jobs.start(SPEC, held.work);
  expect(await attempt(SPEC)).toMatchObject({ code: "admin", description: expect.stringMatching(/^Too many/) });
  held.resolve();
  await settle();
  expect(jobs.list()).toEqual([]);
  jobs.start({ ...SPEC, exclusive: true }, async () => undefined);
});

test("the end of the engine stops jobs and waits for them", async () => {
  const { engine, jobs, told } = await setUp();
  const steps: string[] = [];
  jobs.start(SPEC, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    steps.push("stopped");
    signal.throwIfAborted();
  });
  await engine.clock.advance(0.1);
  await engine.stop();
  expect(steps).toEqual(["stopped"]);
  expect(told).toMatchObject([{ outcome: "stopped" }]);
  expect(() => jobs.start(SPEC, async () => undefined)).toThrow("The engine is stopping.");
});

test("the test job runs for its time and is listed when the answer comes", async () => {
  const { api, clock, rows, settle } = await setUp();
  const { id } = await api.testInternalJob({ duration: 10 });
  expect(await api.getInternalJobs()).toMatchObject({
    rows: [{ id, title: "Test job that does nothing", type: "maint", username: "system", progress: 0 }],
    list: { length: 1 },
  });
  await settle();
  await clock.advance(4);
  const [row] = (await api.getInternalJobs()).rows;
  expect(row?.progress).toBeGreaterThan(0.3);
  expect(row?.progress).toBeLessThan(0.9);
  await clock.advance(10);
  await settle();
  expect((await api.getInternalJobs()).rows).toEqual([]);
  expect(await rows()).toMatchObject([
    { description: "Test job that does nothing: finished.", job: { params: { duration: 10 } } },
  ]);
});

test("only administrators can see and start internal jobs", async () => {
  const { engine } = await setUp();
  const other = engine.as(keyWith(["run_jobs"]));
  expect(await refusalOf(other.getInternalJobs())).toMatchObject({ code: "access" });
  expect(await refusalOf(other.testInternalJob())).toMatchObject({ code: "access" });
});

import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { cradleProbe } from "../../../../../test/engine.ts";
import { jobRecords } from "../../../../../test/work/job-records.ts";
import { activityCollection } from "../../../../directory/activity/collection.ts";
import { invocationCollection } from "../../../../fleet/alerts/collection.ts";
import { startJobs, type TestJobs } from "../../../../testing/test-jobs.ts";
import { activeJobCollection, jobCollection } from "../../../../work/jobs/collection.ts";
import { ticketProblemCollection } from "../collection.ts";
import { UNLINK_KIND, unlinkWorker } from "./unlink.ts";

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

const token = "A".repeat(43);

async function setUp() {
  const { plugin, cradle } = cradleProbe();
  const jobs = await startJobs({ config: { alert_universal_actions: [] }, plugins: [plugin] });
  running.push(jobs);
  const { api } = jobs.signalbox;
  const { ticket } = await api.createTicket({ subject: "One" });
  return {
    ...jobs,
    ...jobRecords(jobs.storage),
    api,
    cradle,
    id: ticket.id,
    put: (key: string) => jobs.blobs.put(key, Readable.from([Buffer.from("x")])),
    invocation: (id: string, tickets: string[]) =>
      jobs.storage.write((tx) =>
        tx.collection(invocationCollection).insert({
          ...{ id, alert: "hot", server: "s1", date: 1, active: false, modified: 1, tickets, exp: "1", message: "Hot" },
          ...{ count: 1, notified: true, groups: ["main"], jobs: [] },
        }),
      ),
  };
}

describe("a ticket that is deleted", () => {
  test("leaves the lists of any number of finished jobs, active jobs and alerts", async () => {
    const at = await setUp();
    for (let n = 0; n < 250; n++) await at.final(`jd${n}`, { tickets: n % 2 ? [at.id] : ["other", at.id, "more"] });
    for (let n = 0; n < 120; n++) await at.invocation(`i${n}`, [at.id, "other"]);
    await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event(), tickets: [at.id, "other"] });
    await at.settle();
    await at.api.deleteTicket({ id: at.id });
    for (let n = 0; n < 5; n++) await at.settle();
    await at.storage.read(async (tx) => {
      expect((await tx.collection(activeJobCollection).get(id))?.job.tickets).toEqual(["other"]);
      expect((await tx.collection(jobCollection).get("jd0"))?.tickets).toEqual(["other", "more"]);
      expect((await tx.collection(jobCollection).get("jd249"))?.tickets).toEqual([]);
      expect((await tx.collection(invocationCollection).get("i119"))?.tickets).toEqual(["other"]);
    });
    expect((await at.api.searchJobs({ query: `tickets:${at.id}` })).list.length).toBe(0);
    expect((await at.api.searchAlerts({ query: `tickets:${at.id}` })).list.length).toBe(0);
  });

  test("is deleted with its files, attached or not, and nothing else", async () => {
    const at = await setUp();
    const own = Array.from({ length: 230 }, (_, n) => `files/${at.id}/ann/${token}/f${n}.txt`);
    const others = [
      `files/${at.id}2/ann/${token}/a.txt`,
      // A file of an account with the name of the ticket.
      `files/${at.id}/report.csv`,
      `files/${at.id}/${token}/a.txt`,
    ];
    for (const key of [...own, ...others]) await at.put(key);
    await at.api.deleteTicket({ id: at.id });
    await at.settle();
    expect(await at.blobs.list("files/", { limit: 1000 })).toEqual(others.toSorted());
  });

  test("deletes none of the files of a foreign folder that has its name", async () => {
    const at = await setUp();
    for (const id of ["jobs", "bucket", "magic"]) await at.api.createTicket({ id, subject: "Hostile" });
    const files = [`files/jobs/j1/${token}/a.txt`, `files/bucket/b1/${token}/a.txt`, `files/magic/${token}/a.txt`];
    for (const key of files) await at.put(key);
    for (const id of ["jobs", "bucket", "magic"]) await at.api.deleteTicket({ id });
    await at.settle();
    expect((await at.blobs.list("files/", { limit: 10 })).toSorted()).toEqual(files.toSorted());
  });

  test("is not unlinked late when a new ticket has its id", async () => {
    const at = await setUp();
    await at.final("jd1", { tickets: [at.id] });
    // The deletion's queued work, executed late.
    const item = { id: "w1", kind: UNLINK_KIND, key: at.id, payload: { id: at.id }, attempts: 0, token: "t" };
    await unlinkWorker(item, at.cradle(), new AbortController().signal);
    expect((await at.api.searchJobs({ query: `tickets:${at.id}` })).list.length).toBe(1);
  });

  test("keeps its rows in the activity log, and its number is not used again", async () => {
    const at = await setUp();
    await at.api.deleteTicket({ id: at.id });
    await at.settle();
    const rows = await at.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.filter(({ action }) => /^ticket/.test(action)).map(({ action }) => action)).toEqual([
      "ticket_create",
      "ticket_delete",
    ]);
    // Changes of the cascade are not in the activity log: no caller made them.
    expect(rows.some(({ action }) => /^(job_update|alert_update)/.test(action))).toBe(false);
    expect((await at.api.createTicket({ subject: "Two" })).ticket.num).toBe(2);
  });
});

test("old problems are deleted unless their ticket is open", async () => {
  const at = await setUp();
  const closed = (await at.api.createTicket({ subject: "Two", status: "closed" })).ticket.id;
  const problem = (id: string, ticket: string, last: number) => ({
    id,
    subject: "event:e1",
    ticket,
    closes: false,
    last,
  });
  const old = at.clock.now() - 100 * 86_400;
  await at.storage.write(async (tx) => {
    const problems = tx.collection(ticketProblemCollection);
    for (let n = 0; n < 250; n++) await problems.insert(problem(`o${n}`, at.id, old - n));
    for (let n = 0; n < 250; n++) await problems.insert(problem(`c${n}`, closed, old - n));
    await problems.insert(problem("new", closed, at.clock.now()));
    await problems.insert(problem("gone", "nobody", old));
  });
  await at.clock.advance(3600);
  const left = await at.storage.read((tx) => tx.collection(ticketProblemCollection).list());
  expect(left.map(({ id }) => id).toSorted()).toEqual(
    ["new", ...Array.from({ length: 250 }, (_, n) => `o${n}`)].toSorted(),
  );
});

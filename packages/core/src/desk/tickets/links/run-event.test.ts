import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { cradleProbe, keyWith } from "../../../../test/engine.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import { type JobsOptions, launched, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";
import { systemAuthor, type TicketFile } from "../model.ts";

type Members = Record<string, unknown>;

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

const token = "A".repeat(43);

const FIX = {
  id: "fix",
  fields: [
    { id: "size", type: "text", title: "Size" },
    { id: "mode", type: "text", title: "Mode" },
  ],
  params: { script: "echo fix", size: "small", mode: "soft" },
  tags: ["nightly"],
};

async function setUp(options: JobsOptions = {}) {
  const probe = cradleProbe();
  const jobs = await startJobs({ ...options, plugins: [probe.plugin] });
  running.push(jobs);
  const { api } = jobs.signalbox;
  const cradle = probe.cradle();
  await api.createCategory({ id: "alpha", title: "Alpha" });
  await api.createTag({ id: "nightly", title: "Nightly" });
  const server = await jobs.connect();
  const event = await jobs.event(FIX);
  return {
    ...jobs,
    ...jobRecords(jobs.storage),
    api,
    server,
    event,
    run: (input: Members, actor: Actor = keyWith(["edit_tickets", "run_jobs"])) =>
      jobs.signalbox.as(actor).runTicketEvent(input as never),
    async ticket(stub: Members = {}, members: Members = {}) {
      const { ticket } = await api.createTicket({ subject: "Fix it", events: [{ id: "fix", ...stub }], ...members });
      return ticket.id;
    },
    async attach(ticket: string, ...names: string[]): Promise<TicketFile[]> {
      const files = names.map((filename, n) => ({
        ...{ id: `f${n}`, filename, path: `files/${ticket}/ann/${token}/${filename}`, size: 1, date: jobs.clock.now() },
      }));
      for (const { path } of files) await jobs.blobs.put(path, Readable.from([Buffer.from("x")]));
      await cradle.transact((unit) => cradle.tickets.setFiles(unit, ticket, () => files, systemAuthor));
      return files;
    },
    async sent() {
      await jobs.settle();
      return launched(server).at(-1);
    },
  };
}

describe("an event that is run from a ticket", () => {
  test("takes the members of the stub, all others from the event, and carries the ticket", async () => {
    const at = await setUp();
    const id = await at.ticket({ params: { size: "big" }, targets: ["s1"], algo: "round_robin", tags: [] });
    const answer = await at.run({ id, index: "0", params: { mode: "hard" } });
    const sent = await at.sent();
    expect(answer).toEqual({ id: sent?.job["id"] });
    expect(sent?.job).toMatchObject({
      ...{ event: "fix", source: "key", username: "ktest", tickets: [id] },
      params: { script: "echo fix", size: "big", mode: "hard" },
      ...{ targets: ["s1"], algo: "round_robin", tags: ["nightly"] },
    });
  });

  test("leaves empty members of the stub to the event", async () => {
    const at = await setUp();
    await at.run({ id: await at.ticket({ targets: [], algo: "" }), event: "fix" });
    expect((await at.sent())?.job).toMatchObject({ targets: ["main"], algo: "random", params: { size: "small" } });
  });

  test("reads the ticket's files, then the output of linked jobs, each once", async () => {
    const at = await setUp();
    const id = await at.ticket();
    const [file] = await at.attach(id, "a.txt");
    const output = (job: string, name: string) => ({
      id: "f9",
      filename: name,
      path: `files/jobs/${job}/${token}/${name}`,
      size: 1,
    });
    await at.final("jd1", { tickets: [id], files: [output("jd1", "b.csv"), output("jd1", "b.csv")] });
    await at.final("jd2", { tickets: ["other"], files: [output("jd2", "c.csv")] });
    await at.final("jd3", { tickets: [id], files: [{ ...file }, output("jd3", "d.csv")] });
    await at.run({ id, index: 0 });
    const { files = [] } = Object((await at.sent())?.details["input"]) as { files?: Members[] };
    expect(files.map(({ filename, ticket }) => [filename, ticket])).toEqual([
      ["a.txt", id],
      ["b.csv", undefined],
      ["d.csv", undefined],
    ]);
  });

  test("leaves out the output of jobs that the caller may not see", async () => {
    const at = await setUp();
    const id = await at.ticket({}, { category: "general" });
    const path = `files/jobs/jd1/${token}/secret.csv`;
    await at.final("jd1", { tickets: [id], category: "alpha", files: [{ id: "f1", filename: "secret.csv", path }] });
    await at.run({ id, index: 0 }, keyWith(["edit_tickets", "run_jobs"], { categories: ["general"] }));
    expect((await at.sent())?.details["input"]).toBeUndefined();
  });

  test("keeps the files of the ticket when the job is deleted", async () => {
    const at = await setUp();
    const id = await at.ticket();
    const [file] = await at.attach(id, "a.txt");
    const { id: job } = await at.run({ id, index: 0 });
    await at.settle();
    at.server.send("jobs", { [job]: { state: "complete", complete: true, code: 0 } });
    await at.settle();
    await at.settle();
    await expect(at.api.deleteJobFile({ id: job, path: file?.path ?? "" })).rejects.toThrow(
      "Ticket files cannot be deleted from job: a.txt",
    );
    await at.api.deleteJob({ id: job });
    await at.settle();
    expect(await at.blobs.head(file?.path ?? "")).toBeDefined();
  });

  test("is linked to the ticket also where callers may override nothing else", async () => {
    const at = await setUp({ config: { run_event_overrides: "strict" } });
    const id = await at.ticket({ algo: "round_robin" });
    await at.run({ id, index: 0 });
    expect((await at.sent())?.job).toMatchObject({ tickets: [id], algo: "random" });
  });

  test.each<[Members, string, string]>([
    [{}, "api", "Missing parameter: index"],
    [{ index: 1 }, "ticket", "Event not found in ticket: ID/1"],
    [{ index: -1 }, "ticket", "Event not found in ticket: ID/-1"],
    [{ event: "other" }, "ticket", "Event not found in ticket: ID/other"],
    [{ id: "nope", index: 0 }, "ticket", "Failed to load ticket: nope: Error: Item not found"],
  ])("%j is refused", async (input, code, description) => {
    const at = await setUp();
    const id = await at.ticket();
    await expect(at.run({ id, ...input })).rejects.toMatchObject({ code, message: description.replace("ID", id) });
  });

  test.each<[string, Members, string, string]>([
    ["deleted", {}, "event", "Event not found: fix"],
    ["disabled", { enabled: false }, "event", "Event is disabled: fix"],
    ["without a manual trigger", { triggers: [] }, "event", "Event does not allow manual job runs: fix"],
    [
      "in another category",
      { category: "alpha" },
      "access",
      "You do not have the required account privileges to access category ID alpha.",
    ],
    [
      "on other servers",
      { targets: ["s9"] },
      "access",
      "You do not have the required account privileges to access targets: s9.",
    ],
  ])("an event that is %s is refused as run_event refuses it", async (how, change, code, message) => {
    const at = await setUp();
    const id = await at.ticket({}, { category: "general" });
    if (how === "deleted") await at.api.deleteEvent({ id: "fix" });
    else await at.api.updateEvent({ id: "fix", ...change });
    const limits = { categories: ["general"], groups: ["main"] };
    const caller = keyWith(["edit_tickets", "run_jobs"], code === "access" ? limits : {});
    await expect(at.run({ id, index: 0 }, caller)).rejects.toMatchObject({ code, message });
  });

  test.each([
    [["edit_tickets"], "Run Jobs"],
    [["run_jobs"], "Edit Tickets"],
  ])("needs both privileges: %j is not enough", async (privileges, title) => {
    const at = await setUp();
    await expect(at.run({ id: await at.ticket(), index: 0 }, keyWith(privileges))).rejects.toMatchObject({
      code: "access",
      message: `You do not have the '${title}' privilege required to perform this action.`,
    });
  });

  test("is refused for an event out of the caller's reach", async () => {
    const at = await setUp();
    const caller = keyWith(["edit_tickets", "run_jobs"], { categories: ["general"] });
    for (const [category, named] of [
      ["alpha", "alpha"],
      ["", ""],
    ])
      await expect(at.run({ id: await at.ticket({}, { category }), index: 0 }, caller)).rejects.toMatchObject({
        code: "access",
        message: `You do not have the required account privileges to access category ID ${named}.`,
      });
  });
});

import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { anonymous } from "../../kernel/calls/context.ts";
import type { StreamResult } from "../../kernel/calls/operation.ts";
import { commands, type JobsOptions, launched, startJobs } from "../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, ...members });

async function setUp(event: Members = {}, { run = {}, ...options }: JobsOptions & { run?: Members } = {}) {
  const jobs = await startJobs(options);
  const { api } = jobs.signalbox;
  const server = await jobs.connect();
  const id = await jobs.event(event);
  const { id: job } = await api.runEvent({ id, ...run });
  await jobs.settle();
  return {
    ...jobs,
    api,
    event: id,
    id: job,
    server,
    read: async (of = job) => (await api.getJob({ id: of })).job,
    tell: async (update: unknown, to = server) => {
      to.send("jobs", { [job]: update });
      await jobs.settle();
    },
  };
}

describe("edge cases of jobs", () => {
  test("`started` is reset when a job becomes active: the line keeps launch order, elapsed counts from the start", async () => {
    const one = { enabled: true, type: "job", amount: 1 };
    const at = await setUp({ limits: [one, { enabled: true, type: "queue", amount: 5 }] });
    const { id: second } = await at.api.runEvent({ id: at.event });
    const launchedAt = (await at.read(second))["started"] as number;
    await at.clock.advance(50);
    const { id: third } = await at.api.runEvent({ id: at.event });
    await at.settle();
    await at.tell(done());
    expect([(await at.read(second))["state"], (await at.read(third))["state"]]).toEqual(["active", "queued"]);
    expect((await at.read(second))["started"]).toBeGreaterThanOrEqual(launchedAt + 50);
    await at.clock.advance(5);
    at.server.send("jobs", { [second]: done() });
    await at.settle();
    expect((await at.read(second))["elapsed"]).toBeLessThan(10);
  });

  test("tags given at launch replace the event's tags, and all later ones are added", async () => {
    const jobs = await startJobs();
    for (const id of ["mine", "own", "pushed"]) await jobs.signalbox.api.createTag({ id, title: id });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event({ tags: ["own"] }), tags: ["mine"] });
    await jobs.settle();
    server.send("jobs", { [id]: done({ push: { tags: ["pushed", "mine"] }, tags: ["own"] }) });
    await jobs.settle();
    const { job } = await jobs.signalbox.api.getJob({ id });
    expect(job["tags"]).toEqual(["mine", "pushed", "_success", "_last"]);
  });

  test("an ephemeral job that fails becomes permanent, with its log", async () => {
    const at = await setUp({}, { run: { ephemeral: true } });
    at.server.send("job_log", { id: at.id, text: "it broke\n" });
    await at.tell(done({ code: 3 }));
    await at.clock.advance(120);
    const job = await at.read();
    expect(job).toMatchObject({ code: 3, output: "it broke\n", final: true });
    expect(job).not.toHaveProperty("ephemeral");
    expect((await at.api.searchJobs({ query: "code:3" })).list.length).toBe(1);
  });

  test("an ephemeral job that succeeds is available for a minute and not stored", async () => {
    const at = await setUp({}, { run: { ephemeral: true } });
    await at.tell(done());
    expect(await at.read()).toMatchObject({ code: 0, final: true });
    expect((await at.api.searchJobs({})).list.length).toBe(0);
    await at.clock.advance(61);
    expect((await refusalOf(at.api.getJob({ id: at.id }))).code).toBe("notfound");
  });

  test("a running job answers get_job_log with 404, and view_job_log with its output so far", async () => {
    const at = await setUp();
    at.server.send("job_log", { id: at.id, text: "so far\n" });
    await at.settle();
    expect((await refusalOf(at.api.getJobLog({ id: at.id }))).code).toBe("notfound");
    const { token: t } = await at.api.getJob({ id: at.id });
    const execute = at.signalbox.execute({ operation: "view_job_log", input: { id: at.id, t }, actor: anonymous });
    const { body } = (await execute) as StreamResult;
    let text = "";
    for await (const piece of body ?? []) text += Buffer.from(piece).toString();
    expect(text).toBe("so far\n");
  });

  test("a job without any update in its first 120 seconds is dead, even if its server is connected", async () => {
    const at = await setUp();
    await at.clock.advance(118);
    expect(await at.read()).toMatchObject({ state: "active" });
    await at.clock.advance(4);
    expect(await at.read()).toMatchObject({
      code: "abort",
      description: "No updates received in last 2 minutes, assuming job is dead.",
    });
    expect(at.server.isOpen).toBe(true);
    expect(commands(at.server, "abort_job")).toMatchObject([{ data: { id: at.id } }]);
  });

  test("output and milestones are signs of life: a job that downloads its input is not dead", async () => {
    const at = await setUp();
    for (let minute = 0; minute < 5; minute++) {
      at.server.send(minute % 2 === 0 ? "job_meta" : "job_log", { id: at.id, text: "downloading\n" });
      await at.clock.advance(60);
    }
    expect(await at.read()).toMatchObject({ state: "active" });
  });

  test("a late result turns an aborted job that was retried into a warning: two executions, both recorded", async () => {
    const at = await setUp({ limits: [{ enabled: true, type: "retry", amount: 1 }] });
    await at.clock.advance(125);
    const { jobs = [] } = (await at.read()) as { jobs?: { id: string }[] };
    await at.tell(done());
    expect(await at.read()).toMatchObject({ code: "warning", retried: true });
    expect(await at.read(jobs[0]?.id)).toMatchObject({ state: "active", retry_prev: at.id });
    expect(launched(at.server)).toHaveLength(2);
  });

  test("a plugin that prints the whole job changes neither its kind nor its state", async () => {
    const at = await setUp();
    const before = await at.read();
    await at.tell({
      ...before,
      id: "other",
      event: "other",
      type: "workflow",
      state: "ready",
      started: 1,
      progress: 0.5,
    });
    expect(await at.read()).toMatchObject({
      id: at.id,
      event: at.event,
      state: "active",
      started: before["started"],
      progress: 0.5,
    });
    expect(await at.read()).not.toHaveProperty("type");
  });
});

describe("a satellite that", () => {
  const limits = [{ enabled: true, type: "retry", amount: 1 }];

  test("reconnects without its job leaves it to the timeout, and a retry is allowed", async () => {
    const at = await setUp({ limits });
    at.server.close();
    const again = await at.connect();
    await at.clock.advance(110);
    expect(await at.read()).toMatchObject({ state: "active", remote: false });
    await at.clock.advance(15);
    expect(await at.read()).toMatchObject({ code: "abort", retried: true });
    expect(launched(again)).toHaveLength(1);
  });

  test("falls silent while it stores files loses the job as well", async () => {
    const at = await setUp();
    await at.tell({ state: "finishing" });
    await at.clock.advance(125);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
  });

  test.each([{}, { actions: [{ enabled: true, condition: "abort", type: "suspend" }] }])(
    "reports on a job at the moment when a user ends it changes no result: %j",
    async (event) => {
      const at = await setUp(event);
      await at.tell({ state: "finishing" });
      await at.api.abortJob({ id: at.id });
      await at.tell({ code: 7, description: "Still here", progress: 0.5, status: "busy" });
      if (event.actions) await at.api.resumeJob({ id: at.id });
      await at.settle();
      const job = await at.read();
      expect(job).toMatchObject({ final: true, code: "abort", description: "Manually aborted by user: system" });
      expect(job).not.toHaveProperty("remote");
      expect(job).not.toHaveProperty("status");
    },
  );

  test("is disabled continues its job, and gets no new one", async () => {
    const at = await setUp();
    await at.api.updateServer({ id: "s1", enabled: false });
    await at.tell({ state: "active", progress: 0.7 });
    const { id: next } = await at.api.runEvent({ id: at.event });
    await at.settle();
    expect(await at.read(next)).toMatchObject({ code: "abort", description: "No available servers matching targets." });
    await at.tell(done());
    expect(await at.read()).toMatchObject({ code: 0, final: true });
    expect(launched(at.server)).toHaveLength(1);
  });

  test("sends the end first and older messages after it changes no result, and is told to stop", async () => {
    const at = await setUp();
    await at.tell(done({ code: 2 }));
    at.server.send("job_log", { id: at.id, text: "late\n" });
    await at.tell({ state: "finishing", code: 0 });
    await at.tell({ state: "active", progress: 0.1 });
    await at.tell(done({ code: 0 }));
    expect(await at.read()).toMatchObject({ code: 2, final: true, state: "complete" });
    expect(JSON.stringify(await at.read())).not.toContain("late\\n");
    expect(commands(at.server, "abort_job")).toHaveLength(1);
  });

  test("has an alert that aborts jobs is told to end them, with the alert's reason", async () => {
    const at = await setUp();
    const { api } = at;
    await api.createAlert({
      ...{ id: "hot", title: "Too Hot", enabled: true, expression: "1 == 1", groups: [], monitor_id: "", samples: 1 },
      ...{ message: "Hot", abort_jobs: true },
    } as never);
    at.server.send("monitor", { version: "1.0", date: at.clock.now(), hostname: "web01", data: {} });
    await at.clock.advance(65);
    at.server.send("monitor", { version: "1.0", date: at.clock.now(), hostname: "web01", data: {} });
    await at.clock.advance(3);
    expect(commands(at.server, "abort_job")).toMatchObject([{ data: { id: at.id, reason: "Alert Fired: Too Hot" } }]);
  });
});

import { describe, expect, test } from "vitest";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { commands, type JobsOptions, launched, startJobs, type TestJobs } from "../../testing/test-jobs.ts";

const finish = (job: string, members: Record<string, unknown> = {}) => ({
  [job]: { state: "complete", complete: true, code: 0, ...members },
});

/** Starts a new engine on the same storage, after the old one was killed. */
async function restart(jobs: TestJobs, options: JobsOptions = {}): Promise<TestJobs> {
  jobs.crash();
  const { blobs, storage, clock } = jobs;
  return startJobs({ blobs, storage, clock: fakeClock(clock.now() + 1), ...options });
}

describe("a restart of the engine", () => {
  test("a job that was never processed starts when its server is back", async () => {
    const jobs = await startJobs();
    const event = await jobs.event();
    jobs.signalbox.events.on("job.launched", jobs.crash);
    const { id } = await jobs.signalbox.api.runEvent({ id: event });
    const again = await restart(jobs);
    await again.clock.advance(3);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({ state: "ready" });
    const server = await again.connect();
    await again.clock.advance(1);
    expect(launched(server)).toMatchObject([{ job: { id, state: "active" } }]);
  });

  test("a job without a server ends once servers had time to reconnect", async () => {
    const jobs = await startJobs();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    const again = await restart(jobs);
    await again.clock.advance(50);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({ code: "abort", state: "complete" });
  });

  test("a job launched by an action right after it waits for its server to reconnect", async () => {
    const jobs = await startJobs();
    const actions = [{ enabled: true, condition: "complete", type: "run_event", event_id: await jobs.event() }];
    const workflow = { nodes: [{ id: "start", type: "trigger", x: 0, y: 0, data: {} }], connections: [] };
    const triggers = [{ type: "manual", enabled: true, id: "start" }];
    const first = await jobs.event({ type: "workflow", plugin: "_workflow", targets: [], triggers, workflow, actions });
    const again = await restart(jobs);
    await again.signalbox.api.runEvent({ id: first });
    await again.clock.advance(10);
    const server = await again.connect();
    await again.clock.advance(2);
    expect(launched(server)).toMatchObject([{ job: { source: "action", state: "active" } }]);
  });

  test("resumed launches count against the cap of their minute", async () => {
    const config = { max_jobs_per_min: 1 };
    const jobs = await startJobs({ config });
    await jobs.connect();
    const id = await jobs.event();
    await jobs.signalbox.api.runEvent({ id });
    const again = await restart(jobs, { config });
    await expect(again.signalbox.api.runEvent({ id })).rejects.toThrow(
      "jobs per minute limit has been reached (1/min)",
    );
    await again.clock.advance(60);
    await again.signalbox.api.runEvent({ id });
  });

  test("a mail about a job whose server never returns names that server", async () => {
    const jobs = await startJobs();
    await jobs.connect();
    const actions = [{ enabled: true, condition: "error", type: "email", email: "ops@example.com" }];
    await jobs.signalbox.api.runEvent({ id: await jobs.event({ actions }) });
    await jobs.settle();
    const { mailer, sent } = keepingMailer();
    const again = await restart(jobs, { mailer, config: { email_from: "signalbox@example.com" } });
    await again.clock.advance(200);
    expect(sent.map(({ text }) => text)).toEqual([expect.stringContaining("failed on web01 with code abort: ")]);
  });

  test("delayed jobs keep their time", async () => {
    const jobs = await startJobs();
    const until = jobs.clock.now() + 20;
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event(), state: "start_delay", until });
    const again = await restart(jobs);
    const server = await again.connect();
    await again.clock.advance(10);
    expect(launched(server)).toEqual([]);
    await again.clock.advance(12);
    expect(launched(server)).toMatchObject([{ job: { id } }]);
  });

  test("queued jobs keep their place in the line", async () => {
    const jobs = await startJobs();
    await jobs.connect();
    const limits = [
      { enabled: true, type: "job", amount: 1 },
      { enabled: true, type: "queue", amount: 5 },
    ];
    const event = await jobs.event({ limits });
    const ids = [];
    for (let count = 0; count < 3; count++) {
      ids.push((await jobs.signalbox.api.runEvent({ id: event })).id);
      await jobs.settle();
    }
    const again = await restart(jobs);
    const server = await again.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    server.send("jobs", finish(String(ids[0])));
    await again.clock.advance(2);
    expect(launched(server)).toMatchObject([{ job: { id: ids[1] } }]);
  });

  test("start actions that ran are not repeated, and the job continues", async () => {
    let runs = 0;
    let release = (): void => undefined;
    const slow = definePlugin({
      id: "slow",
      actionTypes: {
        slow: {
          applies: ["job"],
          target: () => "",
          async run() {
            runs += 1;
            await new Promise<void>((resolve) => {
              release = resolve;
            });
            return { code: 0, description: "" };
          },
        },
      },
    });
    const config = { job_universal_actions: { default: [{ enabled: true, condition: "start", type: "slow" }] } };
    const jobs = await startJobs({ plugins: [slow], config });
    await jobs.connect();
    await jobs.signalbox.api.createTag({ id: "begun", title: "Begun" });
    const event = await jobs.event();
    const actions = [{ enabled: true, condition: "start", type: "tag", tags: ["begun"] }];
    const { id } = await jobs.signalbox.api.runEvent({ id: event, actions } as never);
    await jobs.settle();
    expect((await jobs.signalbox.api.getJob({ id })).job).toMatchObject({ state: "starting" });
    const again = await restart(jobs, { plugins: [slow] });
    const server = await again.connect();
    await again.clock.advance(2);
    release();
    await again.clock.advance(2);
    expect(runs).toBe(2);
    const [sent] = launched(server);
    expect(sent?.job["tags"]).toEqual(["begun"]);
    expect(
      (sent?.details["activity"] as { msg: string }[] | undefined)?.filter(({ msg }) => msg.startsWith("Sending")),
    ).toHaveLength(1);
  });

  test("a running job continues when its server reports it again", async () => {
    const jobs = await startJobs();
    const server = await jobs.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    server.send("job_log", { id, text: "before\n" });
    server.send("jobs", { [id]: { state: "active", progress: 0.5 } });
    await jobs.clock.advance(6);
    const again = await restart(jobs);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({
      state: "active",
      remote: false,
      progress: 0.5,
    });
    const back = await again.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    back.send("job_log", { id, text: "after\n" });
    back.send("jobs", { [id]: { state: "active", progress: 0.7 } });
    await again.clock.advance(1);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({ remote: true, progress: 0.7 });
    back.send("jobs", finish(id));
    await again.settle();
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({
      code: 0,
      output: "before\nafter\n",
      log_file_size: 13,
    });
    expect(launched(back)).toEqual([]);
  });

  test("a running job that no satellite reports is found dead and retried by its limit", async () => {
    const jobs = await startJobs();
    await jobs.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    const event = await jobs.event({ limits: [{ enabled: true, type: "retry", amount: 1 }] });
    const { id } = await jobs.signalbox.api.runEvent({ id: event });
    await jobs.settle();
    const again = await restart(jobs);
    await again.clock.advance(118);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({ state: "active" });
    const server = await again.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    await again.clock.advance(5);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({
      code: "abort",
      retried: true,
      description: "No updates received in last 2 minutes, assuming job is dead.",
    });
    expect(launched(server)).toMatchObject([{ job: { retry_prev: id } }]);
  });

  test("a job of the local agent ends at once when its agent joins without it", async () => {
    const jobs = await startJobs();
    await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    const again = await restart(jobs);
    await again.connect();
    await again.clock.advance(1);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({
      code: "abort",
      description: "The job was lost when the process that ran it ended.",
      final: true,
    });
  });

  test("completion actions without a result run after the restart, the others do not", async () => {
    const ran: string[] = [];
    let isStuck = true;
    const plugin = definePlugin({
      id: "note",
      actionTypes: {
        note: {
          applies: ["job"],
          target: (action) => String(action["text"]),
          async run({ action, idempotencyKey }) {
            ran.push(`${String(action["text"])} ${idempotencyKey.split("/")[1]}`);
            if (action["text"] === "b" && isStuck) await new Promise(() => undefined);
            return { code: 0, description: "" };
          },
        },
      },
    });
    const note = (text: string) => ({ enabled: true, condition: "success", type: "note", text });
    const config = { job_universal_actions: { default: [note("a"), note("b")] } };
    const jobs = await startJobs({ plugins: [plugin], config });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    server.send("jobs", finish(id));
    await jobs.settle();
    expect((await jobs.signalbox.api.getActiveJobs()).rows).toMatchObject([{ state: "complete", code: 0 }]);
    isStuck = false;
    const again = await restart(jobs, { plugins: [plugin] });
    await again.clock.advance(2);
    expect(ran).toEqual(["a 0", "b 1", "b 1"]);
    expect((await again.signalbox.api.getJob({ id })).job).toMatchObject({
      final: true,
      code: 0,
      tags: ["_success", "_last"],
    });
  });

  test("a job that was about to be aborted by its limit is aborted", async () => {
    const jobs = await startJobs();
    await jobs.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    const limits = [{ enabled: true, type: "time", duration: 5, abort: true }];
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event({ limits }) });
    await jobs.settle();
    const again = await restart(jobs);
    const server = await again.connect({ join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } });
    server.send("jobs", { [id]: { state: "active" } });
    await again.clock.advance(8);
    expect(commands(server, "abort_job")).toMatchObject([{ data: { id } }]);
  });
});

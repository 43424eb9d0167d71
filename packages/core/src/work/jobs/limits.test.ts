import { describe, expect, test } from "vitest";
import { commands, launched, startJobs } from "../../testing/test-jobs.ts";

const time = (job: string, members: Record<string, unknown>) => ({ [job]: { state: "active", ...members } });
const finish = (job: string, members: Record<string, unknown> = {}) => ({
  [job]: { state: "complete", complete: true, code: 0, ...members },
});
const limit = (type: string, members: Record<string, unknown> = {}) => ({ enabled: true, type, ...members });

describe("start limits", () => {
  test("a job over the limit waits in the queue and starts when the first one ends", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const event = await jobs.event({ limits: [limit("job", { amount: 1 }), limit("queue", { amount: 2 })] });
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      ids.push((await api.runEvent({ id: event })).id);
      await jobs.settle();
    }
    const states = (await api.getActiveJobs({ sort_by: "id", sort_dir: 1 })).rows.map(({ state, position }) => [
      state,
      position,
    ]);
    expect(states).toEqual([
      ["active", undefined],
      ["queued", 1],
      ["queued", 2],
    ]);
    expect((await api.getJob({ id: String(ids[3]) })).job).toMatchObject({
      code: "abort",
      description: "Maximum number of concurrent jobs for event has been reached, and the queue is maxed out.",
      tags: ["_error", "_last"],
    });
    server.send("jobs", finish(String(ids[0])));
    await jobs.settle();
    expect(launched(server).map(({ job }) => job["id"])).toEqual(ids.slice(0, 2));
    expect((await api.getActiveJobs({ state: "queued" })).rows).toMatchObject([{ id: ids[2], position: 1 }]);
  });

  test("without a queue the job over the limit is aborted and not retried", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    await jobs.connect();
    const event = await jobs.event({ limits: [limit("job", { amount: 1 }), limit("retry", { amount: 3 })] });
    await api.runEvent({ id: event });
    await jobs.settle();
    const { id } = await api.runEvent({ id: event });
    await jobs.settle();
    expect((await api.getJob({ id })).job).toMatchObject({
      description: "Maximum number of concurrent jobs for event has been reached.",
    });
    expect((await api.getActiveJobs()).list.length).toBe(1);
  });

  test("a queue without a bound on running jobs is refused at launch", async () => {
    const jobs = await startJobs();
    const event = await jobs.event();
    await jobs.signalbox.api
      .updateCategory({ id: "general", limits: [limit("queue", { amount: 5 })] } as never)
      .catch(() => undefined);
    const launch = jobs.signalbox.api.runEvent({ id: event, limits: [limit("queue", { amount: 1 })] } as never);
    await expect(launch).rejects.toThrow("requires a 'Max Concurrent Jobs' limit");
    expect((await jobs.signalbox.api.getActiveJobs()).list.length).toBe(0);
  });

  test("a job without a server ends with the reason and may be retried", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const event = await jobs.event({ limits: [limit("retry", { amount: 1, duration: 30 })] });
    const { id } = await api.runEvent({ id: event });
    await jobs.settle();
    const { job } = await api.getJob({ id });
    expect(job).toMatchObject({ code: "abort", description: "No available servers matching targets.", retried: true });
    expect(job["tags"]).toEqual(["_error", "_retried"]);
    const [retry] = (await api.getActiveJobs()).rows;
    expect(retry).toMatchObject({ state: "retry_delay", retry_count: 1, retry_prev: id });
    expect(job["jobs"]).toEqual([{ id: retry?.id, reason: "retry" }]);
  });

  test("more launches than the cap of a minute are refused", async () => {
    const jobs = await startJobs({ config: { max_jobs_per_min: 2 } });
    const event = await jobs.event();
    const { api } = jobs.signalbox;
    await api.runEvent({ id: event });
    await api.runEvent({ id: event });
    await expect(api.runEvent({ id: event })).rejects.toThrow("Global jobs per minute limit has been reached (2/min)");
    await jobs.clock.advance(60);
    await expect(api.runEvent({ id: event })).resolves.toMatchObject({ id: expect.stringMatching(/^j/) });
  });
});

describe("retries", () => {
  test("a failed job is retried after the delay, with its parameters, as often as the limit says", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const event = await jobs.event({
      limits: [limit("retry", { amount: 2, duration: 10 })],
      actions: [{ enabled: true, condition: "error", type: "label", label: "failed" }],
    });
    await api.runEvent({ id: event, params: { script: "exit 1" }, input: { data: { n: 1 } } });
    await jobs.settle();
    for (let attempt = 0; attempt < 3; attempt++) {
      const sent = launched(server)[attempt];
      expect(sent?.job).toMatchObject({ params: { script: "exit 1" } });
      expect(sent?.details).toMatchObject({ input: { data: { n: 1 } } });
      server.send("jobs", finish(String(sent?.job["id"]), { code: 1, description: "no" }));
      await jobs.settle();
      if (attempt === 0) expect(launched(server)).toHaveLength(1);
      await jobs.clock.advance(11);
    }
    expect(launched(server)).toHaveLength(3);
    const all = await Promise.all(launched(server).map(({ job }) => api.getJob({ id: String(job["id"]) })));
    expect(all.map(({ job }) => [job["retried"], job["label"], job["retry_count"]])).toEqual([
      [true, undefined, undefined],
      [true, undefined, 1],
      [undefined, "failed", 2],
    ]);
    expect(await api.getActiveJobs()).toMatchObject({ rows: [] });
  });

  test("a job that a user aborted is not retried", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const { id } = await api.runEvent({ id: await jobs.event({ limits: [limit("retry", { amount: 2 })] }) });
    await jobs.settle();
    await api.abortJob({ id });
    await jobs.settle();
    server.send("jobs", finish(id, { code: "abort", description: "stopped" }));
    await jobs.settle();
    expect((await api.getJob({ id })).job).toMatchObject({ code: "abort" });
    expect((await api.getActiveJobs()).list.length).toBe(0);
  });
});

describe("runtime limits", () => {
  test("a job over its time is aborted, tagged and may be retried; the retry is limited again", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    await api.createTag({ id: "slow", title: "Slow" });
    const server = await jobs.connect();
    const event = await jobs.event({
      limits: [limit("time", { duration: 5, abort: true, tags: ["slow"] }), limit("retry", { amount: 1 })],
    });
    const { id } = await api.runEvent({ id: event });
    await jobs.clock.advance(8);
    expect(commands(server, "abort_job")).toMatchObject([
      { data: { id, reason: "Job elapsed time has exceeded maximum limit of 5 seconds." } },
    ]);
    server.send("jobs", finish(id, { code: "abort", description: "aborted" }));
    await jobs.settle();
    const { job } = await api.getJob({ id });
    expect(job).toMatchObject({ code: "abort", retried: true, tags: ["slow", "_error", "_retried"] });
    expect(job["limits"]).toMatchObject([{ date: expect.any(Number), msg: expect.any(String), code: 0 }, {}]);
    const retry = launched(server)[1]?.job;
    expect(retry?.["limits"]).toEqual(
      event && [limit("time", { duration: 5, abort: true, tags: ["slow"] }), limit("retry", { amount: 1 })],
    );
    await jobs.clock.advance(8);
    expect(commands(server, "abort_job")).toHaveLength(2);
  });

  test("memory must stay over the limit for the whole duration", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const { id } = await api.runEvent({
      id: await jobs.event({ limits: [limit("mem", { amount: 100, duration: 3 })] }),
    });
    await jobs.settle();
    const report = (current: number) => server.send("jobs", time(id, { mem: { total: current, count: 1, current } }));
    for (const current of [200, 200, 50, 200, 200, 200, 200, 200, 200]) {
      report(current);
      await jobs.clock.advance(1);
      const fired = (await api.getJob({ id })).job["limits"] as { date?: number }[];
      if (current === 50) expect(fired[0]).not.toHaveProperty("when");
    }
    expect((await api.getJob({ id })).job["limits"]).toMatchObject([
      { msg: "Job memory usage has exceeded maximum limit of 100 bytes for 3 seconds.", code: 0 },
    ]);
    expect(commands(server, "abort_job")).toEqual([]);
  });

  test("too much output fires the log limit", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const { id } = await api.runEvent({
      id: await jobs.event({ limits: [limit("log", { amount: 10, abort: true })] }),
    });
    await jobs.settle();
    server.send("job_log", { id, text: "more than ten bytes\n" });
    await jobs.clock.advance(2);
    expect(commands(server, "abort_job")).toMatchObject([
      { data: { reason: "Job output size has exceeded maximum limit of 10 bytes." } },
    ]);
  });

  test("an unknown type of limit is kept unchanged", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const { id } = await api.runEvent({
      id: await jobs.event({ limits: [limit("file", { amount: 1 }), limit("day", { condition: "error", amount: 1 })] }),
    });
    await jobs.clock.advance(2);
    server.send("jobs", finish(id));
    await jobs.settle();
    expect((await api.getJob({ id })).job).toMatchObject({ code: 0, limits: [{ type: "file" }, { type: "day" }] });
  });
});

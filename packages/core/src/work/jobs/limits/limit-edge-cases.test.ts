import { describe, expect, test } from "vitest";
import { commands, launched, startJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const limit = (type: string, members: Members = {}) => ({ enabled: true, type, ...members });
const done = (id: string, update: Members = {}) => ({
  [id]: { state: "complete", complete: true, code: 0, ...update },
});

/** See docs/contract/limits.md#edge-cases. */
describe("a limit on running jobs", () => {
  test("lets the next job start while the one before stores its files", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const event = await jobs.event({ limits: [limit("job", { amount: 1 }), limit("queue", { amount: 1 })] });
    const { id } = await api.runEvent({ id: event });
    await jobs.settle();
    await api.runEvent({ id: event });
    await jobs.settle();
    expect(launched(server)).toHaveLength(1);
    server.send("jobs", { [id]: { state: "finishing" } });
    await jobs.settle();
    expect(launched(server)).toHaveLength(2);
    await jobs.signalbox.stop();
  });

  test("of a category applies to each of its events separately", async () => {
    const jobs = await startJobs();
    const server = await jobs.connect();
    await jobs.signalbox.api.updateCategory({ id: "general", limits: [limit("job", { amount: 1 })] } as never);
    for (const event of [await jobs.event(), await jobs.event()]) await jobs.signalbox.api.runEvent({ id: event });
    await jobs.settle();
    expect(launched(server)).toHaveLength(2);
    await jobs.signalbox.stop();
  });

  test("a retry limit of 0 on the event disables the category's limit", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    await api.updateCategory({ id: "general", limits: [limit("retry", { amount: 2 })] } as never);
    const { id } = await api.runEvent({ id: await jobs.event({ limits: [limit("retry", { amount: 0 })] }) });
    await jobs.settle();
    server.send("jobs", done(id, { code: 1 }));
    await jobs.settle();
    const { job } = await api.getJob({ id });
    expect(job).not.toHaveProperty("retried");
    expect(job["limits"]).toMatchObject([{ amount: 0 }, { amount: 2, source: "category" }]);
    await jobs.signalbox.stop();
  });

  test("as a queue alone in a category makes all of its events fail", async () => {
    const jobs = await startJobs({
      config: { job_universal_limits: { default: [limit("queue", { amount: 5 })] as never, workflow: [] } },
    });
    const event = await jobs.event();
    await expect(jobs.signalbox.api.runEvent({ id: event })).rejects.toThrow(
      "The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to also be present.",
    );
    await jobs.signalbox.stop();
  });
});

describe("a limit on the time of a job", () => {
  test("does not count the time in the queue or of its delay", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const limits = [
      limit("job", { amount: 1 }),
      limit("queue", { amount: 1 }),
      limit("time", { duration: 10, abort: true }),
    ];
    const event = await jobs.event({ limits });
    const { id: first } = await api.runEvent({ id: event, limits: limits.slice(0, 2) } as never);
    await jobs.settle();
    const { id } = await api.runEvent({ id: event });
    await jobs.clock.advance(30);
    server.send("jobs", done(first));
    await jobs.settle();
    await jobs.clock.advance(8);
    expect(launched(server)).toHaveLength(2);
    expect(commands(server, "abort_job")).toEqual([]);
    await jobs.clock.advance(5);
    expect(commands(server, "abort_job")).toMatchObject([{ data: { id } }]);
    await jobs.signalbox.stop();
  });

  test("in a test is only the event's own, unless the tester wants all", async () => {
    const jobs = await startJobs({
      config: {
        job_universal_limits: { default: [limit("time", { duration: 3, abort: true })] as never, workflow: [] },
      },
    });
    const server = await jobs.connect();
    const event = await jobs.event();
    await jobs.signalbox.api.runEvent({ id: event, test: true });
    const { id } = await jobs.signalbox.api.runEvent({ id: event, test: true, test_limits: true });
    await jobs.clock.advance(8);
    expect(commands(server, "abort_job")).toMatchObject([{ data: { id } }]);
    await jobs.signalbox.stop();
  });
});

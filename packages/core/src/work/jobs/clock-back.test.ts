import { expect, test } from "vitest";
import { commands, launched, startJobs } from "../../testing/test-jobs.ts";
import { workflowEndCollection } from "../workflows/collection.ts";
import { activeJobCollection } from "./collection.ts";

const DAY = 86_400;

test("a job whose server is silent is found dead after the clock was set back", async () => {
  const jobs = await startJobs();
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
  await jobs.clock.advance(3);
  expect(launched(server)).toHaveLength(1);
  jobs.clock.step(-DAY);
  await jobs.clock.advance(300);
  expect((await jobs.signalbox.api.getJob({ id })).job).toMatchObject({ code: "abort", state: "complete" });
});

test("readings of a running job are stored after the clock was set back", async () => {
  const jobs = await startJobs();
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
  await jobs.clock.advance(10);
  server.send("jobs", { [id]: { state: "active", progress: 0.1 } });
  await jobs.clock.advance(10);
  jobs.clock.step(-DAY);
  server.send("jobs", { [id]: { state: "active", progress: 0.5 } });
  await jobs.clock.advance(10);
  const stored = await jobs.storage.read((tx) => tx.collection(activeJobCollection).get(id));
  expect(stored?.job.progress).toBe(0.5);
});

test("a retry does not wait for a minute that was full before the clock was set back", async () => {
  const jobs = await startJobs({ config: { max_jobs_per_min: 2 } });
  const server = await jobs.connect();
  const event = await jobs.event({ limits: [{ enabled: true, type: "retry", amount: 5 }] });
  const fail = async (seconds: number): Promise<number> => {
    server.send("jobs", {
      [String(launched(server).at(-1)?.job["id"])]: { state: "complete", complete: true, code: 1 },
    });
    await jobs.clock.advance(seconds);
    return launched(server).length;
  };
  await jobs.signalbox.api.runEvent({ id: event });
  await jobs.clock.advance(3);
  expect(await fail(3)).toBe(2);
  expect(await fail(3)).toBe(2);
  await jobs.clock.advance(60);
  expect(launched(server)).toHaveLength(3);
  jobs.clock.step(-DAY);
  expect(await fail(3)).toBe(4);
});

test("ends of sub-jobs left by a killed process are processed after the clock was set back", async () => {
  const jobs = await startJobs();
  const left = { id: "jrun/jpart", run: "jrun", at: jobs.clock.now() + DAY, end: {} } as never;
  await jobs.storage.write((tx) => tx.collection(workflowEndCollection).insert(left));
  await jobs.clock.advance(5);
  const { rows } = await jobs.storage.read((tx) => tx.collection(workflowEndCollection).find({ kind: "all" }));
  expect(rows).toEqual([]);
});

test("a retry that waits for a minute does not wait for the day by which the clock was set back", async () => {
  const jobs = await startJobs();
  const server = await jobs.connect();
  const event = await jobs.event({ limits: [{ enabled: true, type: "retry", amount: 1, duration: 60 }] });
  const { id } = await jobs.signalbox.api.runEvent({ id: event });
  await jobs.clock.advance(3);
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 1 } });
  await jobs.clock.advance(3);
  expect(launched(server)).toHaveLength(1);
  jobs.clock.step(-DAY);
  await jobs.clock.advance(70);
  expect(launched(server)).toHaveLength(2);
});

test("a job delayed by a minute does not wait for that day either, but a job of a named time does", async () => {
  const jobs = await startJobs();
  const { api } = jobs.signalbox;
  const server = await jobs.connect();
  const next = await jobs.event({ overlap: "skip" });
  const delayed = { enabled: true, condition: "complete", type: "run_event", event_id: next, start_delay: 60 };
  const { id } = await api.runEvent({ id: await jobs.event({ actions: [delayed] }) });
  const named = await api.runEvent({ id: await jobs.event(), state: "start_delay", until: jobs.clock.now() + 600 });
  await jobs.clock.advance(3);
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await jobs.clock.advance(3);
  jobs.clock.step(-DAY);
  await jobs.clock.advance(70);
  expect(launched(server).map(({ job }) => job["event"])).toContain(next);
  expect((await api.getJob({ id: named.id })).job).toMatchObject({ state: "start_delay" });
});

test("a limit on time counts from a clock that was set back, not from the start by the clock ahead", async () => {
  const jobs = await startJobs();
  const server = await jobs.connect();
  const event = await jobs.event({ limits: [{ enabled: true, type: "time", duration: 60, abort: true }] });
  const { id } = await jobs.signalbox.api.runEvent({ id: event });
  await jobs.clock.advance(5);
  jobs.clock.step(-DAY);
  for (let second = 0; second < 75; second += 5) {
    server.send("jobs", { [id]: { state: "active", progress: 0.5 } });
    await jobs.clock.advance(5);
  }
  expect(commands(server, "abort_job")).toMatchObject([{ data: { id } }]);
});

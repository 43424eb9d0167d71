import { expect, test } from "vitest";
import { launched, startJobs } from "../../testing/test-jobs.ts";

const HOUR = 3600;

/** A job that runs on a server when the clock goes on by an hour, as after a pause of the machine. */
async function pauseWithJob({ abort = false } = {}) {
  const jobs = await startJobs();
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
  await jobs.clock.advance(5);
  expect(launched(server)).toHaveLength(1);
  if (abort) await jobs.signalbox.api.abortJob({ id });
  jobs.clock.step(HOUR);
  await jobs.clock.advance(5);
  const job = async () => (await jobs.signalbox.api.getJob({ id })).job;
  return { ...jobs, server, id, job };
}

test("a job whose server reports again after a pause of the machine goes on", async () => {
  const { clock, server, id, job } = await pauseWithJob();
  expect((await job()).state).toBe("active");
  for (let minute = 0; minute < 4; minute++) {
    server.send("jobs", { [id]: { state: "active", progress: 0.5 } });
    await clock.advance(60);
  }
  expect((await job()).state).toBe("active");
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await clock.advance(5);
  expect(await job()).toMatchObject({ code: 0, state: "complete" });
});

test("a job whose server stays silent after a pause of the machine is found dead", async () => {
  const { clock, job } = await pauseWithJob();
  await clock.advance(180);
  expect(await job()).toMatchObject({ code: "abort", state: "complete" });
});

test("an abort that was asked for before a pause of the machine is still waited for", async () => {
  const { clock, server, id, job } = await pauseWithJob({ abort: true });
  expect((await job()).state).toBe("active");
  server.send("jobs", { [id]: { state: "complete", complete: true, code: "abort", description: "Killed" } });
  await clock.advance(5);
  expect(await job()).toMatchObject({ code: "abort", description: "Killed" });
});

import { describe, expect, test } from "vitest";
import { done, failing, START, setUp } from "../../../../test/desk/inbox-setup.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { commands, startJobs } from "../../../testing/test-jobs.ts";

describe("an unavailable storage", () => {
  test("stores the end of the job when it returns, and the job is not treated as dead", async () => {
    const { clock, state, storage } = failing();
    const at = await setUp({ clock, storage });
    state.isDown = true;
    at.server.send("jobs", { [at.id]: done({ push: { tickets: ["t1"] }, data: { n: 1 } }) });
    await clock.advance(300);
    expect(state.refused).toBeGreaterThan(5);
    state.isDown = false;
    await clock.advance(35);
    expect(await at.read()).toMatchObject({ code: 0, final: true, tickets: ["t1"], data: { n: 1 } });
  });

  test("is asked a bounded number of times", async () => {
    const { clock, state, storage } = failing();
    const at = await setUp({ clock, storage });
    state.isDown = true;
    at.server.send("jobs", { [at.id]: done() });
    await clock.advance(1200);
    const errors = at.log.lines.filter(({ message }) => message === "A message about a job failed");
    expect(errors).toHaveLength(1);
  });
});

describe("a flood", () => {
  test("of updates while the job waits for its turn is joined into one", async () => {
    const { clock, state, storage } = failing();
    const at = await setUp({ clock, storage });
    state.isDown = true;
    at.server.send("jobs", { [at.id]: { state: "finishing" } });
    await clock.advance(0.1);
    for (let count = 0; count < 20_000; count++)
      at.server.send("jobs", {
        [at.id]: {
          state: "finishing",
          progress: count / 20_000,
          ...(count % 1000 === 0 ? { push: { tickets: [`t${count}`] } } : {}),
        },
      });
    at.server.send("jobs", { [at.id]: done() });
    state.isDown = false;
    await clock.advance(10);
    const job = await at.read();
    expect(job).toMatchObject({ final: true, code: 0 });
    expect(job["tickets"]).toHaveLength(20);
  });

  test("of output while the job waits is cut with one notice, and the end is not lost", async () => {
    const { clock, state, storage } = failing();
    const at = await setUp({ clock, storage });
    state.isDown = true;
    at.server.send("jobs", { [at.id]: { state: "finishing" } });
    await clock.advance(0.1);
    for (let count = 0; count < 5000; count++) at.server.send("job_log", { id: at.id, text: "x\n" });
    at.server.send("jobs", { [at.id]: done() });
    state.isDown = false;
    await clock.advance(10);
    const job = await at.read();
    expect(job).toMatchObject({ final: true, code: 0 });
    expect(Number(job["log_file_size"])).toBeLessThanOrEqual(2000);
    expect(at.log.lines.filter(({ message }) => message.startsWith("Messages about a job were dropped"))).toHaveLength(
      1,
    );
  });

  test("of meta lines keeps the last thousand", async () => {
    const at = await setUp();
    for (let count = 0; count < 5000; count++) at.server.send("job_meta", { id: at.id, text: `m${count}` });
    await at.clock.advance(2);
    const activity = (await at.read())["activity"] as { msg: string }[];
    expect(activity.length).toBeLessThanOrEqual(1000);
    expect(activity.at(-1)?.msg).toBe("m999");
  });

  test("of data that is too large to keep does not prevent the job from ending", async () => {
    const at = await setUp();
    await at.tell({ state: "active", table: "x".repeat(5 * 1024 * 1024) });
    await at.tell(done({ table: "x".repeat(5 * 1024 * 1024) }));
    const job = await at.read();
    expect(job).toMatchObject({ final: true, code: 0 });
    const warnings = (job["activity"] as { msg: string }[]).filter(({ msg }) => msg.startsWith("WARNING"));
    expect(warnings).toEqual([
      expect.objectContaining({ msg: "WARNING: Ignoring malformed or too large data from the job: table" }),
    ]);
  });
});

describe("the stop of the engine", () => {
  test("leaves running jobs alone, with their readings on disk", async () => {
    const clock = fakeClock(START);
    const storage = memoryStorage({ clock });
    const at = await setUp({ clock, storage });
    at.server.send("job_log", { id: at.id, text: "so far\n" });
    at.server.send("jobs", { [at.id]: { state: "active", progress: 0.4, procs: { 7: { cpu: 1 } } } });
    await at.settle();
    await at.signalbox.stop();
    expect(commands(at.server, "abort_job")).toEqual([]);
    const again = await startJobs({ clock: fakeClock(clock.now() + 1), storage });
    expect((await again.signalbox.api.getJob({ id: at.id })).job).toMatchObject({
      state: "active",
      progress: 0.4,
      log_file_size: 7,
    });
  });

  test("ends the attempts to store an agent's messages", async () => {
    const { clock, state, storage } = failing();
    const at = await setUp({ clock, storage });
    state.isDown = true;
    at.server.send("jobs", { [at.id]: done() });
    await clock.advance(1);
    const stopped = at.signalbox.stop().catch((error: unknown) => error);
    await clock.advance(20);
    await stopped;
    const { refused } = state;
    await clock.advance(600);
    expect(state.refused).toBe(refused);
  });
});

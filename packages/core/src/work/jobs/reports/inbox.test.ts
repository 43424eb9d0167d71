import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { commands, type JobsOptions, launched, startJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const START = 1_795_253_600;
const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, ...members });

async function setUp(options: JobsOptions = {}, event: Members = {}) {
  const log = recordingLogger();
  const jobs = await startJobs({ log, ...options });
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event(event) });
  await jobs.settle();
  return {
    ...jobs,
    id,
    log,
    server,
    read: async (of = id) => (await jobs.signalbox.api.getJob({ id: of })).job,
    tell: async (update: unknown, to = server) => {
      to.send("jobs", { [id]: update });
      await jobs.settle();
    },
  };
}

/** A storage whose writes fail while the test says so. */
function failing() {
  const clock = fakeClock(START);
  const inner = memoryStorage({ clock });
  const state = { isDown: false, refused: 0 };
  const storage: Storage = {
    ...inner,
    async write(work) {
      if (!state.isDown) return inner.write(work);
      state.refused += 1;
      throw new Error("The disk is full");
    },
  };
  return { clock, state, storage };
}

describe("what another server says about a job", () => {
  const stranger = { hostname: "db01.example.internal", id: "s2", initial: { groups: ["db"] } };

  test("changes nothing, and is answered once with an abort", async () => {
    const at = await setUp();
    const other = await at.connect(stranger);
    for (let count = 0; count < 5; count++) await at.tell(done({ code: 9 }), other);
    other.send("job_log", { id: at.id, text: "forged\n" });
    other.send("job_meta", { id: at.id, text: "forged" });
    await at.clock.advance(2);
    expect(commands(other, "abort_job")).toEqual([
      { cmd: "abort_job", data: { id: at.id, reason: "Job is not assigned to this server." } },
    ]);
    expect(await at.read()).toMatchObject({ state: "active", log_file_size: 0 });
    expect(JSON.stringify(await at.read())).not.toContain("forged");
    expect(commands(at.server, "abort_job")).toEqual([]);
  });

  test("about a finished job changes nothing either", async () => {
    const at = await setUp();
    await at.signalbox.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.clock.advance(130);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    const other = await at.connect(stranger);
    await at.tell(done(), other);
    expect(await at.read()).toMatchObject({ code: "abort" });
  });
});

describe("a job that nobody knows", () => {
  test("is told to stop, once", async () => {
    const at = await setUp();
    for (let count = 0; count < 3; count++) at.server.send("jobs", { jgone: { state: "active" } });
    at.server.send("job_log", { id: "jgone", text: "x" });
    await at.settle();
    expect(commands(at.server, "abort_job")).toEqual([
      { cmd: "abort_job", data: { id: "jgone", reason: "Job is not active." } },
    ]);
  });

  test("that is over is not answered", async () => {
    const at = await setUp();
    at.server.send("jobs", { jgone: done() });
    await at.settle();
    expect(commands(at.server, "abort_job")).toEqual([]);
  });

  test("a finished job that still reports running is told to stop", async () => {
    const at = await setUp();
    await at.tell(done());
    await at.tell({ state: "active" });
    expect(commands(at.server, "abort_job")).toMatchObject([{ data: { id: at.id } }]);
  });

  test.each(["J1", "../x", "", "x".repeat(65), "a\u0000b"])("the id %j is not looked up", async (id) => {
    const at = await setUp();
    at.server.send("jobs", JSON.parse(`{${JSON.stringify(id)}: {"state": "active"}}`));
    at.server.send("job_log", { id, text: "x" });
    await at.settle();
    expect(commands(at.server, "abort_job")).toEqual([]);
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("messages in another order", () => {
  test("a late reading does not bring a finishing job back", async () => {
    const at = await setUp();
    await at.tell({ state: "finishing" });
    await at.tell({ state: "active", progress: 0.5 });
    expect(await at.read()).toMatchObject({ state: "finishing" });
    await at.tell(done());
    expect(await at.read()).toMatchObject({ code: 0, final: true });
  });

  test("a job may end without having been finishing", async () => {
    const at = await setUp();
    await at.tell(done({ code: 4 }));
    expect(await at.read()).toMatchObject({ code: 4, final: true });
  });

  test("output that came before the end is in the log, all messages in one turn", async () => {
    const at = await setUp();
    for (let line = 0; line < 50; line++) at.server.send("job_log", { id: at.id, text: `line ${line}\n` });
    at.server.send("jobs", { [at.id]: { state: "active", push: { tickets: ["t1"] } } });
    at.server.send("jobs", { [at.id]: { state: "finishing", push: { tickets: ["t2"] } } });
    at.server.send("jobs", { [at.id]: done({ push: { tickets: ["t3"] } }) });
    at.server.send("job_log", { id: at.id, text: "too late\n" });
    await at.clock.advance(1);
    const job = await at.read();
    expect(String(job["output"]).split("\n")).toHaveLength(51);
    expect(job).toMatchObject({ final: true, tickets: ["t1", "t2", "t3"] });
    expect(job["output"]).not.toContain("too late");
  });

  test("an abort of the agent counts only when its process has ended", async () => {
    const at = await setUp();
    await at.tell({ state: "active", complete: true, code: "abort", description: "Aborting" });
    expect(await at.read()).toMatchObject({ state: "active" });
    await at.tell(done({ code: "abort", description: "Aborted" }));
    expect(await at.read()).toMatchObject({ code: "abort", description: "Aborted" });
  });

  test("the second final update changes nothing", async () => {
    const at = await setUp();
    await at.tell(done({ data: { n: 1 } }));
    const before = await at.read();
    await at.tell(done({ code: 5, data: { n: 2 } }));
    expect(await at.read()).toEqual(before);
  });
});

describe("a late result", () => {
  test("of a job that was taken for dead makes it a warning", async () => {
    const at = await setUp();
    await at.clock.advance(125);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await at.tell(done({ description: "Backup finished", data: { rows: 3 } }));
    expect(await at.read()).toMatchObject({
      code: "warning",
      data: { rows: 3 },
      description: expect.stringContaining("Backup finished"),
    });
  });

  test("of a job that was retried leaves two executions, both recorded", async () => {
    const at = await setUp({}, { limits: [{ enabled: true, type: "retry", amount: 1 }] });
    await at.clock.advance(125);
    const retry = launched(at.server).at(-1)?.job["id"];
    expect(retry).not.toBe(at.id);
    await at.tell(done());
    at.server.send("jobs", { [String(retry)]: done() });
    await at.settle();
    expect(await at.read()).toMatchObject({ code: "warning", retried: true });
    expect(await at.read(String(retry))).toMatchObject({ code: 0, final: true });
  });
});

describe("a storage that is away", () => {
  test("takes the end of the job when it is back, and nobody takes the job for dead", async () => {
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
  test("of updates while the job waits for its turn becomes one", async () => {
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

  test("of output while the job waits is cut, said once, and the end is not lost", async () => {
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

  test("of data that is too large to keep does not keep the job from ending", async () => {
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

describe("malformed messages", () => {
  test.each([null, 5, "x", [], [{ state: "complete" }]])("%o about all jobs is ignored", async (data) => {
    const at = await setUp();
    for (const cmd of ["jobs", "job_log", "job_meta"]) at.server.send(cmd, data);
    await at.settle();
    expect(await at.read()).toMatchObject({ state: "active" });
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each([
    null,
    5,
    "complete",
    [],
    { state: "COMPLETE" },
    { state: {} },
    { code: {}, push: 5, procs: [], html: { content: [] } },
  ])("the update %o leaves the job running", async (update) => {
    const at = await setUp();
    await at.tell(update);
    expect(await at.read()).toMatchObject({ state: "active", event: expect.any(String) });
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    await at.tell(done());
    expect(await at.read()).toMatchObject({ final: true, code: 0 });
  });

  test("text that is none is no output", async () => {
    const at = await setUp();
    for (const text of [5, null, {}, ["x"]]) at.server.send("job_log", { id: at.id, text });
    await at.settle();
    expect(await at.read()).toMatchObject({ log_file_size: 0 });
  });

  test("a pushed action that is malformed does not stop the end", async () => {
    const at = await setUp();
    await at.tell(
      done({
        push: {
          actions: [{ type: "tag", condition: 5, enabled: true }, null],
          limits: [{ type: "mem" }],
          tags: [{}, 5],
        },
      }),
    );
    expect(await at.read()).toMatchObject({ final: true, code: 0, actions: [], limits: [] });
  });
});

describe("a server that leaves", () => {
  test("makes its jobs unheard, and its return makes them heard again", async () => {
    const at = await setUp();
    at.server.close();
    await at.settle();
    expect(await at.read()).toMatchObject({ state: "active", remote: false });
    expect((await at.read())["activity"]).toContainEqual(
      expect.objectContaining({ msg: "Server connection was lost" }),
    );
    const again = await at.connect();
    await at.tell({ state: "active", progress: 0.6 }, again);
    expect(await at.read()).toMatchObject({ state: "active", remote: true, progress: 0.6 });
    await at.tell(done(), again);
    expect(await at.read()).toMatchObject({ final: true, code: 0 });
  });

  test("for good ends its jobs as dead, and one that somebody aborted is not run again", async () => {
    const limits = [{ enabled: true, type: "retry", amount: 3 }];
    const at = await setUp({}, { limits });
    await at.signalbox.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.clock.advance(130);
    const job = await at.read();
    expect(job).toMatchObject({ code: "abort", description: "Manually aborted by user: system", final: true });
    expect(job).not.toHaveProperty("retried");
    expect((await at.signalbox.api.getActiveJobs()).rows).toEqual([]);
  });
});

test("an agent that goes on reporting after an abort is not waited for", async () => {
  const at = await setUp();
  await at.signalbox.api.abortJob({ id: at.id });
  for (let second = 0; second < 125; second++) {
    at.server.send("jobs", { [at.id]: { state: "active", progress: 0.5 } });
    await at.clock.advance(1);
  }
  expect(await at.read()).toMatchObject({ code: "abort", description: "Manually aborted by user: system" });
});

describe("the stop of the engine", () => {
  test("leaves running jobs alone, with what is known of them on disk", async () => {
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

  test("ends the attempts to store what an agent said", async () => {
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

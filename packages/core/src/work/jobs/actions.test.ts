import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { done, type Members, note, noting, run, universal } from "../../../test/work/jobs/action-setup.ts";
import type { ActionRun } from "../../kernel/plugins/action-type.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { type JobsOptions, launched, startJobs, type TestJobs } from "../../testing/test-jobs.ts";

describe("sources of actions", () => {
  const label = (text: string) => ({ enabled: true, condition: "complete", type: "label", label: text });

  test("event first, then category, then configuration: the first of each kind applies", async () => {
    const order = async (own: boolean, ofCategory: boolean): Promise<unknown> => {
      const jobs = await startJobs({ config: universal(label("universal")) });
      if (ofCategory) await jobs.signalbox.api.updateCategory({ id: "general", actions: [label("category")] } as never);
      return (await run(jobs, {}, own ? { actions: [label("event")] } : {}))["label"];
    };
    expect([await order(true, true), await order(false, true), await order(false, false)]).toEqual([
      "event",
      "category",
      "universal",
    ]);
  });

  test("the job's list names the source of each, with its result", async () => {
    const { plugin } = noting();
    const jobs = await startJobs({ plugins: [plugin], config: universal(note("success", "u"), note("error", "e")) });
    const job = await run(jobs, {}, { actions: [label("event")] });
    expect(job["actions"]).toMatchObject([
      { type: "label", code: 0 },
      { text: "u", source: "universal", code: 0, description: "Noted", details: "", elapsed_ms: 0 },
      { text: "e", source: "universal" },
    ]);
    expect((job["actions"] as Members[])[2]).not.toHaveProperty("code");
  });

  test.each([
    [{ test: true }, []],
    [{ test: true, test_actions: true }, ["start", "complete", "success"]],
    [{ test: true, test_actions: true, test_conditions: ["success"] }, ["success"]],
    [{ test: true, test_actions: true, test_conditions: ["start"] }, ["start"]],
    [{ test: true, test_actions: true, test_conditions: [] }, []],
    [{}, ["start", "complete", "success"]],
  ])("a run with %j executes the defaults %j", async (members, expected) => {
    const { noted, plugin } = noting();
    const config = universal(note("success", "success"), note("complete", "complete"), note("start", "start"));
    await run(await startJobs({ plugins: [plugin], config }), {}, members);
    expect(noted).toEqual(expected);
  });

  test("results that a caller sends do not prevent an action from running", async () => {
    const jobs = await startJobs();
    const job = await run(jobs, {}, { actions: [{ ...label("mine"), code: 0, description: "Forged" }] });
    expect(job).toMatchObject({ label: "mine", actions: [{ description: "Label was set: mine" }] });
  });

  test("a job may notify the same place several times", async () => {
    const { noted, plugin } = noting();
    const jobs = await startJobs({ plugins: [plugin], config: universal(note("success", "same")) });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    for (let count = 0; count < 2; count++) {
      server.send("jobs", { [id]: { push: { actions: [note("instant", "same")] } } });
      await jobs.settle();
    }
    server.send("jobs", done(id));
    await jobs.settle();
    expect(noted).toEqual(["same", "same", "same"]);
  });

  test("actions that a job pushes run at once or at its end, if they are enabled", async () => {
    const { noted, plugin } = noting();
    const jobs = await startJobs({ plugins: [plugin] });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    const { enabled: _enabled, ...silent } = note("instant", "silent");
    server.send("jobs", { [id]: { push: { actions: [note("instant", "now"), silent, note("complete", "later")] } } });
    await jobs.settle();
    expect(noted).toEqual(["now"]);
    server.send("jobs", done(id));
    await jobs.settle();
    expect(noted).toEqual(["now", "later"]);
    expect((await jobs.signalbox.api.getJob({ id })).job["actions"]).toMatchObject([
      { text: "now", source: "job", code: 0 },
      { text: "silent", source: "job" },
      { text: "later", source: "job", code: 0 },
    ]);
  });
});

describe("the phases of a job", () => {
  test("wait for their actions: the launch for start actions, the record for end actions", async () => {
    const gates = new Map<string, () => void>();
    const { plugin } = noting(({ action }) => new Promise<void>((go) => void gates.set(String(action["text"]), go)));
    const jobs = await startJobs({ plugins: [plugin], config: universal(note("start", "s"), note("complete", "c")) });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    const state = async () => (await jobs.signalbox.api.getJob({ id })).job["state"];
    await jobs.settle();
    expect([await state(), launched(server).length]).toEqual(["starting", 0]);
    gates.get("s")?.();
    await jobs.settle();
    expect([await state(), launched(server).length]).toEqual(["active", 1]);
    server.send("jobs", done(id));
    await jobs.settle();
    const { job } = await jobs.signalbox.api.getJob({ id });
    expect([job["state"], job["final"]]).toEqual(["complete", undefined]);
    gates.get("c")?.();
    await jobs.settle();
    expect((await jobs.signalbox.api.getJob({ id })).job["final"]).toBe(true);
  });

  test("end although an action failed, and the job's result stays", async () => {
    const { plugin } = noting(async () => Promise.reject(new Error("No paper")));
    const log = recordingLogger();
    const jobs = await startJobs({
      plugins: [plugin],
      config: universal(note("start", "s"), note("success", "c")),
      log,
    });
    const job = await run(jobs);
    expect(job).toMatchObject({
      code: 0,
      final: true,
      actions: [
        { code: "note", description: "No paper" },
        { code: "note", description: "No paper" },
      ],
    });
    expect(log.lines.filter(({ message }) => message === "An action failed")).toHaveLength(2);
  });

  test("an action that never ends is recorded as late after its deadline", async () => {
    const { plugin } = noting(() => new Promise(() => undefined));
    const config = { ...universal(note("success", "c")), action_timeout: 20 };
    const jobs = await startJobs({ plugins: [plugin], config });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    server.send("jobs", done(id));
    await jobs.clock.advance(21);
    expect((await jobs.signalbox.api.getJob({ id })).job).toMatchObject({
      code: 0,
      final: true,
      actions: [{ code: "timeout", description: "Action timed out after 20 seconds.", elapsed_ms: 20_000 }],
    });
  });

  test("an action that returns no result fails once and does not run forever", async () => {
    let runs = 0;
    const plugin = definePlugin({
      id: "sloppy",
      actionTypes: {
        note: {
          applies: ["job"],
          target: () => "",
          run: async () => {
            runs += 1;
            return undefined as never;
          },
        },
      },
    });
    const job = await run(await startJobs({ plugins: [plugin], config: universal(note("success", "c")) }));
    expect([runs, job["actions"]]).toMatchObject([1, [{ code: "note", description: "The action gave no result." }]]);
  });
});

describe("the stop of the engine", () => {
  const untilAborted = ({ signal }: ActionRun): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("Aborted")));
    });

  async function stopped(jobs: TestJobs): Promise<void> {
    const stop = jobs.signalbox.stop();
    await jobs.clock.advance(60);
    await stop;
  }
  const again = ({ storage, clock }: TestJobs, options: JobsOptions): Promise<TestJobs> =>
    startJobs({ storage, clock: fakeClock(clock.now() + 1), ...options });

  test("returns running actions to the queue: they run again after the next start, and nothing failed", async () => {
    const first = noting(untilAborted);
    const config = universal(note("success", "c"));
    const log = recordingLogger();
    const jobs = await startJobs({ plugins: [first.plugin], config, log });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    server.send("jobs", done(id));
    await jobs.settle();
    await stopped(jobs);
    expect(first.noted).toEqual(["c"]);
    expect(log.lines.map(({ message }) => message)).not.toContain("An action failed");
    const second = noting();
    const later = await again(jobs, { plugins: [second.plugin], config });
    await later.clock.advance(2);
    expect(second.noted).toEqual(["c"]);
    expect((await later.signalbox.api.getJob({ id })).job).toMatchObject({ final: true, actions: [{ code: 0 }] });
  });

  test("waits a moment for actions that are about to end, which do not run again", async () => {
    let release = (): void => undefined;
    const first = noting(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const config = universal(note("success", "c"));
    const jobs = await startJobs({ plugins: [first.plugin], config });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    server.send("jobs", done(id));
    await jobs.settle();
    const stop = jobs.signalbox.stop();
    await jobs.clock.advance(1);
    release();
    await jobs.clock.advance(60);
    await stop;
    const second = noting();
    const later = await again(jobs, { plugins: [second.plugin], config });
    await later.clock.advance(2);
    expect(second.noted).toEqual([]);
    expect((await later.signalbox.api.getJob({ id })).job).toMatchObject({ final: true, actions: [{ code: 0 }] });
  });
});

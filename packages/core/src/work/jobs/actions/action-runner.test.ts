import { describe, expect, test } from "vitest";
import { cradleProbe, type LogLine, recordingLogger, START, startEngine } from "../../../../test/engine.ts";
import type { ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import type { ActionBatch } from "./action-runner.ts";

const action = (members: Record<string, unknown> = {}): Action => ({
  enabled: true,
  condition: "success",
  type: "probe",
  ...members,
});

type Run = (run: ActionRun) => Promise<unknown>;

/** An engine with an action type "probe" that runs the test's function. */
async function setUp(run: Run = async () => ({ code: 0, description: "Done" })) {
  const probe = cradleProbe();
  const runs: ActionRun[] = [];
  const type = (applies: ActionType["applies"]): ActionType => ({
    applies,
    target: () => "",
    run: (given) => {
      runs.push(given);
      return run(given) as never;
    },
  });
  const types = definePlugin({
    id: "probe",
    actionTypes: { probe: type(["job", "alert"]), job_only: type(["job"]) },
  });
  const log = recordingLogger();
  const engine = await startEngine({ plugins: [probe.plugin, types], log });
  const stop = new AbortController();
  const stored: [number, Action][] = [];
  const { actionRunner } = probe.cradle();
  return {
    clock: engine.clock,
    log,
    runs,
    stop,
    stored,
    run: (actions: readonly Action[], batch: Partial<ActionBatch> = {}) =>
      actionRunner.run({
        side: "job",
        actions,
        data: { job: { id: "j1" } },
        key: "j1",
        signal: stop.signal,
        onResult: async (index, result) => void stored.push([index, result]),
        ...batch,
      }),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

const messages = ({ lines }: { lines: LogLine[] }): string[] => lines.map(({ message }) => message);

describe("an action that runs", () => {
  test("has its result: time, duration, code, texts and place", async () => {
    await using at = await setUp(async () => {
      await at.clock.advance(1.25);
      return { code: 0, description: "Done", details: "- a", loc: "#Job?id=j2", resultId: "j2", secret: "s" };
    });
    const date = at.clock.now();
    const expected = { date, code: 0, description: "Done", details: "- a", loc: "#Job?id=j2", elapsed_ms: 1250 };
    expect(await at.run([action({ text: "t" })])).toEqual([{ ...action({ text: "t" }), ...expected }]);
    expect(at.stored).toEqual([[0, { ...action({ text: "t" }), ...expected }]]);
  });

  test("gets the shared data, itself and a text for people", async () => {
    await using at = await setUp();
    const event = { title: "Backup" };
    const links = { job_details: "https://x/#Job?id=j1" };
    await at.run([action()], {
      data: { job: { id: "j1", complete: true, code: 0 }, event, links, nice_server: "Web" },
    });
    expect(at.runs[0]?.data).toMatchObject({
      event,
      action: action(),
      text: "Signalbox Backup succeeded on Web: https://x/#Job?id=j1",
    });
  });

  test("gets the same key on every attempt, made of the batch and its own place", async () => {
    await using at = await setUp();
    await at.run([action(), action()]);
    await at.run([action()], { key: "j2", places: [7] });
    expect(at.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["j1/0", "j1/1", "j2/7"]);
  });

  test("does not wait for other actions", async () => {
    const order: unknown[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using at = await setUp(async ({ action: { text } }) => {
      order.push(text);
      if (text === "a") await gate;
      else release();
      return { code: 0, description: "" };
    });
    const results = await at.run([action({ text: "a" }), action({ text: "b" })]);
    expect(order).toEqual(["a", "b"]);
    expect(results.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(at.stored.map(([index]) => index)).toEqual([1, 0]);
  });

  test("does not run again once it has a result", async () => {
    await using at = await setUp();
    const done = action({ code: 0, date: 5 });
    expect(await at.run([done])).toEqual([done]);
    expect([at.runs.length, at.stored.length]).toEqual([0, 0]);
  });
});

describe("an action that fails", () => {
  test.each<[string, Run, string, string, string]>([
    ["by its outcome", async () => ({ code: "full", description: "No room" }), "probe", "full", "No room"],
    ["by throwing", async () => Promise.reject(new Error("Broken")), "probe", "probe", "Broken"],
    ["by throwing a value that is no error", async () => Promise.reject("odd"), "probe", "probe", "odd"],
    ["by returning nothing", async () => undefined, "probe", "probe", "The action gave no result."],
    ["with the code of its type", async () => undefined, "store", "bucket", "Bucket not found: "],
  ])("%s has a result and affects no other action", async (_how, run, type, code, description) => {
    await using at = await setUp(run);
    const results = await at.run([action({ type }), action({ type: "nonsense" })]);
    expect(results).toMatchObject([
      { code, description },
      { code: "type", description: "Unknown action type: nonsense" },
    ]);
    expect(at.stored).toHaveLength(2);
    expect(messages(at.log).filter((message) => message === "An action failed")).toHaveLength(2);
  });

  test("because its type does not support jobs or alerts says so, or is left out", async () => {
    await using at = await setUp();
    expect(await at.run([action({ type: "job_only" })], { side: "alert" })).toEqual([action({ type: "job_only" })]);
    expect(at.stored).toEqual([]);
    expect(await at.run([action({ type: "fetch" })], { side: "alert" })).toEqual([action({ type: "fetch" })]);
  });

  test.each([
    ["job", 300, "5 minutes"],
    ["alert", 600, "10 minutes"],
  ] as const)("by taking too long on the side of a %s is cut off after %i seconds", async (side, seconds, text) => {
    let signal: AbortSignal | undefined;
    await using at = await setUp((run) => {
      signal = run.signal;
      return new Promise(() => undefined);
    });
    const results = at.run([action()], { side });
    await at.clock.advance(seconds - 1);
    expect([signal?.aborted, at.stored.length]).toEqual([false, 0]);
    await at.clock.advance(1);
    expect(await results).toMatchObject([
      { code: "timeout", description: `Action timed out after ${text}.`, elapsed_ms: seconds * 1000 },
    ]);
    expect(signal?.aborted).toBe(true);
  });
});

describe("the stop of the engine", () => {
  const untilAborted: Run = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("Aborted")));
    });

  test("does not count interrupted actions as failed", async () => {
    await using at = await setUp(untilAborted);
    const results = at.run([action()]);
    at.stop.abort();
    await expect(results).rejects.toThrow("The engine stopped before an action ended: probe");
    expect(at.stored).toEqual([]);
    expect(messages(at.log)).not.toContain("An action failed");
  });

  test("keeps the results of actions that ended", async () => {
    await using at = await setUp((run) =>
      run.action["text"] === "a" ? Promise.resolve({ code: 0, description: "" }) : untilAborted(run),
    );
    const results = at.run([action({ text: "a" }), action({ text: "b" })]);
    at.stop.abort();
    await expect(results).rejects.toThrow("The engine stopped");
    expect(at.stored.map(([index]) => index)).toEqual([0]);
  });

  test("returns queued work, whose actions run after the next start", async () => {
    const storage = memoryStorage({ clock: fakeClock(START) });
    const begin = async (run: Run) => {
      const keys: string[] = [];
      const plugin = definePlugin({
        id: "queued",
        actionTypes: {
          probe: {
            applies: ["alert"],
            target: () => "",
            run: (given) => {
              keys.push(given.idempotencyKey);
              return run(given) as never;
            },
          },
        },
        workers: {
          "queued.fire": async (_item, { actionRunner }, signal) => {
            await actionRunner.run({ side: "alert", actions: [action()], data: {}, key: "i1:alert_new", signal });
          },
        },
      });
      return { keys, engine: await startEngine({ storage, plugins: [plugin] }) };
    };
    const first = await begin(untilAborted);
    await storage.write((tx) => tx.enqueue("queued.fire", {}));
    await first.engine.clock.advance(2);
    const stopped = first.engine.stop();
    await first.engine.clock.advance(60);
    await stopped;
    const second = await begin(async () => ({ code: 0, description: "" }));
    await second.engine.clock.advance(10);
    expect([first.keys, second.keys]).toEqual([["i1:alert_new/0"], ["i1:alert_new/0"]]);
    await second.engine.stop();
  });

  test("keeps a success that came after it", async () => {
    await using at = await setUp(async () => {
      at.stop.abort();
      return { code: 0, description: "Just in time" };
    });
    expect(await at.run([action()])).toMatchObject([{ code: 0 }]);
    expect(at.stored).toHaveLength(1);
  });
});

describe("an action result that cannot be stored", () => {
  test("is stored again, without running the action again", async () => {
    await using at = await setUp();
    let attempts = 0;
    const results = at.run([action()], {
      onResult: async () => {
        attempts += 1;
        if (attempts < 3) throw new Error("The disk is full");
      },
    });
    await at.clock.advance(3);
    expect(await results).toMatchObject([{ code: 0 }]);
    expect([attempts, at.runs.length]).toEqual([3, 1]);
  });

  test("rejects after a long time, so that the action runs again", async () => {
    await using at = await setUp();
    let attempts = 0;
    const results = at.run([action()], {
      onResult: async () => {
        attempts += 1;
        throw new Error("The disk is full");
      },
    });
    const refused = expect(results).rejects.toThrow("The disk is full");
    await at.clock.advance(15);
    await refused;
    expect(attempts).toBe(5);
  });
});

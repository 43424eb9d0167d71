import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { createJobTurns } from "./job-turns.ts";

function setUp() {
  const log = recordingLogger();
  const turns = createJobTurns({ clock: fakeClock(), log });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const done: unknown[] = [];
  return {
    ...{ log, turns, gate, open, done },
    /** Blocks a job's messages until the gate opens. */
    hold: (id: string) => turns.work(id, () => gate),
    note: (what: unknown) => async () => void done.push(what),
    idle: async (ids: readonly string[] = ["j1"]) => {
      await Promise.all(ids.map((id) => new Promise<void>((resolve) => turns.work(id, async () => resolve()))));
    },
  };
}

describe("turns of a job", () => {
  test("come in order, and jobs do not wait for each other", async () => {
    const at = setUp();
    at.hold("j1");
    at.turns.text("j1", "a", at.note("a"));
    at.turns.text("j1", "b", at.note("b"));
    at.turns.text("j2", "c", at.note("c"));
    await at.idle(["j2"]);
    expect(at.done).toEqual(["c"]);
    at.open();
    await at.idle();
    expect(at.done).toEqual(["c", "a", "b"]);
  });

  test("are logged when they fail, and the next ones continue", async () => {
    const at = setUp();
    at.turns.work("j1", () => Promise.reject(new Error("no")));
    at.turns.work("j1", () => {
      throw new Error("at once");
    });
    at.turns.text("j1", "a", at.note("a"));
    await at.idle();
    expect(at.done).toEqual(["a"]);
    expect(at.log.lines.map(({ level }) => level)).toEqual(["error", "error"]);
  });
});

describe("updates that wait", () => {
  const sent = (update: unknown, server = "s1") => ({ server, update });
  const take =
    (done: unknown[]) =>
    async (update: unknown): Promise<void> =>
      void done.push(update);

  test("are joined", async () => {
    const at = setUp();
    at.hold("j1");
    for (let count = 0; count < 100; count++) at.turns.update("j1", sent({ progress: count }), take(at.done));
    at.open();
    await at.idle();
    expect(at.done).toEqual([{ progress: 99 }]);
  });

  test("do not pass output that came between them", async () => {
    const at = setUp();
    at.hold("j1");
    at.turns.update("j1", sent({ n: 1 }), take(at.done));
    at.turns.text("j1", "text", at.note("text"));
    at.turns.update("j1", sent({ n: 2 }), take(at.done));
    at.turns.update("j1", sent({ n: 3 }), take(at.done));
    at.open();
    await at.idle();
    expect(at.done).toEqual([{ n: 1 }, "text", { n: 3 }]);
  });

  test("do not join the one whose turn has begun", async () => {
    const at = setUp();
    at.turns.update("j1", sent({ n: 1 }), async (update) => {
      at.done.push(update);
      await at.gate;
    });
    // The first update's turn has begun once another job has had its turn.
    await at.idle(["j2"]);
    at.turns.update("j1", sent({ n: 2 }), take(at.done));
    at.open();
    await at.idle();
    expect(at.done).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("of two servers stay apart", async () => {
    const at = setUp();
    at.hold("j1");
    at.turns.update("j1", sent({ n: 1 }, "s1"), take(at.done));
    at.turns.update("j1", sent({ n: 2 }, "s2"), take(at.done));
    at.open();
    await at.idle();
    expect(at.done).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe("waiting reports are bounded", () => {
  test("to a thousand texts of a job, reported once", async () => {
    const at = setUp();
    at.hold("j1");
    for (let count = 0; count < 3000; count++) at.turns.text("j1", "x", at.note(count));
    at.open();
    await at.idle();
    expect(at.done.length).toBe(999);
    expect(at.log.lines).toHaveLength(1);
  });

  test("to a number of characters over all jobs, which is free again afterwards", async () => {
    const at = setUp();
    const ids = ["j1", "j2", "j3", "j4"];
    for (const id of ids) at.hold(id);
    const large = "x".repeat(20 * 1024 * 1024);
    for (const id of ids) at.turns.text(id, large, at.note(id));
    at.open();
    await at.idle(ids);
    expect(at.done).toEqual(["j1", "j2", "j3"]);
    at.turns.text("j4", large, at.note("again"));
    await at.idle(ids);
    expect(at.done.at(-1)).toBe("again");
  });

  test("to a text of 32 MB", async () => {
    const at = setUp();
    at.turns.text("j1", "x".repeat(33 * 1024 * 1024), at.note("large"));
    await at.idle();
    expect(at.done).toEqual([]);
  });

  test("to fifty thousand jobs", async () => {
    const at = setUp();
    for (let job = 0; job < 50_000; job++) at.hold(`j${job}`);
    at.turns.update("jmore", { server: "s1", update: {} }, async () => void at.done.push("update"));
    at.turns.text("jmore", "x", at.note("text"));
    at.turns.text("j0", "x", at.note("known"));
    at.open();
    await at.idle(["j0", "jmore"]);
    expect(at.done).toEqual(["known"]);
  });
});

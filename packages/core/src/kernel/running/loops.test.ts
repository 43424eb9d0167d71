import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { cradleProbe, recordingLogger, START, startEngine } from "../../../test/engine.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { delayToNextMark, type Loop, pause } from "./loops.ts";

const loop = (members: Partial<Loop> & Pick<Loop, "run">): Loop => ({
  name: "test",
  everySec: 60,
  on: "every-node",
  ...members,
});

describe.each(["every-node", "leader"] as const)("a loop on %s", (on) => {
  test("runs at start and then at each whole multiple of its period", async () => {
    const rounds: number[] = [];
    const clock = fakeClock(START + 10);
    const run = async (now: number) => void rounds.push(now - START);
    await using engine = await startEngine({ clock, plugins: [{ id: "p", loops: [loop({ on, run })] }] });
    await engine.clock.advance(170);
    expect(rounds).toEqual([10, 60, 120, 180]);
  });

  test("logs a failed round and runs the next one", async () => {
    const log = recordingLogger();
    let rounds = 0;
    const run = async () => {
      rounds++;
      throw new Error("round");
    };
    await using engine = await startEngine({ log, plugins: [{ id: "p", loops: [loop({ on, run })] }] });
    await engine.clock.advance(60);
    expect(rounds).toBe(2);
    expect(log.lines.filter(({ message }) => message.startsWith("A loop failed"))).toHaveLength(2);
  });

  test("skips a round that would find nothing to do, and runs the next one", async () => {
    const rounds: number[] = [];
    const isIdle = (now: number): boolean => now - START < 120 || now - START === 180;
    const run = async (now: number) => void rounds.push(now - START);
    await using engine = await startEngine({ plugins: [{ id: "p", loops: [loop({ on, run, isIdle })] }] });
    await engine.clock.advance(240);
    expect(rounds).toEqual([120, 240]);
  });

  test("runs a round if it is unknown whether there is anything to do", async () => {
    let rounds = 0;
    const isIdle = (): never => {
      throw new Error("idle");
    };
    const run = async () => void rounds++;
    await using engine = await startEngine({ plugins: [{ id: "p", loops: [loop({ on, run, isIdle })] }] });
    await engine.clock.advance(60);
    expect(rounds).toBe(2);
  });

  test("is ended by a stop before its first round", async () => {
    const isIdle = () => true;
    const run = async () => expect.unreachable();
    const engine = await startEngine({ plugins: [{ id: "p", loops: [loop({ on, run, isIdle })] }] });
    await engine.clock.advance(60);
    await engine.stop();
  });

  test("does not overlap a round that takes longer than the period", async () => {
    let running = 0;
    let most = 0;
    const run: Loop["run"] = async (_now, { clock }, signal) => {
      running++;
      most = Math.max(most, running);
      await pause(clock, 150_000, signal);
      running--;
    };
    await using engine = await startEngine({ plugins: [{ id: "p", loops: [loop({ on, run })] }] });
    await engine.clock.advance(600);
    expect(most).toBe(1);
  });

  test("aborts its round at a stop and starts no further one", async () => {
    const probe = cradleProbe();
    let rounds = 0;
    let aborted = false;
    const run: Loop["run"] = async (_now, { clock }, signal) => {
      rounds++;
      await pause(clock, 1e9, signal);
      aborted = signal.aborted;
    };
    const engine = await startEngine({ plugins: [probe.plugin, { id: "p", loops: [loop({ on, run })] }] });
    await engine.clock.advance(1);
    await engine.stop();
    await engine.clock.advance(600);
    expect(rounds).toBe(1);
    expect(aborted).toBe(true);
  });
});

describe("delayToNextMark", () => {
  test.each<[number, number, number]>([
    [0, 60, 60_000],
    [59, 60, 1000],
    [59.9995, 60, 1],
    [120, 60, 60_000],
    [3.25, 1, 750],
    [1_800_000_000.5, 5, 4500],
  ])("at %d with a period of %d s is %d ms", (now, everySec, expected) => {
    expect(delayToNextMark(now, everySec)).toBe(expected);
  });
});

describe("pause", () => {
  test("ends after the delay", async () => {
    const clock = fakeClock();
    let ended = false;
    const done = pause(clock, 1000, new AbortController().signal).then(() => {
      ended = true;
    });
    await clock.advance(0.999);
    expect(ended).toBe(false);
    await clock.advance(0.001);
    await done;
    expect(ended).toBe(true);
  });

  test("ends at once for a signal that aborts or has aborted", async () => {
    const clock = fakeClock();
    const abort = new AbortController();
    const waiting = pause(clock, 1e9, abort.signal);
    abort.abort();
    await waiting;
    await pause(clock, 1e9, abort.signal);
    expect(clock.monotonicMs()).toBe(0);
  });
});

test("an engine that was dropped without a stop is released", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const dropped = await (async () => {
    const probe = cradleProbe();
    await startEngine({ plugins: [probe.plugin] });
    return new WeakRef(probe.cradle());
  })();
  // A WeakRef keeps its target alive until the end of its turn, and the start leaves work behind.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  collect();
  expect(dropped.deref()).toBeUndefined();
});

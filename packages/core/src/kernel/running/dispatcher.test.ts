import { describe, expect, test } from "vitest";
import { cradleProbe, recordingLogger, startEngine } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Random } from "../../ports/random.ts";
import { systemRandom } from "../../ports/random.ts";
import { type FakeClock, fakeClock } from "../../testing/fake-clock.ts";
import type { WorkHandler } from "../plugins/plugin.ts";
import { createDispatcher, retryDelaySec } from "./dispatcher.ts";
import { pause } from "./loops.ts";

/** Removes the jitter: the delays are 1, 2, 4 … seconds. */
const steady: Random = { ...systemRandom(), fraction: () => 0.5 };

async function setUp(handler: WorkHandler) {
  const probe = cradleProbe();
  const log = recordingLogger();
  const clock = fakeClock();
  const engine = await startEngine({
    clock,
    log,
    random: steady,
    plugins: [probe.plugin, { id: "work", workers: { "test.work": handler } }],
  });
  const { transact, storage } = probe.cradle();
  const enqueue = (...args: Parameters<Parameters<Parameters<typeof transact>[0]>[0]["tx"]["enqueue"]>) =>
    transact(({ tx }) => tx.enqueue(...args));
  return { engine, clock, log, storage, transact, enqueue, [Symbol.asyncDispose]: () => engine.stop() };
}

describe("queued work", () => {
  test("runs after the commit and is deleted when it is done", async () => {
    const seen: unknown[] = [];
    await using at = await setUp(async ({ kind, payload, attempts }) => void seen.push([kind, payload, attempts]));
    await at.transact(async ({ tx }) => {
      await tx.enqueue("test.work", { n: 1 });
      expect(seen).toEqual([]);
    });
    await at.clock.advance(0);
    expect(seen).toEqual([["test.work", { n: 1 }, 0]]);
    expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 0 });
  });

  test("waits for its time", async () => {
    const seen: number[] = [];
    await using at = await setUp(async (_item, { clock }) => void seen.push(clock.now()));
    const start = at.clock.now();
    await at.enqueue("test.work", {}, { runAt: start + 90 });
    await at.clock.advance(89);
    expect(seen).toEqual([]);
    await at.clock.advance(2);
    expect(seen).toHaveLength(1);
  });

  test("is retried after a failure, with doubling delays", async () => {
    const at0: number[] = [];
    await using at = await setUp(async (_item, { clock }) => {
      at0.push(clock.now());
      if (at0.length < 5) throw new Error("not yet");
    });
    const start = at.clock.now();
    await at.enqueue("test.work", {});
    await at.clock.advance(60);
    expect(at0.map((time) => Math.round(time - start))).toEqual([0, 1, 3, 7, 15]);
    expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 0 });
    expect(at.log.lines.filter(({ message }) => message === "Queued work failed")).toHaveLength(4);
  });

  test("is kept for inspection after twenty attempts", async () => {
    let attempts = 0;
    await using at = await setUp(async () => {
      attempts++;
      throw new Error("never");
    });
    await at.enqueue("test.work", {});
    await at.clock.advance(3 * 3600);
    expect(attempts).toBe(20);
    expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 1 });
  });

  test("of a kind without a handler is left alone", async () => {
    await using at = await setUp(async () => undefined);
    await at.enqueue("test.other", {});
    await at.clock.advance(10);
    expect(await at.storage.work.stats()).toEqual({ open: 1, failed: 0 });
    expect(at.log.lines.filter(({ level }) => level !== "debug")).toEqual([]);
  });

  test("keeps its lease while it runs, so that it is not run twice", async () => {
    let runs = 0;
    await using at = await setUp(async (_item, { clock }, signal) => {
      runs++;
      await pause(clock, 300_000, signal);
    });
    await at.enqueue("test.work", {});
    await at.clock.advance(299);
    const claim = { node: "other", kinds: ["test.work"], limit: 1, now: at.clock.now(), leaseSec: 60 };
    expect(await at.storage.work.claim(claim)).toEqual([]);
    await at.clock.advance(2);
    expect(runs).toBe(1);
    expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 0 });
  });

  test("continues under a new lease when the old one ends while it runs, as by a clock that jumps", async () => {
    let runs = 0;
    await using at = await setUp(async (_item, { clock }, signal) => {
      runs++;
      await pause(clock, 30_000, signal);
    });
    await at.enqueue("test.work", {});
    await at.clock.advance(5);
    at.clock.step(86_400);
    await at.clock.advance(10);
    expect(runs).toBe(1);
    await at.clock.advance(20);
    expect(runs).toBe(1);
    expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 0 });
  });

  test("work that ended the process each time is kept for inspection after twenty attempts", async () => {
    let runs = 0;
    await using at = await setUp(async () => void runs++);
    await at.enqueue("test.work", {}, { runAt: at.clock.now() + 60 });
    const claim = { node: "killed", kinds: ["test.work"], limit: 1, now: at.clock.now() + 60, leaseSec: 60 };
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await at.storage.work.claim(claim)).toHaveLength(1);
      await at.storage.work.free("killed");
    }
    await at.clock.advance(120);
    expect(runs).toBe(0);
    expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 1 });
    expect(at.log.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "Queued work is given up" }),
    );
  });

  test("held by a node that died runs when the lease ends", async () => {
    const seen: number[] = [];
    await using at = await setUp(async ({ attempts }) => void seen.push(attempts));
    await at.enqueue("test.work", {}, { runAt: at.clock.now() + 1 });
    const claim = { node: "dead", kinds: ["test.work"], limit: 1, now: at.clock.now() + 1, leaseSec: 60 };
    expect(await at.storage.work.claim(claim)).toHaveLength(1);
    await at.clock.advance(60);
    expect(seen).toEqual([]);
    await at.clock.advance(2);
    expect(seen).toEqual([1]);
  });

  test("of more than 32 items runs 32 at a time, without waiting for the poll", async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    await using at = await setUp(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      done++;
    });
    await at.transact(async ({ tx }) => {
      for (let n = 0; n < 200; n++) await tx.enqueue("test.work", { n });
    });
    for (let turn = 0; turn < 60; turn++) await at.clock.advance(0);
    expect(done).toBe(200);
    expect(most).toBe(32);
  });

  test("enqueued at any moment runs without waiting for the poll", async () => {
    const seen = new Set<unknown>();
    await using at = await setUp(async ({ payload }) => void seen.add(payload));
    for (let n = 0; n < 60; n++) {
      await at.enqueue("test.work", n);
      for (let turn = 0; turn < n % 30; turn++) await Promise.resolve();
    }
    for (let turn = 0; turn < 20; turn++) await at.clock.advance(0);
    expect(seen.size).toBe(60);
  });

  test("ends at a stop: running items finish, nothing more is claimed and the signal aborts", async () => {
    let ended = 0;
    const at = await setUp(async (_item, { clock }, signal) => {
      await pause(clock, 1e6, signal);
      await new Promise((resolve) => setImmediate(resolve));
      ended++;
    });
    await at.enqueue("test.work", {});
    await at.clock.advance(0);
    await at.engine.stop();
    expect(ended).toBe(1);
  });

  test("interrupted by a stop has not failed: nothing is logged, and it is due at once", async () => {
    const at = await setUp(async (_item, { clock }, signal) => {
      await pause(clock, 1e6, signal);
      signal.throwIfAborted();
    });
    await at.enqueue("test.work", {});
    await at.clock.advance(0);
    const due: unknown[] = [];
    const { release } = at.storage.work;
    at.storage.work.release = (item, outcome) => {
      due.push(outcome.runAt);
      return release(item, outcome);
    };
    await at.engine.stop();
    expect(due).toEqual([at.clock.now()]);
    expect(at.log.lines).toEqual([]);
  });
});

test("on a node whose clock is ahead does not take items that another node is running", async () => {
  const [one, ahead] = [fakeClock(), fakeClock()];
  ahead.step(600);
  const storage = memoryStorage({ clock: one });
  await storage.open([]);
  const runs: FakeClock[] = [];
  const start = (clock: FakeClock) => {
    const nodes = { nowMs: () => one.now() * 1000 };
    const dispatcher = createDispatcher({ storage, clock, nodes, random: steady, log: recordingLogger() });
    const handler = async (_item: unknown, signal: AbortSignal): Promise<void> => {
      runs.push(clock);
      await pause(clock, 30_000, signal);
    };
    dispatcher.start(new Map([["test.work", handler]]));
    return dispatcher;
  };
  const own = start(one);
  await storage.write((tx) => tx.enqueue("test.work", {}));
  await one.advance(5);
  const other = start(ahead);
  await ahead.advance(5);
  expect(runs).toEqual([one]);
  await one.advance(30);
  expect(await storage.work.stats()).toEqual({ open: 0, failed: 0 });
  await Promise.all([own.stop(0), other.stop(0)]);
});

test("work that fails while the queue cannot be written is logged, and retried after its lease", async () => {
  const probe = cradleProbe();
  const log = recordingLogger();
  let runs = 0;
  const engine = await startEngine({
    log,
    random: steady,
    plugins: [
      probe.plugin,
      {
        id: "work",
        workers: {
          "test.work": async () => {
            if (++runs === 1) throw new Error("first");
          },
        },
      },
    ],
  });
  await using _engine = engine;
  const { storage, transact } = probe.cradle();
  const { release } = storage.work;
  (storage.work as { release: typeof release }).release = () => Promise.reject(new Error("disk full"));
  await transact(({ tx }) => tx.enqueue("test.work", {}));
  await engine.clock.advance(59);
  expect(runs).toBe(1);
  expect(log.lines.map(({ message }) => message)).toContain("Queued work could not be given back");
  await engine.clock.advance(2);
  expect(runs).toBe(2);
});

describe("retryDelaySec", () => {
  test.each([
    [0, 0.5, 1],
    [1, 0.5, 2],
    [5, 0.5, 32],
    [30, 0.5, 600],
    [2, 0, 3],
    [2, 1, 5],
  ])("after %d earlier attempts with chance %d is %d s", (attempts, chance, expected) => {
    expect(retryDelaySec(attempts, chance)).toBe(expected);
  });
});

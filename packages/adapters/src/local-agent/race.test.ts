import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { pump } from "./job/job-output.ts";
import { raceAgainst } from "./race.ts";
import { createWorkerFiles } from "./worker/worker-files.ts";

const never = new Promise<never>(() => undefined);

describe("a race against a long-lived promise", () => {
  test("is won by the first to settle, whether fulfilled or rejected", async () => {
    const stop = Promise.withResolvers<string>();
    const race = raceAgainst(stop.promise);
    expect(await race(Promise.resolve(1))).toBe(1);
    await expect(race(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    const waiting = race(never);
    stop.resolve("over");
    expect(await waiting).toBe("over");
    expect(await race(never)).toBe("over");
  });

  test("fails with the long-lived promise", async () => {
    const failed = Promise.withResolvers<never>();
    const race = raceAgainst(failed.promise);
    const waiting = race(never);
    failed.reject(new Error("late"));
    await expect(waiting).rejects.toThrow("late");
    await expect(race(never)).rejects.toThrow("late");
  });
});

describe("data that was passed on is released", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");

  /** A source of ten pieces, and how many of the first eight are still in memory when the tenth is requested. */
  function tenPieces() {
    const pieces: WeakRef<Uint8Array>[] = [];
    const left = Promise.withResolvers<number>();
    const last = Promise.withResolvers<void>();
    const source = (async function* () {
      for (let count = 0; count < 10; count++) {
        const piece = new Uint8Array(1024);
        pieces.push(new WeakRef(piece));
        yield piece;
      }
      // A WeakRef keeps its target alive until the end of the turn in which it was created.
      await nextTurn();
      collect();
      left.resolve(pieces.slice(0, 8).filter((each) => each.deref()).length);
      await last.promise;
    })();
    return { source, left: left.promise, end: last.resolve };
  }

  test("from the output of a process", async () => {
    const { source, left, end } = tenPieces();
    const done = pump(source, () => undefined, { clock: fakeClock(), stopped: never });
    expect(await left).toBe(0);
    end();
    await done;
  });

  test("from a file that a thread writes", async () => {
    const { source, left, end } = tenPieces();
    const files = createWorkerFiles({
      input: [],
      read: () => source,
      async write(_filename: string, content: AsyncIterable<Uint8Array>) {
        for await (const _piece of content) await nextTurn();
      },
    } as never);
    await files.take(1, { step: "create", filename: "a.bin" });
    const writing = (async () => {
      for await (const piece of source) await files.take(1, { step: "push", piece });
      await files.take(1, { step: "end" });
    })();
    expect(await left).toBe(0);
    end();
    await writing;
  });
});

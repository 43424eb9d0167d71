import { expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { systemRandom } from "../../ports/random.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { createDispatcher } from "./dispatcher.ts";
import { pause } from "./loops.ts";

test.each([{}, { key: "all" }])(
  "work with the options %j is not given up for interruptions by a stop",
  async (options) => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    await storage.open([]);
    const log = recordingLogger();
    const nodes = { nowMs: () => clock.now() * 1000 };
    const seen: unknown[] = [];
    const start = () => {
      const dispatcher = createDispatcher({ storage, clock, nodes, random: systemRandom(), log });
      const handler = async ({ payload }: { readonly payload: unknown }, signal: AbortSignal): Promise<void> => {
        seen.push(payload);
        await pause(clock, 30_000, signal);
        signal.throwIfAborted();
      };
      dispatcher.start(new Map([["test.work", handler]]));
      return dispatcher;
    };
    await storage.write((tx) => tx.enqueue("test.work", { n: 1 }, options));
    for (let stops = 0; stops < 45; stops++) {
      const dispatcher = start();
      await clock.advance(1);
      await dispatcher.stop(1000);
      expect(await storage.work.stats()).toEqual({ open: 1, failed: 0 });
    }
    expect(seen).toEqual(Array.from({ length: 45 }, () => ({ n: 1 })));
    expect(log.lines).toEqual([]);
    const last = start();
    await clock.advance(31);
    expect(await storage.work.stats()).toEqual({ open: 0, failed: 0 });
    await last.stop(0);
  },
);

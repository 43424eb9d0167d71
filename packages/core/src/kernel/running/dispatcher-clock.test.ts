import { expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { WorkHandler } from "../plugins/plugin.ts";

const HOUR = 3600;

/** An engine whose storage outlives it, with a clock that the test sets. */
async function setUp() {
  const clock = fakeClock();
  const storage = { ...memoryStorage({ clock }), close: async () => undefined };
  const seen: unknown[] = [];
  let fails = 1;
  const handler: WorkHandler = async ({ payload }) => {
    if (payload === "again" && fails-- > 0) throw new Error("not yet");
    seen.push(payload);
  };
  const start = async () => {
    const probe = cradleProbe();
    const plugins = [probe.plugin, { id: "work", workers: { "test.work": handler } }];
    const engine = await startEngine({ clock, storage, plugins });
    const enqueue = (payload: string, seconds = 0): Promise<void> =>
      probe.cradle().transact(({ tx }) => tx.enqueue("test.work", payload, { runAt: clock.now() + seconds }));
    return { enqueue, stop: engine.stop };
  };
  return { clock, seen, start };
}

test("work waits no longer than its delay when a clock that was ahead is set back", async () => {
  const { clock, seen, start } = await setUp();
  const { enqueue, stop } = await start();
  await enqueue("before", 2 * HOUR);
  clock.step(HOUR);
  await enqueue("again");
  await enqueue("a minute", 60);
  await enqueue("longer", 1801);
  await clock.advance(0.5);
  clock.step(-HOUR);
  await clock.advance(5);
  expect(seen).toEqual(["again"]);
  await clock.advance(60);
  expect(seen).toEqual(["again", "a minute"]);
  await clock.advance(HOUR + 1700);
  expect(seen).toEqual(["again", "a minute"]);
  await clock.advance(100);
  expect(seen).toEqual(["again", "a minute", "longer"]);
  await clock.advance(HOUR);
  expect(seen).toEqual(["again", "a minute", "longer", "before"]);
  await stop();
});

test("a start finds work that was queued by a clock that was ahead", async () => {
  const { clock, seen, start } = await setUp();
  const first = await start();
  clock.step(1000 * HOUR);
  await first.enqueue("soon", 30);
  await first.stop();
  clock.step(-1000 * HOUR);
  const second = await start();
  await clock.advance(29);
  expect(seen).toEqual([]);
  await clock.advance(3);
  expect(seen).toEqual(["soon"]);
  await second.stop();
});

test("a storage that fails while work is being moved forward is asked once a second", async () => {
  const clock = fakeClock();
  const storage = memoryStorage({ clock });
  let asked = 0;
  const fails = () => {
    if (asked < 50) asked += 1;
    return asked < 50 ? Promise.reject(new Error("cut off")) : Promise.resolve();
  };
  const failing = { ...storage, work: { ...storage.work, rewind: fails } };
  const engine = await startEngine({ clock, storage: failing });
  await clock.advance(3);
  expect(asked).toBe(4);
  await engine.stop();
});

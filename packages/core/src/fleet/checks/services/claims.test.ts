import { expect, test } from "vitest";
import { without } from "../../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../../test/fleet/fleet.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { silentLogger } from "../../../ports/logger.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";

const start = useFleets();

/** Such a check has one turn during a test. */
const RARE = { title: "C", type: "tcp", port: 1, every: 3600 } as const;

/**
 * Two nodes on one storage. `asked` are the probed hosts by node. Writes of a node that is cut off wait until it is
 * back.
 */
async function twoNodes(count: number) {
  const clock = fakeClock(1_800_000_000);
  const storage = memoryStorage({ clock });
  const cut = new Set<string>();
  const asked: Record<string, string[]> = { one: [], two: [] };
  const back = Promise.withResolvers<void>();
  const storageOf = (nodeId: string): Storage => ({
    ...storage,
    write: (work) => (cut.has(nodeId) ? back.promise.then(() => storage.write(work)) : storage.write(work)),
    coordination: {
      ...{ ...storage.coordination, nodeId, shared: true },
      async beat(row) {
        if (cut.has(nodeId)) throw new Error("cut off");
        return { ...(await storage.coordination.beat(row)), nowMs: clock.now() * 1000 };
      },
    },
    close: async () => undefined,
  });
  const onAsk = { now: (_node: string): void => undefined };
  const node = (id: string) =>
    start({
      ...{ clock, storage: storageOf(id), config: without, log: silentLogger },
      webHooks: {
        send: async () => Promise.reject(new Error("Not asked here")),
        probe: async (probe) => {
          asked[id]?.push("host" in probe ? probe.host : "");
          onAsk.now(id);
          return { elapsedMs: 1 };
        },
      },
    });
  const pass = async (seconds: number) => {
    for (let gone = 0; gone < seconds; gone += 10) await clock.advance(10);
  };
  const one = await node("one");
  for (let at = 0; at < count; at++) await one.signalbox.api.createCheck({ ...RARE, id: `c${at}`, host: `h${at}` });
  // Started last, so that it reads the checks at its start: this storage carries no messages between nodes.
  const two = await node("two");
  const resultsOf = async (id: string) => (await two.signalbox.api.getCheck({ id })).results;
  return { asked, back, cut, onAsk, pass, resultsOf };
}

test("each turn of a check is run by one node, and both nodes have their share", async () => {
  const { asked, pass, resultsOf } = await twoNodes(30);
  await pass(20);
  const all = [...(asked["one"] ?? []), ...(asked["two"] ?? [])];
  expect(all.toSorted()).toEqual(Array.from({ length: 30 }, (_each, at) => `h${at}`).toSorted());
  expect(Math.min(asked["one"]?.length ?? 0, asked["two"]?.length ?? 0)).toBeGreaterThan(5);
  for (const id of ["c0", "c1", "c29"]) expect(await resultsOf(id)).toHaveLength(1);
});

test("another node replaces one that stalls in a turn, and the late result is ignored", async () => {
  const { asked, back, cut, onAsk, pass, resultsOf } = await twoNodes(8);
  onAsk.now = (node) => void (node === "one" && cut.add("one"));
  await pass(20);
  const left = (asked["one"] ?? []).map((host) => host.replace("h", "c"));
  expect(left.length).toBeGreaterThan(0);
  for (const id of left) expect(await resultsOf(id)).toEqual([]);
  await pass(60);
  for (const id of left) expect(await resultsOf(id)).toHaveLength(1);
  cut.clear();
  back.resolve();
  await pass(20);
  for (const id of left) expect(await resultsOf(id)).toHaveLength(1);
  expect(asked["two"]?.toSorted()).toEqual(expect.arrayContaining(asked["one"] ?? []));
});

import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { silentLogger } from "../../ports/logger.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { startJobs } from "../../testing/test-jobs.ts";

type Jobs = Awaited<ReturnType<typeof startJobs>>;

async function told({ signalbox }: Jobs): Promise<unknown[]> {
  const { rows } = await signalbox.api.searchActivity({
    query: "action:peer_add|peer_disconnect|master_primary",
    limit: 100,
  });
  return rows.map((row) => [row["action"], row["reason"], row["node"]]);
}

test("a single node on its storage lists itself as the leader, and has no rows about nodes", async () => {
  const alone = await startJobs();
  const id = alone.storage.coordination.nodeId;
  const { rows } = await alone.signalbox.api.getMasters({});
  expect(rows).toMatchObject([{ id, host: "localhost", online: true, master: true, ping: 0, stats: { state: "up" } }]);
  expect(Object.keys((await alone.signalbox.api.getServers({})).masters)).toEqual(["localhost"]);
  await alone.connect();
  expect((await alone.signalbox.api.getActiveServers({})).rows[0]).not.toHaveProperty("node");
  expect(await told(alone)).toEqual([]);
});

test("a node that does not answer is offline, and reported once when it is dead", async () => {
  const clock = fakeClock(1_795_253_600);
  const storage = memoryStorage({ clock });
  let isCut = false;
  const open = (nodeId: string): Storage => ({
    ...storage,
    coordination: {
      ...{ ...storage.coordination, nodeId, shared: true },
      beat: (row) =>
        isCut && nodeId === "node_two" ? Promise.reject(new Error("cut off")) : storage.coordination.beat(row),
    },
    close: async () => undefined,
  });
  const one = await startJobs({ clock, log: silentLogger, storage: open("node_one") });
  const two = await startJobs({ clock, log: silentLogger, storage: open("node_two") });
  await clock.advance(4);
  isCut = true;
  // Other nodes may soon declare it dead, and it knows that, so it stops answering.
  await clock.advance(10);
  const asked = one.signalbox.api.getMasters({});
  await clock.advance(3);
  expect((await asked).rows).toMatchObject([
    { id: "node_one", online: true },
    { id: "node_two", online: false, ping: 2000 },
  ]);
  await clock.advance(60);
  expect((await told(one)).filter((row) => JSON.stringify(row).includes("silent"))).toEqual([
    ["peer_disconnect", "silent", "node_two"],
  ]);
  isCut = false;
  await two.signalbox.stop();
});

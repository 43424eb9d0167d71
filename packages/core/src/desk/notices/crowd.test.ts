import { expect, test } from "vitest";
import { hot, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { invocationCollection } from "../../fleet/alerts/collection.ts";
import type { Invocation } from "../../fleet/alerts/model.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { ReadTx, Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { problemCollection } from "./collection.ts";

const start = useFleets();

/** A storage that counts searches for problems in snapshots. */
function counting(storage: Storage) {
  const seen = { searches: 0 };
  const counted = (tx: ReadTx): ReadTx => ({
    ...tx,
    collection(definition) {
      const collection = tx.collection(definition);
      if (definition.name !== problemCollection.name) return collection;
      return {
        ...collection,
        find(...asked) {
          seen.searches++;
          return collection.find(...asked);
        },
      };
    },
  });
  return { seen, storage: { ...storage, read: (work) => storage.read((tx) => work(counted(tx))) } as Storage };
}

const firing = (at: number, now: number): Invocation => ({
  ...{ id: `i${String(at).padStart(4, "0")}`, alert: "hot", server: `s${at}`, date: now, active: true, modified: now },
  ...{ tickets: [], exp: "", message: "hot", count: 1, notified: true, groups: [], jobs: [], fired: now, noticed: now },
});

test("a pass over several pages of firings searches the open problems once for all of them", async () => {
  const clock = fakeClock();
  const { seen, storage } = counting(memoryStorage({ clock }));
  const fleet = await start({ clock, storage, config: { ...without, stale_alert_timeout: 1_000_000 } });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({ id: "all", title: "All", group_wait: 3600, steps: [{ after: 0, to: ["ops"] }] } as never);
  const now = Math.floor(clock.now());
  const all = Array.from({ length: 1201 }, (_each, at) => firing(at, now));
  await storage.write((tx) => tx.collection(invocationCollection).insertMany(all));
  await clock.advance(25);
  const problems = await storage.read((tx) => tx.collection(problemCollection).list());
  expect(problems.map(({ members }) => members.length)).toContain(1201);
  seen.searches = 0;
  await clock.advance(10);
  // A single query finds both the problem of each firing and the problems that are due.
  expect(seen.searches).toBe(1);
});

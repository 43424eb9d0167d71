import { expect, test } from "vitest";
import { hot, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { ReadTx, Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

const start = useFleets();
const COUNT = 45;

/** A storage that counts transactions on problems, and reads of the collections of notices. */
function countingStorage() {
  const clock = fakeClock(undefined, { together: true });
  const inner = memoryStorage({ clock });
  const counts = { writes: 0, reads: 0 };
  const names = new Set(["problems", "invocations", "notices", "alerts"]);
  const counted = <T extends ReadTx>(tx: T): T => ({
    ...tx,
    collection(definition: never) {
      const { name } = definition as { name: string };
      const found = tx.collection(definition);
      const isCounted = [...names].some((each) => name.includes(each));
      return new Proxy(found, {
        get(target, key) {
          if (isCounted && ["get", "getMany", "find"].includes(String(key))) counts.reads += 1;
          return Reflect.get(target, key);
        },
      });
    },
  });
  const storage: Storage = {
    ...inner,
    read: (work) => inner.read((tx) => work(counted(tx))),
    write: (work) =>
      inner.write((tx) =>
        work({
          ...tx,
          lock(key, waitMs) {
            if (key.startsWith("notices:problem:")) counts.writes += 1;
            return tx.lock(key, waitMs);
          },
        }),
      ),
  };
  return { clock, storage, counts };
}

test("open problems without changes cost no transaction, and few reads", async () => {
  const { clock, storage, counts } = countingStorage();
  const { mailer, sent } = keepingMailer();
  const config = { alert_universal_actions: [], email_from: "signalbox@example.com", tz: "UTC" };
  const fleet = await start({ clock, storage, config, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({
    id: "ops",
    title: "Ops",
    type: "mail",
    email: "ops@example.com",
    max_per_hour: 0,
  } as never);
  await api.createRoute({
    title: "All",
    steps: [{ after: 0, to: ["ops"] }],
    ...{ group_by: ["alert", "subject"], group_wait: 0, repeat_interval: 0 },
  } as never);
  const agents = [];
  for (let at = 0; at < COUNT; at++) agents.push(await join(fleet, `s${at}`));
  await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
  for (const agent of agents) agent.send("monitor", { version: "1.0", date: clock.now(), data: { temp: 60 } });
  await clock.advance(30);
  expect(sent).toHaveLength(COUNT);
  Object.assign(counts, { writes: 0, reads: 0 });
  await clock.advance(20);
  expect(counts.writes).toBe(0);
  // Two looks of three pages each.
  expect(counts.reads).toBeLessThan(2 * COUNT);
});

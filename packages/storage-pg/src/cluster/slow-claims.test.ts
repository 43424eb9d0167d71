import type { Storage, WriteTx } from "@signalbox/core/storage";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type Node, twoNodes } from "../../test/two-nodes.ts";

/** A gate that others wait for until it is opened. */
function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { open, opened };
}

/** What a storage of the node `two` waits for. */
interface Waits {
  /** Called before a claim of a place; the first claim has the number 1. */
  readonly begin?: (claim: number) => Promise<unknown> | undefined;
  /** Called before the node hears that a claim has committed. */
  readonly answer?: (claim: number) => Promise<unknown> | undefined;
  readonly read?: () => Promise<unknown> | undefined;
}

/** Two nodes; the second one has a slow storage. */
async function withSlowStorage({ begin, answer, read }: Waits) {
  let claims = 0;
  const news: unknown[] = [];
  const slow = (storage: Storage): Storage => ({
    ...storage,
    async read(work) {
      await read?.();
      return storage.read(work);
    },
    async write(work) {
      let claim = 0;
      const result = await storage.write((tx) => {
        const lock: WriteTx["lock"] = async (key, waitMs) => {
          if (key.startsWith("place:")) {
            claim = ++claims;
            await begin?.(claim);
          }
          return tx.lock(key, waitMs);
        };
        const publish: WriteTx["publish"] = (message) => {
          if (message.type === "servers.place") news.push(message.payload);
          tx.publish(message);
        };
        return work({ ...tx, lock, publish });
      });
      if (claim > 0) await answer?.(claim);
      return result;
    },
  });
  const nodes = await twoNodes({ storageOf: (host, storage) => (host.startsWith("two") ? slow(storage) : storage) });
  const seen = async ({ api }: Node) => (await api.getActiveServers({})).rows.map(({ id }) => id);
  return { ...nodes, news, seen };
}

test("a server that connects to both nodes stays with one, however slow the storage answers the other", async () => {
  const [answer, begin] = [gate(), gate()];
  const { clock, one, seen, two, until } = await withSlowStorage({
    answer: (claim) => (claim === 1 ? answer.opened : undefined),
    begin: (claim) => (claim > 1 ? begin.opened : undefined),
  });
  const links = [await two.join("s1")];
  await until(() => seen(one)).toEqual(["s1"]);
  // Every three seconds the node looks for places that are not stored.
  for (let passed = 0; passed < 4; passed += 0.5) {
    await clock.advance(0.5);
    await until(() => seen(one)).toEqual(["s1"]);
  }
  links.push(await one.join("s1"));
  answer.open();
  await until(() => links[0]?.isOpen).toBe(false);
  begin.open();
  for (let passed = 0; passed < 8; passed++) await until(() => seen(two)).toEqual(["s1"]);
  expect(links.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test("a server that reconnects before its claim has begun is claimed once", async () => {
  const begin = gate();
  const { news, one, seen, two, until } = await withSlowStorage({ begin: () => begin.opened });
  await two.join("s1");
  await two.join("s1");
  begin.open();
  await until(() => seen(one)).toEqual(["s1"]);
  for (let passed = 0; passed < 20; passed++) await until(() => seen(two)).toEqual(["s1"]);
  expect(news).toEqual([{ id: "s1" }]);
});

test("a place that the other node took and released before this one could read it is claimed again", async () => {
  let looking: Promise<void> | undefined;
  const { connectionString, one, seen, two, until } = await withSlowStorage({ read: () => looking });
  const database = new pg.Client({ connectionString });
  await database.connect();
  onTestFinished(() => database.end());
  const epochs = async () =>
    (await database.query("select doc from signalbox.sb_server_places")).rows.map(({ doc }) => doc.epoch);
  const kept = await two.join("s1");
  await until(() => seen(one)).toEqual(["s1"]);
  const [first] = await epochs();
  const other = await one.join("s1");
  const { open, opened } = gate();
  looking = opened;
  await expect.poll(epochs).toEqual([expect.toSatisfy((epoch) => epoch > first)]);
  other.close();
  await expect.poll(epochs).toEqual([]);
  await until(() => seen(one)).toEqual([]);
  open();
  await until(() => seen(one)).toEqual(["s1"]);
  expect(kept.isOpen).toBe(true);
});

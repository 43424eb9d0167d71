import type { Storage, WriteTx } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { twoNodes } from "../../test/two-nodes.ts";

/** Something that others wait for until it is opened. */
function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { open, opened };
}

/**
 * A storage on which claims of places are slow: the first one has committed long before its node hears of it, and each
 * later one waits before it writes.
 */
function slowClaims() {
  const [answer, write] = [gate(), gate()];
  let claims = 0;
  const storageOf = (storage: Storage): Storage => ({
    ...storage,
    async write(work) {
      let isFirst = false;
      const result = await storage.write((tx) => {
        const lock: WriteTx["lock"] = async (key, waitMs) => {
          isFirst = key.startsWith("place:") && ++claims === 1;
          if (key.startsWith("place:") && !isFirst) await write.opened;
          return tx.lock(key, waitMs);
        };
        return work({ ...tx, lock });
      });
      if (isFirst) await answer.opened;
      return result;
    },
  });
  return { answer, storageOf, write };
}

test("a server that comes to both nodes stays with one, however slow the storage answers the other", async () => {
  const { answer, storageOf, write } = slowClaims();
  const { clock, one, two, until } = await twoNodes({
    storageOf: (host, storage) => (host.startsWith("two") ? storageOf(storage) : storage),
  });
  const links = [await two.join("s1")];
  const seen = async ({ api }: typeof one) => (await api.getActiveServers({})).rows.map(({ id }) => id);
  await until(() => seen(one)).toEqual(["s1"]);
  // The node looks for places that are not stored each three seconds.
  for (let passed = 0; passed < 4; passed += 0.5) {
    await clock.advance(0.5);
    await until(() => seen(one)).toEqual(["s1"]);
  }
  links.push(await one.join("s1"));
  answer.open();
  await until(() => links[0]?.isOpen).toBe(false);
  write.open();
  for (let passed = 0; passed < 8; passed++) await until(() => seen(two)).toEqual(["s1"]);
  expect(links.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

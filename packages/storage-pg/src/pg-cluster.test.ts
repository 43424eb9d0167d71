import type { NodeMessage, Storage } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { useDatabase } from "../test/fixtures.ts";

const { openStorage, connect, terminate } = useDatabase();

const publish = (storage: Storage, payload: unknown): Promise<void> =>
  storage.write(async (tx) => tx.publish({ type: "test", payload }));

test("messages reach the other nodes after the commit, in order, and never the sender", async () => {
  const [sender, receiver] = [await openStorage(), await openStorage()];
  const own: NodeMessage[] = [];
  await sender.coordination.subscribe(
    (message) => own.push(message),
    () => undefined,
  );
  const received: unknown[] = [];
  const last = Promise.withResolvers<void>();
  const gap = Promise.withResolvers<void>();
  await receiver.coordination.subscribe(({ payload }) => {
    received.push(payload);
    if (payload === "last") last.resolve();
  }, gap.resolve);
  await expect(
    sender.write(async (tx) => {
      tx.publish({ type: "test", payload: "rolled back" });
      throw new Error("stop");
    }),
  ).rejects.toThrow("stop");
  const odd = { text: "\u0000 \ud800 ☃ 'quoted'" };
  await publish(sender, odd);
  await publish(sender, "x".repeat(9000));
  await publish(sender, "last");
  await last.promise;
  // A message that is too long to send arrives as a gap.
  await gap.promise;
  expect(received).toEqual([odd, "last"]);
  await publish(receiver, "echo");
  await expect.poll(() => own).toEqual([{ type: "test", payload: "echo" }]);
});

test("a lost listening connection is replaced, and subscribers are told of the gap", async () => {
  const [sender, receiver] = [await openStorage(), await openStorage()];
  let gap = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<unknown>();
  await receiver.coordination.subscribe(
    ({ payload }) => heard.resolve(payload),
    () => gap.resolve(),
  );
  for (let round = 0; round < 2; round++) {
    gap = Promise.withResolvers<void>();
    await terminate("listen");
    await gap.promise;
  }
  await publish(sender, "again");
  expect(await heard.promise).toBe("again");
});

test("enqueued items wake the other nodes", async () => {
  const [here, there] = [await openStorage(), await openStorage()];
  const woken = Promise.withResolvers<void>();
  there.work.onEnqueued(woken.resolve);
  await here.write((tx) => tx.enqueue("kind", {}));
  await woken.promise;
});

test("items for one node wake only that node", async () => {
  const storages = [await openStorage(), await openStorage(), await openStorage()] as const;
  const woken: number[] = [];
  for (const [at, { work }] of storages.entries()) work.onEnqueued(() => void woken.push(at));
  const [one, two] = storages;
  await one.write((tx) => tx.enqueue("kind", {}, { node: two.coordination.nodeId }));
  await expect.poll(() => woken).toEqual([1]);
  // By then all nodes have heard earlier messages of the same stream.
  await one.write((tx) => tx.enqueue("kind", {}));
  await expect.poll(() => woken.toSorted()).toEqual([0, 1, 1, 2]);
});

test("items enqueued inside a host's transaction wake this node too, after the host's commit", async () => {
  const storage = await openStorage();
  const client = await connect();
  const woken = Promise.withResolvers<void>();
  storage.work.onEnqueued(woken.resolve);
  await client.query("begin");
  await storage.adopt(client).write((tx) => tx.enqueue("kind", {}));
  await client.query("commit");
  await woken.promise;
});

test("one node leads at a time; when it loses its connection or closes, another one takes over", async () => {
  const storages = [await openStorage(), await openStorage()];
  let leading = 0;
  let most = 0;
  const terms: { node: number; lost: AbortSignal }[] = [];
  let elected = Promise.withResolvers<void>();
  const stand = (node: number) =>
    storages[node]?.coordination.lead("office", async ({ lost }) => {
      leading += 1;
      most = Math.max(most, leading);
      terms.push({ node, lost });
      elected.resolve();
      await new Promise((resolve) => lost.addEventListener("abort", resolve, { once: true }));
      leading -= 1;
    });
  stand(0);
  await elected.promise;
  stand(1);
  elected = Promise.withResolvers();
  await terminate("lead");
  await elected.promise;
  // The server frees locks before it closes the connection, so a successor may be elected a moment before the other node hears of
  // it.
  await expect.poll(() => [terms[0]?.lost.aborted, leading]).toEqual([true, 1]);
  most = leading;
  const leader = terms.at(-1)?.node ?? 0;
  elected = Promise.withResolvers();
  await storages[leader]?.close();
  await elected.promise;
  expect(terms.at(-1)?.node).toBe(1 - leader);
  expect(most).toBe(1);
});

test("a candidate that withdraws releases the office; a holder that fails is elected again", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  const first = Promise.withResolvers<void>();
  const candidate = one.coordination.lead("office", async () => first.resolve());
  await first.promise;
  let attempts = 0;
  const second = Promise.withResolvers<void>();
  two.coordination.lead("office", async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("stop");
    second.resolve();
  });
  candidate[Symbol.dispose]();
  await second.promise;
  expect(attempts).toBe(2);
});

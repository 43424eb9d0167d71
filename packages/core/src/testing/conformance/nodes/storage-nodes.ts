import assert from "node:assert/strict";
import type { Term } from "../../../ports/nodes/coordination.ts";
import type { NodeRow } from "../../../ports/nodes/nodes.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { inserted, listIds, probe, probes, type StorageCases, type StorageKit } from "../storage/storage-fixtures.ts";

const OFFICE = "conformance";

/** Applies for an office; `won` resolves to the first term. */
function candidate({ coordination }: Storage): { won: Promise<Term>; withdraw(): void } {
  const { promise, resolve } = Promise.withResolvers<Term>();
  const application = coordination.lead(OFFICE, async (term) => resolve(term));
  return { won: promise, withdraw: () => application[Symbol.dispose]() };
}

const over = ({ lost }: Term): Promise<void> =>
  new Promise((resolve) => {
    if (lost.aborted) resolve();
    else lost.addEventListener("abort", () => resolve());
  });

const rowOf = (id: string, over: Partial<NodeRow> = {}): NodeRow => ({
  id,
  host: `${id}.example`,
  version: "1.2.3",
  protocol: 1,
  started: 1000,
  state: "up",
  satellites: 0,
  jobs: 0,
  load: 0.5,
  lagMs: 1,
  ...over,
});

/** Collects received messages; `some` resolves when the given number has arrived. */
function hearing<T>(): { readonly heard: T[]; hear(one: T): void; some(count: number): Promise<T[]> } {
  const heard: T[] = [];
  const waiting = new Set<() => void>();
  return {
    heard,
    hear(one) {
      heard.push(one);
      for (const look of waiting) look();
    },
    some: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (heard.length >= count) resolve(heard);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Cases for a storage on its own: a node without peers must still become leader, or nothing would ever run. */
export const nodeCases: StorageCases = {
  async "leads an office, writes in its term, and loses it when it withdraws"({ storage }) {
    const { won, withdraw } = candidate(storage);
    const term = await won;
    assert.equal(term.lost.aborted, false);
    assert.equal(storage.coordination.leaderOf(OFFICE), storage.coordination.nodeId);
    await term.fenced(() => inserted(storage, probe("a")));
    assert.equal(await storage.read(listIds), "a");
    withdraw();
    await over(term);
  },
  async "knows a node by its beats, until it is forgotten"({ storage: { coordination } }) {
    const first = await coordination.beat(rowOf("n1"));
    assert.deepEqual([first.wasKnown, first.others], [false, []]);
    const other = await coordination.beat(rowOf("n2"));
    assert.equal(other.wasKnown, false);
    assert.deepEqual(
      other.others.map(({ beat: _beat, ...row }) => row),
      [rowOf("n1")],
    );
    const changed = rowOf("n1", { state: "draining", satellites: 3, jobs: 2, load: 1.25, lagMs: 7 });
    assert.equal((await coordination.beat(changed)).wasKnown, true);
    const [seen] = (await coordination.beat(rowOf("n2"))).others;
    assert.deepEqual({ ...seen, beat: 0 }, { ...changed, beat: 0 });
    assert.notEqual(seen?.beat, other.others[0]?.beat);
    await coordination.forgetNode("n1");
    const last = await coordination.beat(rowOf("n2"));
    assert.deepEqual([last.wasKnown, last.others], [true, []]);
    assert.ok(last.nowMs >= first.nowMs);
  },
  async "delivers the letters for this node only to it, each once and in order"({ storage: { coordination } }) {
    const { hear, some, heard } = hearing<string>();
    const letterbox = await coordination.collect(coordination.nodeId, hear);
    const texts = ["a", "it's ☃", "x".repeat(20_000), "d"];
    await coordination.post("nobody", "for another one");
    for (const text of texts) await coordination.post(coordination.nodeId, text);
    assert.deepEqual(await some(texts.length), texts);
    letterbox[Symbol.dispose]();
    assert.deepEqual(heard, texts);
  },
  async "is one of several only where another storage can be opened beside it"({ storage, beside }) {
    assert.ok(beside || !storage.coordination.shared, "Several processes may share this storage: give `beside`");
  },
};

const together =
  (body: (one: Storage, other: Storage) => Promise<void>) =>
  async ({ storage, beside }: StorageKit): Promise<void> => {
    assert.ok(beside);
    await body(storage, await beside());
  };

/** Cases for two storages on the same data, as in two processes. */
export const neighbourCases: StorageCases = {
  "have names of their own, and read what the other one wrote": together(async (one, other) => {
    assert.notEqual(other.coordination.nodeId, one.coordination.nodeId);
    await inserted(one, probe("a"));
    assert.equal(await other.read(listIds), "a");
  }),
  "lead an office one after the other": together(async (one, other) => {
    const [first, second] = [candidate(one), candidate(other)];
    const { at, term } = await Promise.race([
      first.won.then((won) => ({ at: 0, term: won })),
      second.won.then((won) => ({ at: 1, term: won })),
    ]);
    const [winner, loser] = at === 0 ? [first, second] : [second, first];
    let tookOver = false;
    const next = loser.won.then((won) => {
      // If a new term began before the previous one ended, there would be two leaders.
      assert.equal(term.lost.aborted, true);
      tookOver = true;
      return won;
    });
    await term.fenced(() => inserted(at === 0 ? one : other, probe("a")));
    assert.equal(tookOver, false);
    winner.withdraw();
    await over(term);
    assert.equal((await next).lost.aborted, false);
    loser.withdraw();
  }),
  "hear what the other one published or told, after its commit and never after a rollback": together(
    async (one, other) => {
      const [here, there] = [hearing<unknown>(), hearing<unknown>()];
      const ignore = (): void => undefined;
      const heardBy =
        ({ hear }: typeof here) =>
        (message: { readonly payload: unknown }) =>
          hear(message.payload);
      const subscriptions = [
        await one.coordination.subscribe(heardBy(here), ignore),
        await other.coordination.subscribe(heardBy(there), ignore),
      ];
      const failed = one.write(async (tx) => {
        tx.publish({ type: OFFICE, payload: "never" });
        throw new Error("stop");
      });
      await assert.rejects(failed, /stop/);
      await one.write(async (tx) => {
        await tx.collection(probes).insert(probe("a"));
        tx.publish({ type: OFFICE, payload: { text: "it's ☃" } });
      });
      await one.coordination.tell({ type: OFFICE, payload: "told" });
      await other.coordination.tell({ type: OFFICE, payload: "back" });
      // A message that was told may overtake a published one.
      const heard = (await there.some(2)).map((payload) => JSON.stringify(payload));
      assert.deepEqual(heard.toSorted(), ['"told"', '{"text":"it\'s ☃"}']);
      // A node does not receive its own messages.
      assert.deepEqual(await here.some(1), ["back"]);
      for (const subscription of subscriptions) subscription[Symbol.dispose]();
    },
  ),
  "hand letters over, and see each other's beats": together(async (one, other) => {
    const letters = hearing<string>();
    const letterbox = await other.coordination.collect(other.coordination.nodeId, letters.hear);
    await one.coordination.beat(rowOf("n1"));
    const { others } = await other.coordination.beat(rowOf("n2"));
    assert.deepEqual(
      others.map(({ id }) => id),
      ["n1"],
    );
    await one.coordination.post(other.coordination.nodeId, "first");
    await one.coordination.post(other.coordination.nodeId, "second");
    assert.deepEqual(await letters.some(2), ["first", "second"]);
    letterbox[Symbol.dispose]();
  }),
  "claim each item of queued work once": together(async (one, other) => {
    await one.write(async (tx) => {
      for (let n = 0; n < 40; n++) await tx.enqueue(OFFICE, n, { runAt: 1000 });
    });
    const claim = (by: Storage, node: string) =>
      by.work.claim({ node, kinds: [OFFICE], limit: 30, now: 1000, leaseSec: 60 });
    const claims = await Promise.all([claim(one, "n1"), claim(other, "n2"), claim(one, "n1")]);
    const rest = await claim(other, "n2");
    const ids = [...claims.flat(), ...rest].map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [40, 40]);
  }),
};

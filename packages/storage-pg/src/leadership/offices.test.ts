import type { Storage, Term } from "@signalbox/core/storage";
import { afterEach, expect, test } from "vitest";
import { idsOf, insert, useDatabase } from "../../test/fixtures.ts";
import { createConnections } from "../sessions/connections.ts";
import { createTransactions } from "../sessions/transactions.ts";

const { database, openStorage, connect, closeLater } = useDatabase();

const candidates: Disposable[] = [];
afterEach(() => {
  for (const candidate of candidates.splice(0)) candidate[Symbol.dispose]();
});

/** Resolves with the first term of the storage's node. */
function elected({ coordination }: Storage, formerly: readonly string[] = []): Promise<Term> {
  const { promise, resolve } = Promise.withResolvers<Term>();
  candidates.push(coordination.lead("leader", async (term) => resolve(term), formerly));
  return promise;
}

const admin = (sql: string, parameters: unknown[] = []) => database.admin.query(sql, parameters);
/** Takes the lease over, as a node does that believes the holder dead. */
const takeOver = () => admin("update signalbox.sb_offices set node = 'other', term = term + 1");

test("a transaction of an ended term has no effect, and the node learns that it does not lead", async () => {
  const storage = await openStorage();
  const { fenced, lost } = await elected(storage);
  await fenced(() => insert(storage, "in the term"));
  await takeOver();
  await expect(fenced(() => insert(storage, "too late"))).rejects.toThrow("Another node leads");
  await expect(fenced(() => storage.work.free("other"))).rejects.toThrow("Another node leads");
  expect(lost.aborted).toBe(true);
  expect(await idsOf(storage)).toEqual(["in the term"]);
});

test("work that a round only started is not fenced, and continues after the term", async () => {
  const storage = await openStorage();
  const { fenced } = await elected(storage);
  const later = Promise.withResolvers<void>();
  const setOff: { done?: Promise<void> } = {};
  await fenced(async () => {
    setOff.done = later.promise.then(() => insert(storage, "of somebody else"));
  });
  await takeOver();
  later.resolve();
  await setOff.done;
  expect(await idsOf(storage)).toEqual(["of somebody else"]);
});

test("a successor waits for the running transaction of its predecessor", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  const { fenced } = await elected(one);
  const inside = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const writing = fenced(() =>
    one.write(async (tx) => {
      await tx.lock("begins the transaction");
      inside.resolve();
      await mayEnd.promise;
    }),
  );
  await inside.promise;
  let leads = false;
  const next = elected(two).then(() => {
    leads = true;
  });
  await admin("update signalbox.sb_offices set expires = clock_timestamp()");
  await expect.poll(waitingForTheOffice).toBe(1);
  expect(leads).toBe(false);
  mayEnd.resolve();
  await writing;
  candidates.shift()?.[Symbol.dispose]();
  await next;
});

const waitingForTheOffice = async (): Promise<number> => {
  const { rowCount } = await admin(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%sb_offices%for update'",
  );
  return rowCount ?? 0;
};

test("a running lease is taken over when the process of its holder is gone", async () => {
  const storage = await openStorage();
  await admin("insert into signalbox.sb_offices values ('leader', 'dead', 7, clock_timestamp() + interval '1 hour')");
  await elected(storage);
  const { rows } = await admin("select node, term::float8 as term from signalbox.sb_offices");
  expect(rows).toEqual([{ node: storage.coordination.nodeId, term: expect.any(Number) }]);
  expect(rows[0].term).toBeGreaterThan(7);
});

test("an expired lease is taken over from a stalled process whose session keeps its locks", async () => {
  const storage = await openStorage();
  const still = await connect();
  still.on("error", () => undefined);
  for (const name of ["leader", "loop:a"])
    await still.query(`select pg_advisory_lock(hashtextextended('signalbox signalbox office ${name}', 0))`);
  await admin("insert into signalbox.sb_offices values ('leader', 'still', 7, clock_timestamp())");
  const term = await elected(storage, ["loop:a"]);
  expect(term.lost.aborted).toBe(false);
  await renewals(1);
  expect(storage.coordination.leaderOf("leader")).toBe(storage.coordination.nodeId);
});

test("a running lease is left to a connected holder", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  const first = await elected(one);
  // Within three renewals a candidate would take a lease that is not renewed.
  await admin("update signalbox.sb_offices set expires = clock_timestamp() + interval '1 hour'");
  let isSecond = false;
  void elected(two).then(() => {
    isSecond = true;
  });
  await renewals(3);
  expect([first.lost.aborted, isSecond]).toEqual([false, false]);
});

/** Waits for this many renewals of the lease. */
async function renewals(count: number): Promise<void> {
  const mark = async () => (await admin("select expires from signalbox.sb_offices")).rows[0]?.expires.getTime();
  for (let seen = await mark(), left = count; left > 0; left--) {
    await expect.poll(mark).not.toBe(seen);
    seen = await mark();
  }
}

test("beside nodes of the previous release only one node leads, and it has all loops or none", async () => {
  const old = await connect();
  const office = (name: string) => `hashtextextended('signalbox signalbox office loop:${name}', 0)`;
  const tryLock = async (name: string) =>
    (await old.query(`select pg_try_advisory_lock(${office(name)}) as won`)).rows[0].won;
  expect(await tryLock("a")).toBe(true);
  const storage = await openStorage();
  let leads = false;
  const term = elected(storage, ["loop:a", "loop:b"]).then(() => {
    leads = true;
  });
  await renewals(1);
  // The new node was elected, but holds no lock on the loop `b`, which others can still take.
  await expect.poll(() => tryLock("b")).toBe(true);
  expect(leads).toBe(false);
  await old.query("select pg_advisory_unlock_all()");
  await term;
  expect([await tryLock("a"), await tryLock("b")]).toEqual([false, false]);
});

test("the office is free at once when its holder leaves, and the others are told", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  await elected(one);
  const next = elected(two);
  candidates.shift()?.[Symbol.dispose]();
  const { lost } = await next;
  expect(lost.aborted).toBe(false);
  const { rows } = await admin("select node from signalbox.sb_offices");
  expect(rows).toEqual([{ node: two.coordination.nodeId }]);
});

test("the server ends a transaction in which a process stalls", async () => {
  const { connectionString } = database;
  const connections = createConnections({ connectionString, log: console });
  closeLater(() => connections.end());
  const { write } = createTransactions(connections, () => undefined, { current: () => undefined });
  const sql = "select current_setting('idle_in_transaction_session_timeout') as bound";
  const rows = await write(async (session) => {
    const result = (await session.run({ sql, kept: false }, [])).rows;
    return { result, committed: () => undefined };
  });
  expect(rows).toEqual([{ bound: "10s" }]);
});

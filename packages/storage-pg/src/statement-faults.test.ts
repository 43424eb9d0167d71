import { type Storage, StorageError } from "@signalbox/core/storage";
import pg from "pg";
import { expect, test } from "vitest";
import { idsOf, notes, useDatabase } from "../test/fixtures.ts";

const { database, closeLater, openStorage, terminate } = useDatabase();

/** What goes wrong with a statement. */
type Harm = (client: pg.PoolClient) => Promise<never>;
const HARMS: readonly [string, Harm][] = [
  ["is refused by the server", () => Promise.reject(Object.assign(new Error("injected"), { code: "58030" }))],
  [
    "loses its connection",
    (client) => {
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      return client.query("select 1") as never;
    },
  ],
];

/** A real pool whose n-th statement fails once; begin, commit and rollback count as statements. */
function spoiledPool(pipeline: boolean, harm: Harm) {
  const state = { count: 0, at: 0 };
  const pool = new pg.Pool({ connectionString: database.connectionString, application_name: "signalbox", pipeline });
  closeLater(() => pool.end());
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const spoiled = (...given: unknown[]) => {
      if (state.at === 0 || ++state.count !== state.at) return query(...given);
      state.at = 0;
      return harm({ ...client, query } as unknown as pg.PoolClient);
    };
    Object.assign(client, { query: spoiled });
  });
  return { pool, state };
}

const insertPair = (storage: Storage, id: string): Promise<void> =>
  storage.write(async (tx) => {
    await tx.collection(notes).insert({ id, n: 0 });
    await tx.collection(notes).insert({ id: `${id}2`, n: 0 });
  });

/** Runs two writes that succeed, one that fails by itself, and a read, all at once; returns the pairs that were acknowledged. */
async function useAll(storage: Storage, round: number): Promise<string[]> {
  const ids = ["a", "b"].map((name) => `${name}-${round}-`);
  const refused = storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: `x${round}`, n: 0 });
    throw new Error("taken back");
  });
  const calls = [...ids.map((id) => insertPair(storage, id)), refused, idsOf(storage)];
  const ends = await Promise.allSettled(calls);
  for (const end of ends)
    if (end.status === "rejected" && end.reason.message !== "taken back")
      expect(end.reason).toBeInstanceOf(StorageError);
  return ids.filter((_id, at) => ends[at]?.status === "fulfilled");
}

test.each(HARMS.flatMap(([name, harm]) => [true, false].map((pipeline) => ({ name, harm, pipeline }))))(
  "a statement that $name fails only its callers, whichever it is (pipeline: $pipeline)",
  async ({ harm, pipeline }) => {
    const unheard: unknown[] = [];
    const remember = (reason: unknown): void => void unheard.push(reason);
    process.on("unhandledRejection", remember);
    closeLater(() => void process.off("unhandledRejection", remember));
    const { pool, state } = spoiledPool(pipeline, harm);
    const storage = await openStorage({ pool });
    const acknowledged: string[] = [];
    let round = 0;
    for (let isHit = true; isHit; round++) {
      Object.assign(state, { count: 0, at: round + 1 });
      acknowledged.push(...(await useAll(storage, round)));
      isHit = state.at === 0;
      state.at = 0;
      await insertPair(storage, `later-${round}-`);
    }
    expect(round).toBeGreaterThan(10);
    const stored = await idsOf(storage);
    const pairs = stored.filter((id) => id.endsWith("-"));
    expect(stored.sort()).toEqual(pairs.flatMap((id) => [id, `${id}2`]).sort());
    expect(pairs).toEqual(expect.arrayContaining(acknowledged));
    expect(await storage.verifyIndexes()).toEqual([]);
    expect(unheard).toEqual([]);
  },
);

test("connections that the server ends fail their callers as unavailable, and others take over", async () => {
  const storage = await openStorage();
  await insertPair(storage, "a-");
  const told: string[] = [];
  using _listening = storage.onFault?.(({ fault }) => told.push(fault));
  const begun = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const write = storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: "b", n: 0 });
    begun.resolve();
    await killed.promise;
    await tx.collection(notes).insert({ id: "b2", n: 0 });
  });
  const outcome = expect(write).rejects.toMatchObject({ code: "storage", fault: "gone" });
  await begun.promise;
  for (const purpose of ["listen", "lead"]) await terminate(purpose);
  await database.admin.query(
    "select pg_terminate_backend(pid, 60000) from pg_stat_activity where application_name = 'signalbox' and datname = current_database()",
  );
  killed.resolve();
  await outcome;
  expect(told).toContain("gone");
  await insertPair(storage, "c-");
  expect(await idsOf(storage)).toEqual(["a-", "a-2", "c-", "c-2"]);
});

test("a database that became read-only says so, and accepts writes again afterwards", async () => {
  const storage = await openStorage();
  const name = new URL(database.connectionString).pathname.slice(1);
  const setReadOnly = async (value: string): Promise<void> => {
    await database.admin.query(`alter database "${name}" set default_transaction_read_only = ${value}`);
    await database.admin.query(
      "select pg_terminate_backend(pid, 60000) from pg_stat_activity where application_name = 'signalbox' and datname = current_database()",
    );
  };
  closeLater(() => database.admin.query(`alter database "${name}" reset default_transaction_read_only`));
  await insertPair(storage, "a-");
  await setReadOnly("on");
  await expect.poll(() => insertPair(storage, "b-").catch((error: StorageError) => error.fault)).toBe("read-only");
  expect(await idsOf(storage)).toEqual(["a-", "a-2"]);
  await setReadOnly("off");
  await expect
    .poll(() =>
      insertPair(storage, "c-").then(
        () => "stored",
        () => "refused",
      ),
    )
    .toBe("stored");
});

test("a database without our tables, such as an empty one after a failover, is refused as damaged", async () => {
  const storage = await openStorage();
  await insertPair(storage, "a-");
  const told: string[] = [];
  using _listening = storage.onFault?.(({ fault }) => told.push(fault));
  await database.admin.query("alter schema signalbox rename to elsewhere");
  try {
    await expect(insertPair(storage, "b-")).rejects.toMatchObject({ code: "storage", fault: "damaged" });
    await expect(idsOf(storage)).rejects.toMatchObject({ code: "storage", fault: "damaged" });
    expect(told).toContain("damaged");
  } finally {
    await database.admin.query("alter schema elsewhere rename to signalbox");
  }
  await insertPair(storage, "c-");
  expect(await idsOf(storage)).toEqual(["a-", "a-2", "c-", "c-2"]);
});

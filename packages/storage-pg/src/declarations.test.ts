import { type AnyCollection, defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { useDatabase } from "../test/fixtures.ts";
import { pgStorage } from "./index.ts";

interface Ship extends StoredRecord {
  readonly knots: number;
  readonly flag: string;
}
const name = { name: "ships", noun: "Ship" };
const before = defineCollection<Ship>(name);
/** The declaration of the next release. */
const after = defineCollection<Ship>({
  ...name,
  columns: { knots: { type: "integer", read: ({ knots }) => knots } },
  terms: { flag: ({ flag }) => [flag] },
});

const { database, closeLater } = useDatabase();

async function open(definition: AnyCollection) {
  const storage = pgStorage({ connectionString: database.connectionString });
  closeLater(() => storage.close());
  await storage.open([definition]);
  return storage;
}

const put = (storage: Storage, ship: Ship) => storage.write((tx) => tx.collection(before).insert(ship));
const change = (storage: Storage, ship: Ship) =>
  storage.write((tx) => tx.collection(after).update(ship.id, () => ship));

async function beat({ coordination }: Storage): Promise<void> {
  const { nodeId: id } = coordination;
  const row = { id, host: "h", version: "1", protocol: 1, started: 1, state: "up", load: 0, lagMs: 0 } as const;
  await coordination.beat({ ...row, satellites: 0, jobs: 0 });
}

/** An old node keeps writing after a node of the next release has started; then it ends. */
async function updateOneOfTwo() {
  const old = await open(before);
  await beat(old);
  await put(old, { id: "a", knots: 1, flag: "red" });
  await put(old, { id: "b", knots: 2, flag: "red" });
  const next = await open(after);
  expect(await next.verifyIndexes()).toEqual([]);
  await put(old, { id: "c", knots: 3, flag: "blue" });
  await change(old, { id: "a", knots: 10, flag: "white" });
  return { old, next };
}

test("records that a node of the previous release wrote are indexed when the last such node is gone", async () => {
  const { old, next } = await updateOneOfTwo();
  const second = await open(after);
  await put(old, { id: "d", knots: 4, flag: "blue" });
  await old.coordination.forgetNode(old.coordination.nodeId);
  await old.close();
  await open(after);
  expect(await second.verifyIndexes()).toEqual([]);
  await change(next, { id: "b", knots: 20, flag: "green" });
  expect(await next.verifyIndexes()).toEqual([]);
});

test("records of the previous release are indexed once", async () => {
  const { old, next } = await updateOneOfTwo();
  await old.coordination.forgetNode(old.coordination.nodeId);
  await open(after);
  await database.admin.query("update signalbox.sb_ships set c_knots = 99 where id = 'b'");
  await open(after);
  expect(await next.verifyIndexes()).toMatchObject([{ id: "b", index: "c_knots", stored: 99 }]);
});

test("a record that is changed during indexing is indexed in its new form", async () => {
  const { old, next } = await updateOneOfTwo();
  await old.coordination.forgetNode(old.coordination.nodeId);
  const changed = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  const changing = next.write(async (tx) => {
    await tx.collection(after).update("b", (ship) => ({ ...ship, knots: 30, flag: "black" }));
    changed.resolve();
    await waiting.promise;
  });
  await changed.promise;
  const opening = open(after);
  const blocked =
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  try {
    await expect.poll(async () => (await database.admin.query(blocked)).rows[0].n).toBe(1);
  } finally {
    waiting.resolve();
  }
  await Promise.all([changing, opening]);
  expect(await next.verifyIndexes()).toEqual([]);
});

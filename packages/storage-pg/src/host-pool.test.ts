import { silentLogger } from "@signalbox/core";
import { DuplicateError, StorageError, type WriteTx } from "@signalbox/core/storage";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { idsOf, insert, notes, useDatabase } from "../test/fixtures.ts";

const { database, closeLater, openStorage, connect } = useDatabase();

const IDS = Array.from({ length: 20 }, (_unused, index) => `n${index + 10}`);
const insertAll = (tx: WriteTx): Promise<unknown> =>
  Promise.all(IDS.map((id) => tx.collection(notes).insert({ id, n: 0 })));

/** Warnings that Node prints to the host's console while `work` runs. */
async function warningsDuring(work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const listen = ({ message }: Error): void => void seen.push(message);
  process.on("warning", listen);
  try {
    await work();
    await new Promise(setImmediate);
  } finally {
    process.off("warning", listen);
  }
  return seen;
}

test("clients of a host's pool are given one statement at a time, also for concurrent calls", async () => {
  const pool = new pg.Pool({ connectionString: database.connectionString });
  closeLater(() => pool.end());
  const storage = await openStorage({ pool });
  expect(await warningsDuring(() => storage.write(async (tx) => void (await insertAll(tx))))).toEqual([]);
  expect(await idsOf(storage)).toEqual(IDS);
});

test("an adopted client is given one statement at a time", async () => {
  const storage = await openStorage();
  const client = await connect();
  await client.query("begin");
  const adopted = storage.adopt(client);
  expect(await warningsDuring(() => adopted.write(async (tx) => void (await insertAll(tx))))).toEqual([]);
  await client.query("commit");
  expect(await idsOf(storage)).toEqual(IDS);
});

test("an adopted Kysely transaction is given one statement at a time", async () => {
  const storage = await openStorage();
  const pool = new pg.Pool({ connectionString: database.connectionString });
  const host = new Kysely({ dialect: new PostgresDialect({ pool }) });
  closeLater(() => host.destroy());
  const joined = host.transaction().execute(async (transaction) => {
    const adopted = storage.adopt(transaction);
    return warningsDuring(() => adopted.write(async (tx) => void (await insertAll(tx))));
  });
  expect(await joined).toEqual([]);
  expect(await idsOf(storage)).toEqual(IDS);
});

test("statements that still wait when the work fails are rolled back with the others", async () => {
  const pool = new pg.Pool({ connectionString: database.connectionString });
  closeLater(() => pool.end());
  const storage = await openStorage({ pool });
  await insert(storage, "taken");
  const write = storage.write(async (tx) => {
    const taken = tx.collection(notes).insert({ id: "taken", n: 0 });
    await Promise.all([taken, insertAll(tx)]);
  });
  await expect(write).rejects.toThrow(DuplicateError);
  // On the same client, after all statements that were still queued.
  await insert(storage, "next");
  expect(await idsOf(storage)).toEqual(["taken", "next"]);
});

test("statements after a failed one are not delayed, and fail as well", async () => {
  const pool = new pg.Pool({ connectionString: database.connectionString });
  closeLater(() => pool.end());
  const storage = await openStorage({ pool });
  const write = storage.write(async (tx) => {
    const point = { epoch_div: 1.5, date: 90, count: 1, totals: {} };
    await tx.timeline.put({ server: "s", system: "hourly" }, point).catch(() => undefined);
    const ends = await Promise.allSettled(IDS.map((id) => tx.collection(notes).insert({ id, n: 0 })));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    throw new Error("Given up");
  });
  await expect(write).rejects.toThrow("Given up");
  await storage.write((tx) => tx.collection(notes).insert({ id: "next", n: 0 }));
  expect(await idsOf(storage)).toEqual(["next"]);
});

test("the log line about a dropped idle connection gives the reason, and no data of the connection", async () => {
  const lines: unknown[] = [];
  const log = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
  const pool = new pg.Pool({ connectionString: database.connectionString });
  closeLater(() => pool.end());
  await openStorage({ pool, log });
  const client = await pool.connect();
  // A pool emits this event for one of its own connections.
  pool.emit("error", Object.assign(new Error("terminated"), { client }), client);
  client.release();
  expect(lines).toEqual([[{ reason: "terminated" }, "An idle database connection dropped"]]);
});

type Adopted = ReturnType<Awaited<ReturnType<typeof openStorage>>["adopt"]>;
const LOST: readonly [string, (adopted: Adopted, lose: () => Promise<void>) => Promise<unknown>][] = [
  [
    "before its first statement",
    async (adopted, lose) => {
      await lose();
      return adopted.write((tx) => tx.collection(notes).insert({ id: "late", n: 0 }));
    },
  ],
  [
    "before a read",
    async (adopted, lose) => {
      await lose();
      return adopted.read((tx) => tx.collection(notes).list());
    },
  ],
  [
    "within the work",
    (adopted, lose) =>
      adopted.write(async (tx) => {
        await tx.collection(notes).insert({ id: "first", n: 0 });
        await lose();
        await tx.collection(notes).insert({ id: "second", n: 0 });
      }),
  ],
  [
    "after work that failed by itself",
    (adopted, lose) =>
      adopted.write(async () => {
        await lose();
        throw new Error("taken back");
      }),
  ],
];

test.each(LOST)("a host's transaction whose connection is lost %s fails like the database", async (_when, work) => {
  const storage = await openStorage();
  const client = await connect();
  client.on("error", () => undefined);
  await client.query("begin");
  const { pid } = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0] ?? {};
  const adopted = storage.adopt(client);
  await adopted.read((tx) => tx.collection(notes).list());
  const other = await connect();
  const lose = async (): Promise<void> => {
    const ended = new Promise((resolve) => client.once("end", resolve));
    await other.query("select pg_terminate_backend($1)", [pid]);
    await ended;
  };
  const failure: unknown = await work(adopted, lose).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StorageError);
  expect(failure).toMatchObject({ code: "storage", fault: "gone" });
  expect(await idsOf(storage)).toEqual([]);
});

import type { Storage } from "@signalbox/core/storage";
import pg from "pg";
import { expect, test } from "vitest";
import { idsOf, insert, useDatabase } from "../../test/fixtures.ts";
import { startPooler } from "../../test/pooler.ts";

const { closeLater, database, openStorage } = useDatabase();

const lines: string[] = [];
const log = {
  debug: () => undefined,
  info: () => undefined,
  error: console.error,
  warn: (_: object, text: string) => void lines.push(text),
};

/** Opens nodes that reach the database only through a proxy. */
async function behindPooler() {
  const pooler = await startPooler(database.connectionString);
  closeLater(() => pooler[Symbol.asyncDispose]());
  const { connectionString } = pooler;
  return { connectionString, open: () => openStorage({ connectionString, bus: "poll" }) };
}

async function heard({ coordination }: Storage): Promise<unknown[]> {
  const all: unknown[] = [];
  await coordination.subscribe(
    ({ payload }) => all.push(payload),
    () => all.push("gap"),
  );
  return all;
}

const beat = ({ coordination }: Storage) =>
  coordination.beat({
    ...{ id: coordination.nodeId, host: "h", version: "1", protocol: 1, started: 0, state: "up" },
    ...{ satellites: 0, jobs: 0, load: 0, lagMs: 0 },
  });

test("a node notices by itself that it receives nothing, and logs it once", async () => {
  const { connectionString } = await behindPooler();
  const storage = await openStorage({ connectionString, log });
  await insert(storage, "a");
  expect(await idsOf(storage)).toEqual(["a"]);
  expect(lines).toEqual([expect.stringMatching(/^Messages of PostgreSQL are not heard here/)]);
});

test("a single node on its database receives its own messages, and reads no table", async () => {
  lines.length = 0;
  await openStorage({ connectionString: database.connectionString, log });
  expect(lines).toEqual([]);
});

test("definitions, news and texts of one node reach the other", async () => {
  const { open } = await behindPooler();
  const [one, two] = [await open(), await open()];
  await beat(one);
  await beat(two);
  const [news, texts] = [await heard(two), [] as string[]];
  await two.coordination.collect(two.coordination.nodeId, (text) => texts.push(text));
  await one.write(async (tx) => tx.publish({ type: "test", payload: "stored" }));
  await expect.poll(() => news).toEqual(["stored"]);
  await one.coordination.tell({ type: "test", payload: "told" });
  await expect.poll(() => news).toEqual(["stored", "told"]);
  const sent = Array.from({ length: 50 }, (_, index) => `{"n":${index},"long":"${"x".repeat(index * 500)}"}`);
  await Promise.all(sent.map((text) => one.coordination.post(two.coordination.nodeId, text)));
  await expect.poll(() => texts.length).toBe(50);
  expect(texts).toEqual(sent);
});

test("one node leads, without the offices of an earlier release; the other follows when it ends", async () => {
  const { open } = await behindPooler();
  const [one, two] = [await open(), await open()];
  const elected: string[] = [];
  const stand = ({ coordination }: Storage) =>
    coordination.lead("leader", async () => void elected.push(coordination.nodeId), ["loop:a", "loop:b"]);
  stand(one);
  await expect.poll(() => elected).toEqual([one.coordination.nodeId]);
  stand(two);
  await expect.poll(() => two.coordination.leaderOf("leader")).toBe(one.coordination.nodeId);
  await one.close();
  await expect.poll(() => elected).toEqual([one.coordination.nodeId, two.coordination.nodeId]);
});

test("nodes leave no lock and no setting in shared sessions", async () => {
  const { open, connectionString } = await behindPooler();
  const storage = await open();
  await beat(storage);
  const withdrawn = storage.coordination.lead("leader", async () => undefined, ["loop:a"]);
  await expect.poll(() => storage.coordination.leaderOf("leader")).toBe(storage.coordination.nodeId);
  withdrawn[Symbol.dispose]();
  await storage.close();
  const { rows } = await database.admin.query(
    "select count(*)::int as held from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  );
  expect(rows).toEqual([{ held: 0 }]);
  const client = new pg.Client({ connectionString });
  await client.connect();
  closeLater(() => client.end());
  for (let session = 0; session < 8; session++) {
    const found = await client.query(
      "select current_setting('synchronous_commit') as flush, current_setting('statement_timeout') as bound, (select count(*)::int from pg_prepared_statements) as kept",
    );
    const plain = await database.admin.query("select current_setting('synchronous_commit') as flush");
    expect(found.rows).toEqual([{ flush: plain.rows[0].flush, bound: "0", kept: 0 }]);
  }
});

import { consoleLogger } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";
import { startSilentProxy } from "../../test/silent-proxy.ts";
import { createConnections } from "./connections.ts";
import { createTransactions } from "./transactions.ts";

const { database, openStorage, closeLater } = useDatabase();

const LOOK_MS = 100;
const CONNECT_MS = 3000;
/** Generous, for a busy machine. */
const WITHIN = { timeout: 120_000 };

async function openProxy() {
  const proxy = await startSilentProxy(database.connectionString);
  closeLater(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

function transactionsTo(connectionString: string) {
  const connections = createConnections({
    connectionString,
    log: consoleLogger,
    lookMs: LOOK_MS,
    connectMs: CONNECT_MS,
  });
  closeLater(() => connections.end());
  return createTransactions(connections, () => undefined, { current: () => undefined });
}

const asked = (sql: string) => ({ sql, kept: false });

test("a statement whose answer was lost fails, and its place in the pool is free", async () => {
  const proxy = await openProxy();
  const { read, idle } = transactionsTo(proxy.connectionString);
  const lost = read(async (session) => {
    await session.run(asked("select 1"), []);
    proxy.forget();
    return session.run(asked("select 2"), []);
  });
  await expect(lost).rejects.toThrow("Connection terminated");
  await idle();
  const { rows } = await read((session) => session.run(asked("select 3 as n"), []));
  expect(rows).toEqual([{ n: 3 }]);
});

test("a connection that is never accepted fails, and the next one is opened again", async () => {
  const proxy = await openProxy();
  const { read } = transactionsTo(proxy.connectionString);
  const ask = () => read((session) => session.run(asked("select 1 as n"), []));
  proxy.isDeaf = true;
  await expect(ask()).rejects.toThrow("timeout expired");
  proxy.isDeaf = false;
  expect((await ask()).rows).toEqual([{ n: 1 }]);
});

test("a statement that the server works on is waited for, however long it takes", async () => {
  const { read } = transactionsTo(database.connectionString);
  const seconds = (20 * LOOK_MS) / 1000;
  const { rows } = await read((session) => session.run(asked(`select 1 as n, pg_sleep(${seconds})::text`), []));
  expect(rows).toMatchObject([{ n: 1 }]);
});

test("a connection without a statement may rest within its transaction", async () => {
  const { read } = transactionsTo(database.connectionString);
  const rows = await read(async (session) => {
    await session.run(asked("select 1"), []);
    await new Promise((resolve) => setTimeout(resolve, 10 * LOOK_MS));
    return (await session.run(asked("select 2 as n"), [])).rows;
  });
  expect(rows).toEqual([{ n: 2 }]);
});

test("a node whose connections were all dropped leads again and receives the others' messages", async () => {
  const proxy = await openProxy();
  const storage = await openStorage({ connectionString: proxy.connectionString });
  let terms = 0;
  const office = storage.coordination.lead("leader", async () => {
    terms += 1;
  });
  closeLater(() => office[Symbol.dispose]());
  await expect.poll(() => terms).toBe(1);
  proxy.forget();
  await expect.poll(() => terms, WITHIN).toBe(2);
  const heard: unknown[] = [];
  await storage.coordination.subscribe(
    ({ payload }) => heard.push(payload),
    () => undefined,
  );
  const other = await openStorage();
  const hear = async () => {
    await other.coordination.tell({ type: "test", payload: "heard" });
    return heard.length;
  };
  await expect.poll(hear, WITHIN).toBeGreaterThan(0);
});

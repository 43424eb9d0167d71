import { createSignalbox } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { createRouter } from "../src/index.ts";
import { read } from "./start.ts";

const KEY = "anAdministratorKeyForTests";
const EACH = 20;

/** A node on a shared database, with the clock of the machine. */
async function openNode(connectionString: string) {
  const engine = createSignalbox({
    ...{ storage: pgStorage({ connectionString }), secretKey: "a secret key for tests", administratorKey: KEY },
    config: { tz: "UTC", presets: false },
    plugins: [quickKeys],
  });
  await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const send = async (path: string, init: RequestInit = {}) =>
    (await read(await app.request(`/api/app/${path}`, { headers, ...init }))).body;
  return {
    engine,
    get: send,
    post: (operation: string, body: object = {}) =>
      send(`${operation}/v1`, { method: "POST", body: JSON.stringify(body) }),
    counted: async () => (await send("dash_stats/v1")).stats.day.transactions,
  };
}

test("counters of the day are sums over two nodes, and survive the restart of one", async () => {
  const address = await lendDatabase();
  const one = await openNode(address);
  const two = await openNode(address);
  const fill = (node: typeof one, from: number) =>
    Promise.all(Array.from({ length: EACH }, (_, n) => node.post("create_tag", { title: `Tag ${from + n}` })));
  await Promise.all([fill(one, 0), fill(two, EACH)]);
  for (const node of [one, two]) await expect.poll(async () => (await node.counted()).tag_create).toBe(2 * EACH);
  await two.engine.stop();
  const three = await openNode(address);
  expect((await three.counted()).tag_create).toBe(2 * EACH);
  await fill(three, 2 * EACH);
  await expect.poll(async () => (await one.counted()).tag_create).toBe(3 * EACH);
  await one.post("admin_reset_daily_stats");
  for (const node of [one, three]) await expect.poll(async () => (await node.counted()).tag_create ?? 0).toBe(0);
  const { items } = await three.get("search_stat_history/v1?limit=5&path=transactions");
  expect(
    items.reduce((sum: number, { data }: { data: { tag_create?: number } }) => sum + (data.tag_create ?? 0), 0),
  ).toBe(3 * EACH);
});

import { memoryBlobStore } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { expect, test } from "vitest";
import { lendDatabase } from "../../../storage-pg/test/lent-database.ts";
import { openEngine } from "./fleet-engine.ts";

test("each node says that it serves, and all name the leader, also after it has stopped", async () => {
  const connectionString = await lendDatabase();
  const open = () => openEngine("postgres", { storage: pgStorage({ connectionString }), blobs: memoryBlobStore() });
  const nodes = [await open(), await open()];
  const health = async ({ send }: (typeof nodes)[number]) => (await send("/health", {})).body;
  const leaders = async (): Promise<unknown[]> => (await Promise.all(nodes.map(health))).map(({ leader }) => leader);
  await expect.poll(leaders).toEqual([expect.any(String), expect.any(String)]);
  const [first, second] = await Promise.all(nodes.map(health));
  expect([first, second]).toMatchObject([
    { code: 0, master: true },
    { code: 0, master: true, leader: first.leader },
  ]);
  expect(new Set([first.node, second.node]).size).toBe(2);
  const [left, stays] = first.leader === first.node ? [first, second] : [second, first];
  await nodes.splice(left === first ? 0 : 1, 1)[0]?.engine.stop();
  await expect.poll(leaders).toEqual([stays.node]);
});

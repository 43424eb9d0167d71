import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox } from "@signalbox/core";
import type { StoredRecord } from "@signalbox/core/plugin";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beside, killsOf } from "../kills.ts";
import { launchProgram } from "../program.ts";
import { fingerprint, keys, open, type Sealed, sealAll, valueIn } from "./seal.ts";

const KILLS = killsOf(20);
const SECRETS = beside(KILLS, 20, 15) * KILLS;
/** Secrets that remain for the last kill: the rotation commits 20 at a time, and the kill must find it at work. */
const LEFT = beside(KILLS, 60, 40);
/** The kill falls within this many milliseconds after its turn has come: less than twenty slow keys take. */
const SPREAD_MS = beside(KILLS, 100, 400);
const ENGINE_READS = 5;
const OLD_KEY = "the key that was here before";
const NEW_KEY = "the key that comes after it";

const ids = Array.from({ length: SECRETS }, (_unused, index) => `z${String(index).padStart(4, "0")}`);
let directory: string;
let filename: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-rotation-"));
  filename = join(directory, "rotation.sqlite");
});
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

/** Stores the secrets as another program that follows the contract would. */
async function plant(): Promise<void> {
  const sealed = await sealAll(ids, OLD_KEY);
  await withStore([OLD_KEY], async ({ write }) => {
    const lists = { events: [], categories: [], plugins: [], web_hooks: [] };
    const stamps = { username: "admin", created: 1, modified: 1, revision: 1 };
    for (const payload of sealed) {
      const { id } = payload;
      const secret = { id, title: id, enabled: true, icon: "", notes: "", names: ["VALUE"], ...lists, ...stamps };
      await write(secret, payload);
    }
  });
}

interface Store {
  readonly signalbox: ReturnType<typeof createSignalbox>;
  write(secret: StoredRecord, payload: Sealed): Promise<void>;
  sealed(): Promise<Sealed[]>;
}

async function withStore<R>(secretKeys: readonly string[], work: (store: Store) => Promise<R>): Promise<R> {
  const storage = sqliteStorage({ filename });
  const signalbox = createSignalbox({ storage, secretKeys, plugins: [keys] });
  const collection = (name: string) => {
    const found = signalbox.collections.find((each) => each.name === name);
    if (!found) throw new Error(`There is no collection ${name}`);
    return found;
  };
  await signalbox.start();
  try {
    return await work({
      signalbox,
      write: (secret, payload) =>
        storage.write(async (tx) => {
          await tx.collection<StoredRecord>(collection("secrets")).insert(secret);
          await tx.collection<StoredRecord>(collection("secret_payloads")).insert(payload);
        }),
      sealed: () => storage.read((tx) => tx.collection<Sealed>(collection("secret_payloads")).list()),
    });
  } finally {
    await signalbox.stop();
  }
}

interface Life {
  readonly reads: number;
  readonly faults: readonly string[];
}

/** Runs the host until `target` secrets are resealed and a little longer, then kills it. */
async function live(target: number): Promise<Life> {
  const ROTATION = JSON.stringify({ filename, secretKeys: [NEW_KEY, OLD_KEY], ids, target });
  const host = launchProgram("test/rotation/server.ts", { env: { ROTATION } });
  await host.line(target < SECRETS ? /^reached / : /^rotated /);
  if (target < SECRETS) await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS));
  const lines = host.stdout().split("\n");
  await host.kill("SIGKILL");
  const faults = lines.filter((line) => line.startsWith("fault"));
  if (target < SECRETS && lines.some((line) => line.startsWith("rotated")))
    faults.push(`done before kill at ${target}`);
  const [, reads = 0] = lines.map((line) => /^\w+ \d+ (\d+)$/.exec(line)).findLast(Boolean) ?? [];
  return { reads: Number(reads), faults };
}

test(`${SECRETS} secrets survive ${KILLS} kills while their key is rotated`, { timeout: 900_000 }, async () => {
  const begun = performance.now();
  await plant();
  const lives: Life[] = [];
  for (let kill = 1; kill <= KILLS; kill++) lives.push(await live(Math.ceil((kill * (SECRETS - LEFT)) / KILLS)));
  lives.push(await live(SECRETS));
  expect(lives.flatMap(({ faults }) => faults)).toEqual([]);
  const reads = lives.reduce((sum, life) => sum + life.reads, 0);
  // Each life reads meanwhile; how often depends on the machine.
  expect(reads).toBeGreaterThan(lives.length);

  const left = await withStore([NEW_KEY], async ({ signalbox, sealed }) => {
    for (const id of ids.slice(0, ENGINE_READS))
      expect((await signalbox.api.decryptSecret({ id })).fields).toEqual([{ name: "VALUE", value: valueIn(id) }]);
    return sealed();
  });
  expect(left.map(({ id }) => id).toSorted()).toEqual(ids);
  expect(new Set(left.map(({ fp }) => fp))).toEqual(new Set([fingerprint(NEW_KEY)]));
  expect(await Promise.all(left.map((each) => open(each, NEW_KEY)))).toEqual(left.map(({ id }) => valueIn(id)));
  await expect(open(left[0] as Sealed, OLD_KEY)).rejects.toThrow();
  await expect(withStore([OLD_KEY], async () => undefined)).rejects.toThrow("does not match");
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`Rotation: ${SECRETS} secrets, ${KILLS} kills, ${reads} reads meanwhile, 0 failed, ${seconds} s`);
});

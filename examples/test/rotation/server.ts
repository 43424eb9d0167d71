/** A host whose keys rotate while its readers work. Prints its progress on standard output until it is killed. */
import { createSignalbox, silentLogger } from "@signalbox/core";
import type { LogFields } from "@signalbox/core/adapter";
import type { StoredRecord } from "@signalbox/core/plugin";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { fingerprint, keys, valueIn } from "./seal.ts";

const { filename, secretKeys, ids, target } = JSON.parse(process.env["ROTATION"] ?? "") as {
  readonly filename: string;
  readonly secretKeys: readonly [string, ...string[]];
  readonly ids: readonly string[];
  /** Number of resealed secrets at which the kill may come. */
  readonly target: number;
};
const READERS = 2;
const TELL_MS = 50;
/** Pause between reads: each read of a resealed secret costs a slow key. */
const READ_MS = 60;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const fault = (what: string): void => console.log(`fault ${what}`);
const storage = sqliteStorage({ filename });
const log = { ...silentLogger, error: ({ error }: LogFields, message: string) => fault(`${message} ${String(error)}`) };
const signalbox = createSignalbox({ storage, secretKeys, log, plugins: [keys] });
const payloads = signalbox.collections.find(({ name }) => name === "secret_payloads");
if (!payloads) throw new Error("There is no collection of sealed secrets");
signalbox.events.on("secrets.rotated", ({ secrets }) => console.log(`rotated ${secrets}`));
await signalbox.start();

let reads = 0;
async function readForEver(): Promise<never> {
  for (;;) {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? "";
    try {
      const { fields } = await signalbox.api.decryptSecret({ id });
      if (fields.length !== 1 || fields[0]?.value !== valueIn(id)) fault(`${id} read ${JSON.stringify(fields)}`);
      reads++;
    } catch (error) {
      fault(`${id} could not be read: ${String(error)}`);
    }
    await pause(READ_MS);
  }
}
for (let reader = 0; reader < READERS; reader++) void readForEver();

const isNew = { kind: "compare", field: "fp", operator: "eq", value: fingerprint(secretKeys[0]) } as const;
for (;;) {
  const { total } = await storage.read((tx) => tx.collection<StoredRecord>(payloads).find(isNew, { limit: 0 }));
  console.log(`${total < target ? "progress" : "reached"} ${total} ${reads}`);
  await pause(TELL_MS);
}

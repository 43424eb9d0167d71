import { DatabaseSync } from "node:sqlite";
import { createSignalbox } from "@signalbox/core";
import { everything, type StoredRecord } from "@signalbox/core/plugin";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import type { Kind, Ledger } from "./ledger.ts";

export interface Inspection {
  /** Number of activity rows compared with their records. */
  readonly rows: number;
  readonly faults: readonly string[];
}

type VerifiableStorage = ReturnType<typeof sqliteStorage>;

export async function inspectSqlite(filename: string, ledger: Ledger): Promise<Inspection> {
  const database = new DatabaseSync(filename);
  const found = database.prepare("pragma integrity_check").all();
  database.close();
  const { rows, faults } = await inspect(sqliteStorage({ filename }), ledger);
  const broken = found.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok");
  return { rows, faults: [...broken, ...faults] };
}

export const inspectPg = (connectionString: string, ledger: Ledger): Promise<Inspection> =>
  inspect(pgStorage({ connectionString }), ledger);

/**
 * Opens the database that the killed server left and compares every index with a rebuild from the documents, and every record
 * with its history: revision n has exactly n activity rows, and a deleted record has one that says so.
 */
async function inspect(storage: VerifiableStorage, ledger: Ledger): Promise<Inspection> {
  const signalbox = createSignalbox({ storage, secretKey: "only for the crash test" });
  await signalbox.start();
  try {
    const differences = await storage.verifyIndexes();
    const history = signalbox.collections.find((each) => each.name === "activity");
    if (!history) throw new Error("There is no activity collection");
    const { rows } = await storage.read((tx) => tx.collection<StoredRecord>(history).find(everything));
    const counted = countActivity(rows as ActivityRow[]);
    const { rows: tags } = await signalbox.api.getTags();
    const { rows: events } = await signalbox.api.getEvents();
    const { rows: keys } = await signalbox.api.getApiKeys();
    const faults = [
      ...differences.map((each) => JSON.stringify(each)),
      ...compareHistory("tag", tags, { counted, ledger }),
      ...compareHistory("event", events, { counted, ledger }),
      ...keys.filter(({ id }) => counted.get(`apikey_create ${id}`) !== 1).map(({ id }) => `key ${id}: no history`),
    ];
    return { rows: rows.length, faults };
  } finally {
    await signalbox.stop();
  }
}

interface ActivityRow extends StoredRecord {
  readonly action: string;
  readonly tag?: { readonly id: string };
  readonly event?: { readonly id: string };
  readonly api_key?: { readonly id: string };
}

/** Number of rows by action and record, such as `tag_update x`. */
function countActivity(rows: readonly ActivityRow[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { action, tag, event, api_key } of rows) {
    const key = `${action} ${(tag ?? event ?? api_key)?.id}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  return counted;
}

function compareHistory(
  kind: Kind,
  stored: readonly { readonly id: string; readonly revision?: number | undefined }[],
  { counted, ledger }: { counted: ReadonlyMap<string, number>; ledger: Ledger },
): string[] {
  const count = (action: string, id: string): number => counted.get(`${kind}_${action} ${id}`) ?? 0;
  const faults: string[] = [];
  for (const { id, revision } of stored) {
    const rows = count("create", id) + count("update", id);
    if (rows !== revision) faults.push(`${kind} ${id}: revision ${revision}, ${rows} rows of activity`);
    if (count("delete", id) > 0) faults.push(`${kind} ${id}: there, but its history says deleted`);
  }
  const present = new Set(stored.map(({ id }) => id));
  for (const id of ledger.entries[kind].keys()) {
    if (present.has(id)) continue;
    const [created, deleted] = [count("create", id), count("delete", id)];
    if (created !== deleted) faults.push(`${kind} ${id}: gone, created ${created} and deleted ${deleted} times`);
  }
  return faults;
}

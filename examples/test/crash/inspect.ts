import { createSignalbox, everything, type StoredRecord } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";

export interface Inspection {
  /** Activity rows that were compared with the records they tell of. */
  readonly rows: number;
  readonly faults: readonly string[];
}

export const inspectSqlite = (filename: string): Promise<Inspection> => inspect(sqliteStorage({ filename }));
export const inspectPg = (connectionString: string): Promise<Inspection> => inspect(pgStorage({ connectionString }));

type VerifiableStorage = ReturnType<typeof sqliteStorage>;

/**
 * Opens the database that the killed server left, compares every index with a rebuild from the documents, and every
 * record with its history: a tag of revision n has exactly n rows of activity.
 */
async function inspect(storage: VerifiableStorage): Promise<Inspection> {
  const signalbox = createSignalbox({ storage, secretKey: "only for the crash test" });
  await signalbox.start();
  try {
    const differences = await storage.verifyIndexes();
    const history = signalbox.collections.find((each) => each.name === "activity");
    if (!history) throw new Error("There is no activity collection");
    const { rows } = await storage.read((tx) => tx.collection<StoredRecord>(history).find(everything));
    const counted = countByTag(rows as ActivityRow[]);
    const { rows: tags } = await signalbox.api.getTags();
    const wrong = tags
      .filter((tag) => counted.get(tag.id) !== tag.revision)
      .map((tag) => `${tag.id}: revision ${tag.revision}, ${counted.get(tag.id) ?? 0} rows of activity`);
    return { rows: rows.length, faults: [...differences.map((each) => JSON.stringify(each)), ...wrong] };
  } finally {
    await signalbox.stop();
  }
}

interface ActivityRow extends StoredRecord {
  readonly action: string;
  readonly tag?: { readonly id: string };
}

function countByTag(rows: readonly ActivityRow[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { action, tag } of rows)
    if (tag && (action === "tag_create" || action === "tag_update"))
      counted.set(tag.id, (counted.get(tag.id) ?? 0) + 1);
  return counted;
}

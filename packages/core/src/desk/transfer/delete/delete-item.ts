import { localClient, systemActor } from "../../../kernel/calls/context.ts";
import type { TransferMaps } from "../../../kernel/calls/registry.ts";
import type { TransferTable } from "../../../kernel/plugins/transfer.ts";
import type { AnyCollection, StoredRecord } from "../../../ports/storage/collection.ts";
import { everything, type SearchNode } from "../../../search/ast.ts";
import { type WalkPage, walk } from "../../../search/beyond.ts";
import { fileKeysOf } from "../export/files.ts";
import { conditionOf, eachOwner, tableOf } from "../export/records.ts";
import type { ExportTools } from "../export/tools.ts";
import { removeLeft } from "../import/settle.ts";
import type { FilesItem, TransferItem } from "../rules/items.ts";

/** Removes the records that an item names. Returns messages about the records that had to stay. */
export async function deleteItem(tools: ExportTools, item: TransferItem): Promise<readonly string[]> {
  switch (item.type) {
    case "list":
      return deleteList(tools, item.key);
    case "index":
      return deleteRows(tools, item);
    case "jobFiles":
    case "ticketFiles":
    case "bucketFiles":
      await deleteFiles(tools, item);
      return [];
    case "monitorData":
      await deleteSeries(tools, item);
      return [];
    default:
      return deleteKeyed(tools, item.type);
  }
}

async function deleteList(tools: ExportTools, key: string): Promise<readonly string[]> {
  const { cradle } = tools;
  const name = key.slice("global/".length);
  const list = cradle.registry.transfer.lists.get(name);
  if (!list) return [];
  const before = await cradle.snapshot((tx) => tx.collection(list.collection).list());
  const notes = await removeLeft(cradle, { name, list, isLeaving: () => true });
  const after = await cradle.snapshot((tx) => tx.collection(list.collection).list());
  tools.count(name, before.length - after.length);
  return notes;
}

/** Rows per transaction; few, because the removal of a row may include files and links. */
const PAGE = 50;

/**
 * Removes the newest rows that match the query, or all of them, including rows added meanwhile. Returns a message if some had to
 * stay.
 */
async function deleteRows(
  tools: ExportTools,
  { index, query, max_rows: most }: Extract<TransferItem, { readonly type: "index" }>,
): Promise<readonly string[]> {
  const found = tableOf(tools, index);
  if (!found) return [];
  const { table, collection } = found;
  // Ids that people choose do not reflect the age of a row.
  const order = { sortBy: most > 0 ? table.newest : "id", descending: true };
  const where = conditionOf(tools, index, query);
  const remove = table.removedAlone ? removeAlone : removeTogether;
  let stayed = 0;
  // Each page continues after the last row, so rows that could not be removed are not found again.
  const pages = walk({ collection, where, order, most: most || undefined, limit: () => PAGE }, (node, page) => {
    tools.signal.throwIfAborted();
    return remove(tools, { index, table, collection, node, page });
  });
  for await (const { rows, kept } of pages) {
    tools.count(`rows of ${index}`, rows.length - kept);
    stayed += kept;
    await tools.breath();
  }
  return stayed === 0 ? [] : [`Rows of ${index} that are in use stay: ${stayed}.`];
}

interface Removing {
  readonly index: string;
  readonly table: TransferTable;
  readonly collection: AnyCollection;
  readonly node: SearchNode;
  readonly page: WalkPage;
}

interface Removed {
  readonly rows: readonly StoredRecord[];
  /** Number of rows that stay. */
  readonly kept: number;
}

const removeTogether = ({ cradle }: ExportTools, { table, collection, node, page }: Removing): Promise<Removed> =>
  cradle.transact(async (unit) => {
    const { rows }: { rows: StoredRecord[] } = await unit.tx.collection(collection).find(node, page);
    for (const record of rows) {
      if (table.remove) await table.remove(cradle, unit, record as never);
      else await unit.tx.collection(collection).delete(record.id);
    }
    return { rows, kept: 0 };
  });

async function removeAlone(
  { cradle, signal }: ExportTools,
  { index, collection, node, page }: Removing,
): Promise<Removed> {
  const { rows }: { rows: StoredRecord[] } = await cradle.snapshot((tx) => tx.collection(collection).find(node, page));
  const ids = rows.map(({ id }) => id);
  for (const id of ids) await cradle.handlers.remove(index, id, { actor: systemActor, client: localClient, signal });
  const left = await cradle.snapshot((tx) => tx.collection(collection).getMany(ids));
  return { rows, kept: left.filter(Boolean).length };
}

async function deleteFiles(tools: ExportTools, item: FilesItem): Promise<void> {
  for await (const key of fileKeysOf(tools, item)) {
    tools.signal.throwIfAborted();
    if (await tools.cradle.blobs.delete(key)) tools.count("files", 1);
    await tools.breath();
  }
}

async function deleteSeries(
  tools: ExportTools,
  item: Extract<TransferItem, { readonly type: "monitorData" }>,
): Promise<void> {
  const { cradle } = tools;
  for (const { item: own, index } of cradle.registry.transfer.series.values()) {
    const found = own === item.type ? tableOf(tools, index) : undefined;
    if (!found) continue;
    const where = conditionOf(tools, index, item.query);
    const owners = { collection: found.collection, where, sortBy: "id", descending: false, most: 0 };
    for await (const { id } of eachOwner(tools, owners)) {
      await cradle.transact(({ tx }) => tx.timeline.drop(id));
      tools.count("servers without history", 1);
      await tools.breath();
    }
  }
}

const logsOf = (logs: TransferMaps["logs"], type: string): [string, AnyCollection][] =>
  [...logs.values()].filter(({ item }) => item === type).map(({ collection }) => [type, collection]);

/** Records with their own keys. Records that a list only refers to follow the rules of that list. */
async function deleteKeyed(tools: ExportTools, type: string): Promise<readonly string[]> {
  const { cradle } = tools;
  const { keys, lists, logs, own } = cradle.registry.transfer;
  const notes: string[] = [];
  for (const { item, collection, list } of keys.values()) {
    if (item !== type) continue;
    if (lists.get(list)?.names) notes.push(...(await deleteList(tools, `global/${list}`)));
    else await emptyCollection(tools, { name: type, collection });
  }
  const others = type === "engineData" ? [...own] : logsOf(logs, type);
  for (const [name, collection] of others) await emptyCollection(tools, { name, collection });
  if (type === "state") notes.push("The global state stays: change it value by value.");
  return notes;
}

async function emptyCollection(
  tools: ExportTools,
  { name, collection }: { readonly name: string; readonly collection: AnyCollection },
): Promise<void> {
  const { transact } = tools.cradle;
  for (let removed = PAGE; removed === PAGE; ) {
    tools.signal.throwIfAborted();
    removed = await transact(async ({ tx }) => {
      const { rows } = await tx.collection(collection).find(everything, { sortBy: "id", limit: PAGE });
      await tx.collection(collection).deleteMany((rows as StoredRecord[]).map(({ id }) => id));
      return rows.length;
    });
    tools.count(name, removed);
    await tools.breath();
  }
}

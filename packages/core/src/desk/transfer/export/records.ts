import { nextRows, searchCondition } from "../../../kernel/searches/search-page.ts";
import type { AnyCollection, StoredRecord } from "../../../ports/storage/collection.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { everything, type SearchNode } from "../../../search/ast.ts";
import { walk } from "../../../search/beyond.ts";
import type { ExportTools } from "./tools.ts";

/** Approximate characters per batch, estimated from the previous batch: a few milliseconds of work. */
const MAX_BATCH = 131_072;
const MOST_ROWS = 500;

export interface Reading {
  readonly collection: AnyCollection;
  readonly where?: SearchNode;
  /** A declared column, or `id`. */
  readonly sortBy?: string;
  readonly descending?: boolean;
  /** Most records; 0 = all. */
  readonly most?: number;
  /** The line of a record. */
  readonly line: (tx: ReadTx, record: never) => string | Promise<string>;
}

/**
 * A line for each record, one text per batch. Each batch uses its own snapshot and continues after the last record of the
 * previous one, so neither memory nor the age of a snapshot grows with the collection.
 */
export async function* eachBatch(tools: ExportTools, reading: Reading): AsyncGenerator<string> {
  const { collection, where = everything, sortBy = "id", descending = false, most = 0, line } = reading;
  let limit = 1;
  const all = { collection, where, order: { sortBy, descending }, most: most || undefined, limit: () => limit };
  const pages = walk(all, (node, page) =>
    tools.cradle.snapshot(async (tx) => {
      const { rows } = await tx.collection(collection).find(node, { ...page, uncounted: true });
      return { rows: rows as StoredRecord[], text: await textOf(tx, rows, line) };
    }),
  );
  for await (const { rows, text } of pages) {
    if (text !== "") yield text;
    tools.count("records", rows.length);
    await tools.breath();
    limit = nextRows(rows.length, text.length, { size: MAX_BATCH, most: MOST_ROWS });
  }
}

async function textOf(tx: ReadTx, rows: readonly StoredRecord[], line: Reading["line"]): Promise<string> {
  let text = "";
  for (const row of rows) {
    const next = line(tx, row as never);
    text += typeof next === "string" ? next : await next;
  }
  return text;
}

/** The condition of a query for rows of a search table. Throws `DomainError` for a query that does not parse. */
export function conditionOf({ cradle, now }: ExportTools, index: string, query: string): SearchNode {
  const target = cradle.registry.searchTables.get(index);
  if (!target) throw new Error(`No search table is called ${index}`);
  return searchCondition({ now, config: cradle.config }, query, target as never).where;
}

export function tableOf({ cradle: { registry } }: Pick<ExportTools, "cradle">, index: string) {
  const table = registry.transfer.tables.get(index);
  const collection = registry.searchTables.get(index)?.collection;
  return table && collection ? { table, collection } : undefined;
}

export type Owners = Required<Pick<Reading, "collection" | "where" | "sortBy" | "descending" | "most">>;
/** Few, because an owner may have 1 MiB. */
const OWNERS = 5;

/** Yields records one by one, for the export of data that belongs to them. */
export async function* eachOwner({ cradle }: ExportTools, owners: Owners): AsyncGenerator<StoredRecord> {
  const { collection, where, sortBy, descending, most } = owners;
  const all = { collection, where, order: { sortBy, descending }, most: most || undefined, limit: () => OWNERS };
  const pages = walk(all, (node, page) =>
    cradle.snapshot((tx) => tx.collection(collection).find(node, { ...page, uncounted: true })),
  );
  for await (const { rows } of pages) yield* rows as StoredRecord[];
}

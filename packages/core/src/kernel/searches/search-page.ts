import * as z from "zod";
import { createCalendar, OWN_ZONE } from "../../lib/time/calendar.ts";
import type { CollectionDefinition, Page, StoredRecord } from "../../ports/storage/collection.ts";
import { allOf, type SearchNode } from "../../search/ast.ts";
import { type Walk, walk } from "../../search/beyond.ts";
import { type DateContext, readDate } from "../../search/parse/dates.ts";
import type { ReadDate } from "../../search/parse/fields.ts";
import { parseSearch } from "../../search/parse/parse.ts";
import { SearchError } from "../../search/parse/search-error.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { lenient, pageNumber } from "../../wire/fields/fields.ts";
import { exactly } from "../../wire/issues.ts";
import { shown } from "../../wire/schemas/shown-members.ts";
import type { QueryContext } from "../calls/context.ts";
import { DomainError, SignalboxError } from "../errors/errors.ts";
import type { Snapshot } from "../transactions/unit-of-work.ts";

/** The id of a sorter; a blank one counts as absent, since clients send empty form fields in the query. */
export const sorter = (usual: string) =>
  lenient((value) => (value === null || value === "" ? usual : value), z.string()).default(usual);

/** Parameters of every search operation (docs/contract/search.md#parameters). */
export const searchParameters = {
  query: z.string({ error: exactly("Malformed parameter: query") }).nullish(),
  offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: pageNumber(1).optional(),
  sort_by: sorter("_id"),
  sort_dir: shown(z.number()),
};
export const SearchInput = z.looseObject(searchParameters);
export type SearchInput = z.output<typeof SearchInput>;

/** The query of a bulk deletion: an absent or blank query is refused, so that only `*` deletes all records. */
export const bulkQuery = z.string().regex(/\S/, { error: exactly("Missing parameter: query") });

export interface SearchTarget<T extends StoredRecord> {
  readonly collection: CollectionDefinition<T>;
  readonly table: SearchTable;
  /** Code of the error for a query that does not parse: "db", or "ticket". */
  readonly code?: string;
  /** Restricts the records to the ones visible to the caller; undefined = all. */
  readonly restriction?: SearchNode | undefined;
}

/** One page of the matches of a query; `total` counts all of them. Throws `DomainError` "Failed DB search: …". */
export async function searchPage<T extends StoredRecord>(
  context: Pick<QueryContext, "tx" | "now" | "config">,
  input: SearchInput,
  target: SearchTarget<T>,
  fromText?: Page["fromText"],
): Promise<{ rows: T[]; total: number }> {
  const { where } = searchCondition(context, input.query, target);
  return context.tx.collection(target.collection).find(where, {
    sortBy: sorterOf(input.sort_by, target),
    descending: !(directionOf(input.sort_dir) > 0),
    offset: input.offset ?? 0,
    limit: Math.max(1, input.limit ?? 1),
    ...(fromText ? { fromText } : {}),
  });
}

export interface SearchPage {
  readonly query?: string | null | undefined;
  readonly sort_by: string;
  readonly sort_dir?: unknown;
  readonly offset?: number | undefined;
}

/** Characters read at once, estimated from the previous rows. */
const BATCH_SIZE = 1_048_576;
const MAX_BATCH = 500;

/**
 * All matches of a query, in batches, each with its own snapshot and starting after the last row of the previous batch: records
 * changed meanwhile appear in their new state, and no row appears twice unless its position changed. Throws like `searchPage`,
 * before the first row.
 */
export function searchAll<T extends StoredRecord>(
  context: Pick<QueryContext, "now" | "config"> & { readonly read: Snapshot },
  input: SearchPage,
  target: SearchTarget<T>,
): AsyncGenerator<T> {
  const { where } = searchCondition(context, input.query, target);
  const sortBy = sorterOf(input.sort_by, target);
  const order = { sortBy, descending: !(directionOf(input.sort_dir) > 0) };
  return eachBatch(context.read, { collection: target.collection, where, order, offset: input.offset ?? 0 });
}

interface Listing<T extends StoredRecord> extends Pick<Walk<T>, "collection" | "where" | "order"> {
  readonly offset: number;
}

async function* eachBatch<T extends StoredRecord>(
  read: Snapshot,
  { offset, ...listing }: Listing<T>,
): AsyncGenerator<T> {
  const { collection } = listing;
  let limit = 1;
  let left = offset;
  const pages = walk({ ...listing, limit: () => limit }, (where, page) =>
    read((tx) => tx.collection(collection).find(where, { ...page, offset: left, uncounted: left === 0 })),
  );
  for await (const { rows, total } of pages) {
    yield* rows;
    left = rows.length > 0 ? 0 : Math.max(0, left - total);
    const size = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    limit = nextRows(rows.length, size, { size: BATCH_SIZE, most: MAX_BATCH });
  }
}

/** Characters and rows of a batch. */
interface BatchBounds {
  readonly size: number;
  readonly most: number;
}

/** Rows to read next. At most four times as many as before, because the next ones may be much larger: a record has up to 1 MiB. */
export const nextRows = (rows: number, size: number, bounds: BatchBounds): number =>
  Math.max(1, Math.min(bounds.most, rows * 4, Math.floor((bounds.size * rows) / Math.max(1, size))));

/** An object may throw when converted to a number, so it counts as the default direction. */
const directionOf = (value: unknown): number => (typeof value === "object" ? Number.NaN : Number(value));

export interface SearchCondition {
  readonly where: SearchNode;
  /** Why a part of the query was ignored: bulk deletion then refuses (docs/contract/search.md#what-goes-wrong). */
  readonly dropped?: string;
}

/** The condition of a query, combined with the restriction; a missing or empty query is `*`. Throws like `searchPage`. */
export function searchCondition<T extends StoredRecord>(
  { now, config }: Pick<QueryContext, "now"> & { readonly config: Pick<QueryContext["config"], "tz"> },
  query: string | null | undefined,
  { collection, table, restriction, code }: SearchTarget<T>,
): SearchCondition {
  try {
    const readDate = dateReader(now, config.tz);
    const { node, ...rest } = parseSearch(query || "*", { table, collection, readDate });
    // The restriction is never appended to the query text, so no query can weaken it.
    return { where: restriction ? allOf([node, restriction]) : node, ...rest };
  } catch (error) {
    if (error instanceof SearchError) throw failedSearch(code, error.message, error);
    throw error;
  }
}

/**
 * The condition of a query for a deletion. A query from which the parser dropped a part would match more than was meant, so it is
 * refused. Throws like `searchCondition`.
 */
export function wholeCondition<T extends StoredRecord>(
  context: Parameters<typeof searchCondition>[0],
  query: string,
  target: SearchTarget<T>,
): SearchNode {
  const { where, dropped } = searchCondition(context, query, target);
  if (dropped !== undefined) throw failedSearch(target.code, dropped);
  return where;
}

/** Why a query is not fully understood; undefined for a valid one. */
export function queryFault<T extends StoredRecord>(query: string, target: SearchTarget<T>): string | undefined {
  try {
    return searchCondition({ now: 0, config: { tz: "UTC" } }, query, target).dropped;
  } catch (error) {
    if (error instanceof SignalboxError) return error.description;
    throw error;
  }
}

function sorterOf<T extends StoredRecord>(id: string, { table, code }: SearchTarget<T>): string {
  if (id === "_id") return "id";
  const column = Object.hasOwn(table.sorters, id) ? table.sorters[id] : undefined;
  if (column === undefined) throw failedSearch(code, `Error: Cannot find sorter: ${id}`);
  return column;
}

const failedSearch = (code = "db", reason: string, cause?: unknown): DomainError =>
  new DomainError(code, "malformed", `Failed DB search: ${reason}`, { cause });

/** Loads the time zone only when a query contains a date. */
function dateReader(now: number, tz: string | undefined): ReadDate {
  let context: DateContext | undefined;
  return (text, unit) => {
    context ??= { now, calendar: createCalendar(), zone: tz ?? OWN_ZONE };
    return readDate(text, unit, context);
  };
}

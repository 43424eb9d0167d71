import { setImmediate as nextTurn, setTimeout as rest } from "node:timers/promises";
import { leastJsonLength } from "../../lib/json/json-size.ts";
import { JsonText } from "../../lib/json/json-text.ts";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { StoredRecord } from "../../ports/storage/collection.ts";
import type { QueryContext, Reply } from "../calls/context.ts";
import { type SearchInput, type SearchTarget, searchPage } from "./search-page.ts";

/** Most characters of one answer: a page ends with the row that reaches this number, and the next page continues from there. */
const MAX_PAGE = 16_777_216;
/** Characters of a page beyond which it reserves memory. */
const LONG_PAGE = 1_048_576;
/** Characters read in one turn of the event loop, estimated from the previous rows: about five milliseconds. */
const MAX_BATCH = 524_288;
/** Rows of a page that one statement finds and reads, as lists request it: finding costs more than reading. */
const SMALL_PAGE = 25;
/**
 * Milliseconds between the batches of a long page, a quarter of a second in total for the longest: the garbage collector keeps up
 * beside the event loop. Without the pauses it stopped the loop for 45 to 58 ms when ten such pages were requested at once.
 */
const REST_MS = 6;
/** Rows of the first batch, when their length is unknown: each may be a megabyte. */
const FIRST_ROWS = 10;
const MOST_ROWS = 500;

export interface Showing<T, R> {
  /** Converts a record for the caller. */
  show(record: T): Awaitable<R>;
  /** Its length in characters, if known without serialising it. */
  sizeOf?(record: T): number;
  /** Like `show`, from JSON to JSON, for callers who accept texts: records need not be parsed. */
  showText?(json: string): string;
}

type RowsContext = Pick<QueryContext, "tx" | "now" | "config" | "reply">;

/** Reads rows as JSON text. Undefined in debug mode, where answers are checked and rows must be objects. */
const textReader = <T, R>({ reply, config }: RowsContext, { showText }: Showing<T, R>) =>
  showText && reply.takesTexts && !config.debug ? (json: string) => new JsonText(showText(json)) : undefined;

/**
 * One page of the matches of a query. Each record is converted as soon as it is read, so that no page of whole records is held in
 * memory. The page ends early with the row that brings it to 16 MiB. `total` counts all matches. Small pages take one statement;
 * between the batches of a long one the event loop gets a turn, because reading and parsing ten thousand records in one go would
 * block it for a quarter of a second. Throws like `searchPage` and `Reply.becomesLong`.
 */
export async function searchRows<T extends StoredRecord, R>(
  context: RowsContext,
  input: SearchInput,
  target: SearchTarget<T>,
  showing: Showing<T, R>,
): Promise<{ rows: R[]; total: number }> {
  const wanted = Math.max(1, input.limit ?? 1);
  const page: Page<R> = { rows: [], size: 0, turn: 0, reply: context.reply };
  const fromText = textReader(context, showing);
  for (let next = wanted > SMALL_PAGE ? FIRST_ROWS : SMALL_PAGE; ; await turnOf(page)) {
    const limit = Math.min(next, wanted - page.rows.length);
    const offset = (input.offset ?? 0) + page.rows.length;
    const { rows, total } = await searchPage(context, { ...input, offset, limit }, target, fromText);
    await showAll(rows, showing, page);
    if (page.size >= MAX_PAGE || page.rows.length === wanted || rows.length < limit) return { rows: page.rows, total };
    const read = rows.reduce((sum, row) => sum + leastJsonLength(row), 0);
    next = Math.max(1, Math.min(MOST_ROWS, Math.floor((MAX_BATCH * rows.length) / Math.max(1, read))));
  }
}

interface ByIds<T, R> {
  /** The records of some ids, in their order; undefined = the caller is not shown such a record. */
  read(ids: readonly string[]): Promise<readonly (T | undefined)[]>;
  show(record: T): R;
}

/** Stands in place of a record that is not shown. */
type NotShown = { readonly err: string };

/**
 * Records by id, in the order of the ids. As in a search, the event loop gets a turn between batches, and the answer ends with the
 * record that brings it to 16 MiB: the rest only says so. `noun` names the record in the errors. Throws like
 * `Reply.becomesLong`.
 */
export async function readByIds<T, R>(
  { reply }: Pick<RowsContext, "reply">,
  { ids, noun }: { readonly ids: readonly string[]; readonly noun: string },
  { read, show }: ByIds<T, R>,
): Promise<(R | NotShown)[]> {
  const page: Page<R | NotShown> = { rows: [], size: 0, turn: 0, reply };
  for (let first = 0; first < ids.length && page.size < MAX_PAGE; first += FIRST_ROWS) {
    const some = ids.slice(first, first + FIRST_ROWS);
    const records = await read(some);
    // Counted before anything is left out of the records, since reading them takes the time.
    page.turn += leastJsonLength(records);
    const rows = some.map((id, index) => shownOr(records[index], show, { err: `Failed to locate ${noun}: ${id}` }));
    await showAll(rows, { show: (row) => row }, page);
  }
  const left = ids.slice(page.rows.length).map((id) => ({ err: `Left out, because the answer is too long: ${id}` }));
  return [...page.rows, ...left];
}

const shownOr = <T, R>(record: T | undefined, show: (record: T) => R, other: NotShown): R | NotShown =>
  record === undefined ? other : show(record);

interface Page<R> {
  readonly rows: R[];
  /** Characters so far: of the whole page, and of this turn of the event loop. */
  size: number;
  turn: number;
  /** Undefined once the page has been reported as long. */
  reply: Reply | undefined;
}

/** Adds records until the page is full. */
async function showAll<T, R>(records: readonly T[], { show, sizeOf }: Showing<T, R>, page: Page<R>): Promise<void> {
  for (const record of records) {
    const isShown = record instanceof JsonText;
    // A row read as text is sent as text.
    const row = isShown ? (record as R) : await show(record);
    const size = isShown ? record.text.length : (sizeOf?.(record) ?? leastJsonLength(row));
    page.rows.push(row);
    page.size += size;
    page.turn += size;
    if (page.size >= LONG_PAGE) tellLong(page);
    if (page.size >= MAX_PAGE) break;
    if (page.turn >= MAX_BATCH) await turnOf(page);
  }
}

function tellLong(page: { reply: Reply | undefined }): void {
  page.reply?.becomesLong?.();
  page.reply = undefined;
}

async function turnOf(page: { size: number; turn: number }): Promise<void> {
  page.turn = 0;
  if (page.size < LONG_PAGE) await nextTurn();
  else await rest(REST_MS);
}

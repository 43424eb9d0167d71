import type { AnyCollection, Column, ColumnValue, StoredRecord } from "../ports/storage/collection.ts";
import { ENTRY_BREAK } from "./text/analyse.ts";

/** Index entries are cut to this length (in UTF-16 units): B-trees of SQL backends bound their keys. */
const MAX_TEXT = 500;
const MAX_ID = 200;

/** Text columns can hold neither NUL nor lone surrogates; documents, being escaped, can hold both. */
export const cleanText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0") ? text : text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "");

/** The form of a text in an index; texts of queries take the same form. */
export const indexText = (text: string): string => cleanText(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);

/** A value of another type than the column's counts as absent: records are open and may hold anything. */
export function normaliseValue(type: Column<StoredRecord>["type"], value: ColumnValue | undefined): ColumnValue {
  if (type === "text") return typeof value === "string" ? indexText(value) : null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** What a collection declares under a name. */
interface Declared<T> {
  readonly name: string;
  readonly value: T;
}

const NOTHING: readonly never[] = [];
const known = new WeakMap<object, readonly Declared<unknown>[]>();

/** Declared members as a list, cached: each write of a record needs them. */
function declared<T>(members: Readonly<Record<string, T>> | undefined): readonly Declared<T>[] {
  if (members === undefined) return NOTHING;
  let list = known.get(members);
  if (!list) {
    list = Object.entries(members).map(([name, value]) => ({ name, value }));
    known.set(members, list);
  }
  return list as readonly Declared<T>[];
}

/** Value of each declared column of a record. */
export function columnValues(definition: AnyCollection, record: StoredRecord): Record<string, ColumnValue> {
  const values: Record<string, ColumnValue> = {};
  for (const { name, value } of declared(definition.columns))
    values[name] = normaliseValue(value.type, value.read(record));
  return values;
}

/** A word under which a record is found, in one field. */
export interface IndexTerm {
  readonly field: string;
  readonly term: string;
}

/** Terms of a record, deduplicated and within the limits of every backend, in the order of the declared fields. */
export function termsOf(definition: AnyCollection, record: StoredRecord): IndexTerm[] {
  const terms: IndexTerm[] = [];
  let room = MAX_TERM_BYTES;
  for (const { name: field, value: read } of declared(definition.terms)) {
    const words = read(record);
    // Most fields of most records have one word or none, and need no set.
    const seen = words.length > 1 ? new Set<string>() : undefined;
    for (const word of words) {
      const term = indexText(word);
      if (seen?.has(term)) continue;
      room -= Buffer.byteLength(term) + field.length + ENTRY_COST;
      if (room < 0) break;
      seen?.add(term);
      terms.push({ field, term });
    }
  }
  return terms;
}

/** The terms of a record by field; a field without terms has no set. */
export function termSets(definition: AnyCollection, record: StoredRecord): Record<string, Set<string>> {
  const sets: Record<string, Set<string>> = {};
  for (const { field, term } of termsOf(definition, record)) {
    sets[field] ??= new Set();
    sets[field].add(term);
  }
  return sets;
}

/** Words of a text field that are indexed at most. */
const MAX_WORDS = 10_000;
/** PostgreSQL allows less than 1 MB of words, places and terms in one index entry, and 256 places of one word. */
const MAX_TEXT_BYTES = 400_000;
const MAX_TERM_BYTES = 200_000;
const MAX_PLACES = 255;
/** Bytes that an index stores with a word: its start, its place, the mark of its field. */
const ENTRY_COST = 9;

/** Words of each full-text field of a record, in their order and within the limits of every backend. */
export function textWords(definition: AnyCollection, record: StoredRecord): Record<string, readonly string[]> {
  const words: Record<string, readonly string[]> = {};
  const room = { bytes: MAX_TEXT_BYTES };
  for (const [field, read] of Object.entries(definition.text ?? {}))
    words[field] = boundWords(read(record), field.length + ENTRY_COST, room);
  return words;
}

/** A word that is left out leaves a gap between its neighbours, as in every backend. */
function boundWords(words: readonly string[], cost: number, room: { bytes: number }): string[] {
  const places = new Map<string, number>();
  const kept: string[] = [];
  for (const word of words.slice(0, MAX_WORDS)) {
    room.bytes -= Buffer.byteLength(word) + cost;
    if (room.bytes < 0) break;
    const count = (places.get(word) ?? 0) + 1;
    places.set(word, count);
    kept.push(count > MAX_PLACES || !isWord(word) ? ENTRY_BREAK : word);
  }
  while (kept.at(-1) === ENTRY_BREAK) kept.pop();
  return kept;
}

/** Capitals are excluded, because backends compare them differently. A phrase that holds anything but words matches nothing. */
export const isWord = (word: string): boolean => word !== ENTRY_BREAK && WORD.test(word);
const WORD = /^[[\p{L}\p{N}_]--[A-Z]]{1,255}$/v;

/** An id must survive every backend's text type unchanged. */
export const isStorableId = (id: unknown): id is string =>
  typeof id === "string" && id.length <= MAX_ID && id.isWellFormed() && !id.includes("\0");

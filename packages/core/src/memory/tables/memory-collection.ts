import { DuplicateError, NotFoundError } from "../../kernel/errors/errors.ts";
import type {
  Collection,
  CollectionDefinition,
  ColumnValue,
  Page,
  ReadCollection,
  StoredRecord,
} from "../../ports/storage/collection.ts";
import type { SearchNode } from "../../search/ast.ts";
import { columnValues, isStorableId, termSets, textWords } from "../../search/index-values.ts";
import {
  columnType,
  compareText,
  compareValues,
  compileMatcher,
  type IndexedRow,
  type PlacedWords,
  placeWords,
} from "./match.ts";
import type { Draft, View } from "./tables.ts";

/** A record as text, so that stored records are never shared with a caller. */
export interface MemoryRow extends IndexedRow {
  readonly json: string;
}

export function memoryReadCollection<T extends StoredRecord>(
  definition: CollectionDefinition<T>,
  rows: View<MemoryRow>,
): ReadCollection<T> {
  const parse = (row: MemoryRow): T => JSON.parse(row.json);
  const get = async (id: string): Promise<T | undefined> => {
    const row = rows.get(id);
    return row && parse(row);
  };
  return {
    get,
    getMany: (ids) => Promise.all(ids.map(get)),
    list: async () => [...rows.values()].map(parse),
    async find(where, page = {}) {
      const found = select(definition, rows, where);
      const sorted = sort(definition, found, page);
      const start = wholeNumber(page.offset ?? 0);
      const end = page.limit === undefined ? undefined : start + wholeNumber(page.limit);
      const { fromText } = page;
      const read = fromText ? (row: MemoryRow) => fromText(row.json) as T : parse;
      return { rows: sorted.slice(start, end).map(read), total: found.length };
    },
  };
}

const wholeNumber = (value: number): number => Math.max(0, Math.floor(value));

/** Unique values with the ids of their records. */
function createUniques<T extends StoredRecord>(
  { noun, columns = {} }: CollectionDefinition<T>,
  indexOf: (column: string) => Draft<string>,
) {
  const names = Object.keys(columns).filter((name) => columns[name]?.unique);
  return {
    claim(row: MemoryRow, previous?: MemoryRow): void {
      for (const column of names) {
        const value = row.columns[column] ?? null;
        const owner = value === null ? undefined : indexOf(column).get(value);
        if (owner !== undefined && owner !== row.id)
          throw new DuplicateError(`${noun} ${row.id}: ${column} is taken by ${owner}`);
      }
      for (const column of names) moveUnique(indexOf(column), row.id, previous?.columns[column], row.columns[column]);
    },
    release(row: MemoryRow): void {
      for (const column of names) moveUnique(indexOf(column), row.id, row.columns[column], null);
    },
  };
}

export function memoryCollection<T extends StoredRecord>(
  definition: CollectionDefinition<T>,
  rows: Draft<MemoryRow>,
  uniqueIndex: (column: string) => Draft<string>,
): Collection<T> {
  const uniques = createUniques(definition, uniqueIndex);
  const add = (record: T): void => {
    if (!isStorableId(record.id)) throw new TypeError(`${definition.noun}: the id cannot be stored`);
    if (rows.get(record.id)) throw new DuplicateError(`${definition.noun} ${record.id} exists already`);
    const row = rowOf(definition, record);
    uniques.claim(row);
    rows.set(record.id, row);
  };
  const remove = (id: string): boolean => {
    const row = rows.get(id);
    if (!row) return false;
    uniques.release(row);
    return rows.delete(id);
  };
  return {
    ...memoryReadCollection(definition, rows),
    insert: async (record) => add(record),
    async insertMany(records) {
      for (const record of records) add(record);
    },
    async update(id, change) {
      const row = rows.get(id);
      if (!row) throw new NotFoundError("Item not found");
      const next = change(JSON.parse(row.json));
      if (next.id !== id) throw new TypeError(`${definition.noun} ${id}: an update must keep the id`);
      const changed = rowOf(definition, next);
      uniques.claim(changed, row);
      rows.set(id, changed);
      return next;
    },
    delete: async (id) => remove(id),
    async deleteMany(ids) {
      for (const id of ids) remove(id);
    },
  };
}

function rowOf<T extends StoredRecord>(definition: CollectionDefinition<T>, record: T): MemoryRow {
  return {
    id: record.id,
    json: JSON.stringify(record),
    columns: columnValues(definition, record),
    terms: termSets(definition, record),
    text: placesOf(definition, record),
  };
}

function placesOf<T extends StoredRecord>(definition: CollectionDefinition<T>, record: T): MemoryRow["text"] {
  const places: Record<string, PlacedWords> = {};
  for (const [field, words] of Object.entries(textWords(definition, record))) places[field] = placeWords(words);
  return places;
}

function moveUnique(index: Draft<string>, id: string, from: ColumnValue = null, to: ColumnValue = null): void {
  if (from === to) return;
  if (from !== null) index.delete(from);
  if (to !== null) index.set(to, id);
}

function select<T extends StoredRecord>(
  definition: CollectionDefinition<T>,
  rows: View<MemoryRow>,
  where: SearchNode,
): MemoryRow[] {
  const matches = compileMatcher(definition, where);
  const found: MemoryRow[] = [];
  for (const row of rows.values()) if (matches(row)) found.push(row);
  return found;
}

function sort<T extends StoredRecord>(
  definition: CollectionDefinition<T>,
  rows: MemoryRow[],
  { sortBy, descending = false }: Page,
): MemoryRow[] {
  if (sortBy === undefined) return descending ? rows.toReversed() : rows;
  columnType(definition, sortBy);
  const key = (row: MemoryRow): ColumnValue => (sortBy === "id" ? row.id : (row.columns[sortBy] ?? null));
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * (compareValues(key(a), key(b)) || compareText(a.id, b.id)));
}

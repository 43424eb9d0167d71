export type Key = string | number;

/** A read-only view of one table. */
export interface View<V> {
  get(key: Key): V | undefined;
  /** Values in the order of insertion; a key that was deleted and set again is last. */
  values(): Iterable<V>;
}

/** A table as one transaction sees it: its own changes over the committed rows. */
export interface Draft<V> extends View<V> {
  set(key: Key, value: V): void;
  delete(key: Key): boolean;
}

type Rows = Map<Key, unknown>;
type Tables = Map<string, Rows>;

interface Changes {
  readonly removed: Set<Key>;
  readonly written: Map<Key, unknown>;
}

export interface Snapshot {
  view<V>(name: string): View<V>;
  names(): Iterable<string>;
  release(): void;
}

export interface Drafts {
  table<V>(name: string): Draft<V>;
  names(): Iterable<string>;
  commit(): void;
}

export interface CommittedTables {
  has(name: string): boolean;
  snapshot(): Snapshot;
  begin(): Drafts;
  /** The committed rows in other tables, which change without these. Rows themselves never change. */
  copy(): CommittedTables;
}

/**
 * Named tables with snapshots and transactions. One transaction at a time; a commit changes tables in place unless a snapshot
 * still reads them. A table without committed rows does not exist.
 */
export function createTables(first: ReadonlyMap<string, Rows> = new Map()): CommittedTables {
  let current: Tables = new Map(first);
  let readers = 0;
  return {
    has: (name) => current.has(name),
    snapshot() {
      const tables = current;
      readers += 1;
      return {
        view: <V>(name: string) => viewOf<V>(tables.get(name) as Map<Key, V> | undefined),
        names: () => tables.keys(),
        release: () => {
          readers -= 1;
        },
      };
    },
    copy: () => createTables(new Map([...current].map(([name, rows]) => [name, new Map(rows)]))),
    begin() {
      const base = current;
      const changes = new Map<string, Changes>();
      return {
        table: <V>(name: string) => draftOf<V>(base.get(name) as Map<Key, V> | undefined, changesOf(changes, name)),
        names: () => new Set([...base.keys(), ...changes.keys()]),
        commit: () => {
          current = readers > 0 ? new Map(base) : base;
          for (const [name, change] of changes) apply(current, name, change, readers > 0);
        },
      };
    },
  };
}

const viewOf = <V>(rows: ReadonlyMap<Key, V> = new Map()): View<V> => ({
  get: (key) => rows.get(key),
  values: () => rows.values(),
});

function changesOf(all: Map<string, Changes>, name: string): Changes {
  const found = all.get(name) ?? { removed: new Set(), written: new Map() };
  all.set(name, found);
  return found;
}

function draftOf<V>(base: ReadonlyMap<Key, V> = new Map(), { removed, written }: Changes): Draft<V> {
  const get = (key: Key): V | undefined => {
    const own = written.get(key) as V | undefined;
    return own ?? (removed.has(key) ? undefined : base.get(key));
  };
  return {
    get,
    *values() {
      for (const [key, value] of base) if (!removed.has(key)) yield (written.get(key) as V | undefined) ?? value;
      for (const [key, value] of written) if (!base.has(key) || removed.has(key)) yield value as V;
    },
    set: (key, value) => void written.set(key, value),
    delete(key) {
      const found = get(key) !== undefined;
      written.delete(key);
      if (base.has(key)) removed.add(key);
      return found;
    },
  };
}

function apply(tables: Tables, name: string, { removed, written }: Changes, copy: boolean): void {
  if (removed.size === 0 && written.size === 0) return;
  const old = tables.get(name);
  const rows: Rows = old && !copy ? old : new Map(old);
  for (const key of removed) rows.delete(key);
  for (const [key, value] of written) rows.set(key, value);
  if (rows.size === 0) tables.delete(name);
  else tables.set(name, rows);
}

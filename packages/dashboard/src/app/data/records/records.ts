import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";

/**
 * Records by id, each in its own signal: a component that shows one record renders when that record changes, and one that shows
 * the list renders when records come or go.
 */
export interface Records<Row> {
  /** Ids in the order in which they were added. */
  readonly ids: ReadonlySignal<readonly string[]>;
  get(id: string): ReadonlySignal<Row> | undefined;
  all(): Row[];
  /** Replaces all records. */
  replace(rows: readonly Row[]): void;
  put(row: Row): void;
  patch(id: string, change: Partial<Row>): void;
}

export function createRecords<Row extends { readonly id: string }>(): Records<Row> {
  const rows = new Map<string, Signal<Row>>();
  const ids = signal<readonly string[]>([]);

  function set(row: Row): boolean {
    const found = rows.get(row.id);
    if (found) found.value = row;
    else rows.set(row.id, signal(row));
    return !found;
  }
  const sameIds = (next: readonly string[]): boolean =>
    next.length === ids.peek().length && next.every((id, at) => id === ids.peek()[at]);

  return {
    ids,
    get: (id) => rows.get(id),
    all: () => ids.value.flatMap((id) => rows.get(id)?.value ?? []),
    replace: (given) =>
      batch(() => {
        const next = given.map(({ id }) => id);
        const kept = new Set(next);
        for (const gone of [...rows.keys()].filter((id) => !kept.has(id))) rows.delete(gone);
        given.forEach(set);
        if (!sameIds(next)) ids.value = next;
      }),
    put: (row) =>
      batch(() => {
        if (set(row)) ids.value = [...ids.peek(), row.id];
      }),
    patch: (id, change) => {
      const found = rows.get(id);
      if (found) found.value = { ...found.peek(), ...change };
    },
  };
}

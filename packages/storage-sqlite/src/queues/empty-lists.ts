/** Remembers the statements of whole lists that have returned nothing since the last commit. */
export interface EmptyLists {
  has(sql: string): boolean;
  note(sql: string): void;
  /** Called when something may have been committed. */
  forget(): void;
  /** Stops remembering permanently: the host writes in transactions of its own, so not all commits are seen. */
  end(): void;
}

/** Lists of running work are read all the time and are mostly empty, yet the query costs as much as the rest of the call. */
export function createEmptyLists(): EmptyLists {
  const known = new Set<string>();
  let isOver = false;
  return {
    has: (sql) => known.has(sql),
    note: (sql) => void (isOver || known.add(sql)),
    forget: () => known.clear(),
    end() {
      isOver = true;
      known.clear();
    },
  };
}

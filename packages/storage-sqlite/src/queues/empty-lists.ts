/** Statements of whole lists that have found nothing since the last commit. */
export interface EmptyLists {
  has(sql: string): boolean;
  note(sql: string): void;
  /** Something may have been committed. */
  forget(): void;
  /** From now on not all commits are seen: the host writes in transactions of its own. */
  end(): void;
}

/** Lists of running work are read again and again, and mostly empty: a query costs as much as the rest of the call. */
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

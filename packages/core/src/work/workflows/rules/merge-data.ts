type Members = Readonly<Record<string, unknown>>;

/** Merges objects: later members replace earlier ones, but two lists are concatenated (docs/contract/workflows.md#data). */
export function mergeAll(all: readonly (Members | undefined)[]): Members {
  const merged = new Map<string, unknown>();
  const join = createJoin();
  for (const members of all)
    for (const [name, value] of Object.entries(members ?? {})) {
      const before = merged.get(name);
      merged.set(name, Array.isArray(before) && Array.isArray(value) ? join(before, value) : value);
    }
  return Object.fromEntries(merged);
}

export const mergeData = (first: Members, second: Members | undefined): Members =>
  second ? mergeAll([first, second]) : first;

/** Concatenates in place if the list was created here: copying a growing list ten thousand times would take seconds. */
function createJoin() {
  const made = new Set<unknown[]>();
  return (before: unknown[], value: readonly unknown[]): unknown[] => {
    const list = made.has(before) ? before : [...before];
    made.add(list);
    for (const entry of value) list.push(entry);
    return list;
  };
}

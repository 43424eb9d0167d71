/** A saved query: its name, and the address of the list with it. */
export interface SavedSearch {
  readonly name: string;
  /** Path below the mount: `/jobs?q=tags%3A_error`. */
  readonly loc: string;
}

export const isOurs = (entry: unknown): entry is SavedSearch => {
  const { name, loc } = (entry ?? {}) as Partial<SavedSearch>;
  return typeof name === "string" && typeof loc === "string" && loc.startsWith("/") && !loc.startsWith("//");
};

const nameOf = (entry: unknown): string => (isOurs(entry) ? `${entry.loc} ${entry.name}` : JSON.stringify(entry));
const namesOf = (entries: readonly unknown[]): ReadonlySet<string> => new Set(entries.map(nameOf));

/** Undoes on the list `now` the change from `before` to `after`; entries that were saved or forgotten since stay so. */
export function takenBack(
  before: readonly unknown[],
  after: readonly unknown[],
  now: readonly unknown[],
): readonly unknown[] {
  const [old, changed, newest] = [namesOf(before), namesOf(after), namesOf(now)];
  const isOld = (entry: unknown): boolean => newest.has(nameOf(entry)) || !changed.has(nameOf(entry));
  const isLater = (entry: unknown): boolean => !old.has(nameOf(entry)) && !changed.has(nameOf(entry));
  return [...before.filter(isOld), ...now.filter(isLater)];
}

/** Most steps from a record to the last one that it depends on. */
const MAX_DEPTH = 10;

/** Ids of all records that a record depends on, except itself; unknown ids depend on nothing. */
export function dependenciesOf(id: string, parentsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  for (let next = [...parentsOf(id)]; next.length > 0; ) {
    const fresh = next.filter((each) => each !== id && !found.has(each));
    for (const each of fresh) found.add(each);
    next = fresh.flatMap((each) => parentsOf(each));
  }
  return found;
}

/**
 * The sentence that refuses a record whose parents lead back to it or too far; undefined = it can be stored. Works level by
 * level, so a record with many paths to it is visited only once per path length.
 */
export function chainFault(id: string, parentsOf: (id: string) => readonly string[]): string | undefined {
  let level = new Map<string, readonly string[]>([[id, [id]]]);
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const next = new Map<string, readonly string[]>();
    for (const [at, path] of level) for (const parent of parentsOf(at)) next.set(parent, [...path, parent]);
    const cycle = next.get(id);
    if (cycle) return `Dependency cycle: ${cycle.join(" -> ")}`;
    if (next.size === 0) return undefined;
    level = next;
  }
  return `Dependency chain is longer than ${MAX_DEPTH}`;
}

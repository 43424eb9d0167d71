/** Caches the last result of a forward search: repeating it from a later position is free until that result is passed. */
export function rememberSearch(search: (from: number) => number): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = search(from);
    return found;
  };
}

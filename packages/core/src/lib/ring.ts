/** The newest records of each owner, under ids that are reused in rotation. */
export interface Ring {
  /** The id of the n-th record. */
  idOf(owner: string, count: number): string;
  /** Ids of the kept records, newest first; `count` is how many were ever made. */
  idsOf(owner: { readonly id: string; readonly count: number }): string[];
}

/** A ring that keeps the last `size` records of each owner. */
export function ringOf(size: number): Ring {
  const idOf = (owner: string, count: number): string => `${owner}:${count % size}`;
  return {
    idOf,
    idsOf: ({ id, count }) => Array.from({ length: Math.min(count, size) }, (_each, at) => idOf(id, count - at)),
  };
}

/** The newest records of one owner, under ids that come round again. */
export interface Ring {
  /** The id of the n-th record. */
  idOf(owner: string, count: number): string;
  /** Ids of the records that are kept, newest first; `count` were made. */
  idsOf(owner: { readonly id: string; readonly count: number }): string[];
}

/** A ring that keeps `size` records of each owner. */
export function ringOf(size: number): Ring {
  const idOf = (owner: string, count: number): string => `${owner}:${count % size}`;
  return {
    idOf,
    idsOf: ({ id, count }) => Array.from({ length: Math.min(count, size) }, (_each, at) => idOf(id, count - at)),
  };
}

/** The counts of a whole run. */
export interface Counted {
  readonly status: number;
  readonly hung: boolean;
}

export interface Tally {
  count(answer: Counted): void;
  readonly requests: number;
  readonly hangs: number;
  /** Requests by status; 0 = the connection was cut. */
  byStatus(): Readonly<Record<string, number>>;
}

export function createTally(): Tally {
  const statuses = new Map<number, number>();
  let requests = 0;
  let hangs = 0;
  return {
    count({ status, hung }) {
      requests += 1;
      if (hung) hangs += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    get requests() {
      return requests;
    },
    get hangs() {
      return hangs;
    },
    byStatus: () => Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
  };
}

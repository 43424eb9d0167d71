interface Versioned {
  readonly params_version?: number | undefined;
}

/**
 * The version of a record whose parameters are defined anew: the time of the change, which moves on although two
 * changes fall into one second or clocks differ. Unix seconds.
 */
export const movedVersion = ({ params_version: last = 0 }: Versioned, now: number): number => Math.max(now, last + 1);

/** The newest of the records that define the parameters of a job; 0 for records that are older than versions. */
export const newestVersion = (records: readonly (Versioned | undefined)[]): number =>
  Math.max(0, ...records.map((record) => record?.params_version ?? 0));

/** Whether definitions differ: the order of their members counts, which moves a version once too often at most. */
export const areSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

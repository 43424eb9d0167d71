interface Versioned {
  readonly params_version?: number | undefined;
}

/**
 * The new version of a record whose parameters were redefined: the time of the change in Unix seconds, or one more than the last
 * version if two changes fall into one second or clocks differ.
 */
export const movedVersion = ({ params_version: last = 0 }: Versioned, now: number): number => Math.max(now, last + 1);

/** The newest version among the records that define the parameters of a job; 0 for records from before there were versions. */
export const newestVersion = (records: readonly (Versioned | undefined)[]): number =>
  Math.max(0, ...records.map((record) => record?.params_version ?? 0));

/** Whether definitions are the same. The order of their members counts, so at worst a version changes without need. */
export const areSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Readings of one quantity over a job's life. */
export interface Usage {
  readonly min: number;
  readonly max: number;
  readonly total: number;
  readonly count: number;
  readonly current: number;
}

export function addUsage(usage: Usage | undefined, current: number): Usage {
  if (!usage) return { min: current, max: current, total: current, count: 1, current };
  return {
    min: Math.min(usage.min, current),
    max: Math.max(usage.max, current),
    total: usage.total + current,
    count: usage.count + 1,
    current,
  };
}

/** Members of a definition that say how a counter becomes a rate. */
export interface DeltaRule {
  readonly delta_min_value?: number | false | null | undefined;
  readonly divide_by_delta?: unknown;
}

export interface DeltaInput {
  readonly value: number;
  /** Value and time (Unix seconds) of the previous sample; undefined = there was none. */
  readonly old: number | undefined;
  readonly oldDate: number | undefined;
  readonly date: number;
  readonly whole: boolean;
}

/**
 * Change of a counter since the previous sample (docs/contract/monitors.md#change-of-a-counter). It is 0 for the first
 * sample, and when the previous value was 0.
 */
export function deltaOf(rule: DeltaRule, { value, old, oldDate, date, whole }: DeltaInput): number {
  if (old === undefined) return 0;
  let delta = old === 0 ? 0 : value - old;
  const { delta_min_value: least } = rule;
  if (typeof least === "number" && delta < least) delta = least;
  if (rule.divide_by_delta && oldDate) delta /= Math.max(1, date - oldDate);
  if (whole) delta = Math.floor(delta);
  return Number.isFinite(delta) ? delta : 0;
}

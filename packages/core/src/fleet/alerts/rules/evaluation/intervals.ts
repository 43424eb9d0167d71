import type { Invocation } from "../../model.ts";
import { firedAt } from "./episodes.ts";
import type { Phase } from "./explain.ts";

/** A span in which an alert was in one phase on its subject. Unix seconds. */
export interface PhaseInterval {
  readonly from: number;
  /** Null = now. */
  readonly to: number | null;
  readonly state: Phase;
  readonly flapping?: boolean;
}

type Lived = Pick<Invocation, "date" | "fired" | "modified" | "active" | "flapping">;

/** The phases of an alert on one subject since a time, from its invocations, oldest first. */
export function phaseIntervals(invocations: readonly Lived[], since: number): PhaseInterval[] {
  const intervals: PhaseInterval[] = [];
  let end: number | null = since;
  const add = (from: number, to: number | null, state: Phase, flapping?: boolean): void => {
    if (to === null || to > from) intervals.push({ from, to, state, ...(flapping ? { flapping } : {}) });
  };
  for (const invocation of invocations) {
    const { date, active, modified, flapping } = invocation;
    const fired = firedAt(invocation);
    if (end !== null) add(end, Math.max(date, end), "idle");
    const begin: number = Math.max(date, end ?? date);
    add(begin, Math.max(fired, begin), "warming");
    end = active ? null : modified;
    add(Math.max(fired, begin), end, "live", flapping);
  }
  if (end !== null) add(end, null, "idle");
  return intervals;
}

/** The phase at a time; undefined before the first known one. */
export const phaseAt = (intervals: readonly PhaseInterval[], at: number): PhaseInterval | undefined =>
  intervals.findLast(({ from, to }) => from <= at && (to === null || to > at));

import type { EventState, Gap } from "../../events/model.ts";
import type { Window } from "./plan.ts";

const MINUTE = 60;
/** Gaps that are remembered. */
const MAX_GAPS = 100;

/** The state of the whole scheduler with the minutes that no node evaluated: before this pass, and in a pause. */
export function withGap(state: EventState, { from, to }: Window, isPaused: boolean): EventState {
  const { cursor, gaps = [] } = state;
  const added: Gap[] = [];
  if (cursor !== undefined && from > cursor) added.push({ from: cursor + MINUTE, to: from, reason: "down" });
  if (isPaused) added.push({ from: from + MINUTE, to, reason: "paused" });
  return added.length === 0 ? state : { ...state, gaps: added.reduce(join, gaps).slice(-MAX_GAPS) };
}

function join(gaps: readonly Gap[], next: Gap): Gap[] {
  const last = gaps.at(-1);
  const isNext = last?.reason === next.reason && next.from <= last.to + MINUTE;
  return isNext ? [...gaps.slice(0, -1), { ...last, to: Math.max(last.to, next.to) }] : [...gaps, next];
}

/** The gap that a minute falls into. */
export const gapAt = ({ gaps = [] }: EventState, minute: number): Gap | undefined =>
  gaps.find(({ from, to }) => minute >= from && minute <= to);

import type { EventState, Gap } from "../../events/model.ts";
import type { Window } from "./plan.ts";

const MINUTE = 60;
/** Gaps that are kept. */
const MAX_GAPS = 100;

/** Adds to the scheduler's state the minutes that no node evaluated: minutes missed before this pass, and minutes of a pause. */
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

/**
 * After a clock was set back: the current minute if no node has evaluated it, because the clock was ahead of it before. Undefined
 * = no such minute.
 */
export function leaptOver(state: EventState, now: number): Window | undefined {
  const to = Math.floor(now / MINUTE) * MINUTE;
  const isBehind = state.cursor !== undefined && to < state.cursor;
  return isBehind && gapAt(state, to)?.reason === "down" ? { from: to - MINUTE, to } : undefined;
}

/** Removes minutes from the gaps, since a pass has now evaluated them. */
export function withoutMinutes(state: EventState, { from, to }: Window): EventState {
  const { gaps = [] } = state;
  const rest = gaps.flatMap((gap): Gap[] => {
    if (gap.reason !== "down" || gap.to <= from || gap.from > to) return [gap];
    const [before, after] = [
      { ...gap, to: from },
      { ...gap, from: to + MINUTE },
    ];
    return [before, after].filter((each) => each.from <= each.to);
  });
  return gaps.length > 0 ? { ...state, gaps: rest } : state;
}

/** The gap that contains a minute. */
export const gapAt = ({ gaps = [] }: EventState, minute: number): Gap | undefined =>
  gaps.find(({ from, to }) => minute >= from && minute <= to);

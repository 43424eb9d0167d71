import type { PastMinute, Span } from "../../../fleet/alerts/rules/backtest/replay.ts";
import type { Beat, Heartbeat, Ping } from "../model.ts";
import { afterPing } from "./ping.ts";
import { sightOf } from "./sight.ts";
import type { Times } from "./times.ts";

const MINUTE = 60;

/** State of a heartbeat before its oldest stored call, as if judging had begun then. */
const before = (id: string, from: number): Beat => ({ id, from, failed: false, runs: [], count: 0 });

/**
 * Past alert values of a heartbeat, one per minute, starting at the oldest stored call. `calls` must be in chronological order.
 */
export function* pastOf(
  heartbeat: Heartbeat,
  calls: readonly Ping[],
  { from, to, times }: Span & { readonly times: Times },
): Generator<PastMinute> {
  const [first] = calls;
  if (!first) return;
  let beat = before(heartbeat.id, first.date);
  let next = 0;
  for (let minute = Math.max(from, Math.ceil(first.date / MINUTE)); minute < to; minute++) {
    const date = minute * MINUTE;
    for (let call = calls[next]; call && call.date <= date; call = calls[++next]) beat = afterPing(beat, call);
    yield { date, context: sightOf(heartbeat, beat, date, times) };
  }
}

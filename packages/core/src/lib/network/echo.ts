import { membersOf } from "../json/is-object.ts";

/** The echoes of one connection, by which each side checks that the other is alive. Milliseconds of the monotonic clock. */
export interface Ping {
  id: string;
  sentMs: number | undefined;
  /** When the first unanswered echo was sent. */
  unansweredSinceMs: number | undefined;
  /** Duration of the last round trip. */
  tookMs: number;
}

export const newPing = (): Ping => ({ id: "", sentMs: undefined, unansweredSinceMs: undefined, tookMs: 0 });

/** Milliseconds for which an echo has been unanswered. */
export const unansweredMs = ({ unansweredSinceMs }: Ping, nowMs: number): number =>
  unansweredSinceMs === undefined ? 0 : nowMs - unansweredSinceMs;

/** The data of the echo to send now; undefined while the last one is younger than `everyMs`. */
export function echoDue(
  ping: Ping,
  { nowMs, everyMs, newId }: { readonly nowMs: number; readonly everyMs: number; readonly newId: () => string },
): { readonly id: string; readonly last_ping_ms: number } | undefined {
  if (ping.sentMs !== undefined && nowMs - ping.sentMs < everyMs) return undefined;
  ping.id = newId();
  ping.sentMs = nowMs;
  ping.unansweredSinceMs ??= nowMs;
  return { id: ping.id, last_ping_ms: Math.round(ping.tookMs) };
}

/** Handles an answer to an echo: any of them shows life, and the one to the last echo also gives the round trip. */
export function answered(ping: Ping, data: unknown, nowMs: number): void {
  ping.unansweredSinceMs = undefined;
  if (membersOf(data)["id"] === ping.id && ping.sentMs !== undefined) ping.tookMs = nowMs - ping.sentMs;
}

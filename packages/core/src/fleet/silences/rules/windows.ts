import type { Silence } from "../model.ts";
import { isInForce, type ZoneRules } from "./in-force.ts";

/** A span in which a silence is in force. Unix seconds; `to` is exclusive. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const MINUTE = 60;

/**
 * Windows of a silence between two times. Recurrences are evaluated minute by minute, as their times have no seconds.
 */
export function windowsIn(silence: Silence, { from, to }: Window, rules: ZoneRules): Window[] {
  const begin = Math.max(silence.start ?? from, from);
  const end = Math.min(silence.end ?? to, to);
  const found: Window[] = [];
  for (let at = begin; at < end; ) {
    const next = silence.recurring ? Math.min((Math.floor(at / MINUTE) + 1) * MINUTE, end) : end;
    if (isInForce(silence, at, rules)) addWindow(found, { from: at, to: next });
    at = next;
  }
  return found;
}

/** Appends a window, and merges it with the last one if they touch. */
export function addWindow(windows: Window[], window: Window): void {
  const last = windows.at(-1);
  if (last?.to === window.from) windows[windows.length - 1] = { from: last.from, to: window.to };
  else windows.push(window);
}

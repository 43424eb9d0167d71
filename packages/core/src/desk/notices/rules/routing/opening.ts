import type { Recurrence } from "../../../../fleet/silences/model.ts";
import { isInWindow, secondsOf, type ZoneRules } from "../../../../fleet/silences/rules/in-force.ts";

const MINUTE = 60;
const DAY = 86_400;
/** Days after which a monthly window has certainly occurred. */
const MAX_DAYS = 62;

/** Unix seconds at which the next of the windows opens; undefined = none does within two months. */
export function opensAt(windows: readonly Recurrence[], now: number, rules: ZoneRules): number | undefined {
  const times = windows.flatMap((window) => nextOf(window, now, rules) ?? []);
  return times.length > 0 ? Math.min(...times) : undefined;
}

function nextOf(window: Recurrence, now: number, rules: ZoneRules): number | undefined {
  const zone = window.timezone || rules.zone;
  const wallOf = (time: number): number => rules.calendar.wallOf(Math.floor(time / MINUTE) * MINUTE, zone);
  const today = Math.floor(wallOf(now) / DAY) * DAY;
  for (let day = 0; day < MAX_DAYS; day++) {
    const wall = today + day * DAY + secondsOf(window.from);
    const guess = wall - (wallOf(now) - now);
    // Corrects the guess if clocks change in between.
    const time = Math.floor((guess + wall - wallOf(guess)) / MINUTE) * MINUTE;
    if (time > now && isInWindow(window, time, rules)) return time;
  }
  return undefined;
}

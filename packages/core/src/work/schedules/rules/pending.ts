import type { PendingRun } from "../../events/model.ts";
import type { DueRun, Schedule } from "./triggers.ts";

/** Due runs of one event that wait for their scheduler plugin; the oldest give way. */
const MAX_PENDING = 1440;
/** Repeats of a plugin that failed, for events with catch-up (docs/contract/plugins.md#scheduler-plugins). */
const MAX_RETRIES = 3;
/** Seconds. Without catch-up a run that was not decided about in time was missed, like a minute without an engine. */
const MAX_AGE = 180;

const isSame = (left: PendingRun, right: PendingRun): boolean => left.key === right.key && left.now === right.now;

/** The waiting runs with the ones due now, but for runs that no plugin would be asked about any more. */
export function pendingOf(
  waiting: readonly PendingRun[] = [],
  runs: readonly DueRun[],
  { schedule, now }: { readonly schedule: Schedule; readonly now: number },
): PendingRun[] {
  const added = runs.map(({ launcher, now, until }) => ({
    key: launcher.key,
    now,
    ...(until === undefined ? {} : { until }),
    tries: 0,
  }));
  const known = waiting.filter((run) => isWaiting(run, schedule, now) && !added.some((other) => isSame(run, other)));
  return [...known, ...added].slice(-MAX_PENDING);
}

/** The runs left when some were decided about. */
export const withoutDecided = (waiting: readonly PendingRun[] = [], decided: readonly PendingRun[]): PendingRun[] =>
  waiting.filter((run) => !decided.some((other) => isSame(run, other)));

/** Waiting runs after a failure of the plugin: an event with catch-up keeps its runs for another try, three times. */
export function withFailed(
  waiting: readonly PendingRun[] = [],
  failed: readonly PendingRun[],
  catchup: boolean,
): PendingRun[] {
  return waiting.flatMap((run) => {
    if (!failed.some((other) => isSame(run, other))) return [run];
    return catchup && run.tries < MAX_RETRIES ? [{ ...run, tries: run.tries + 1 }] : [];
  });
}

/** False when its trigger is gone, or when it was left over by an engine that died and is too late by now. */
export const isWaiting = ({ key, now: due }: PendingRun, { catchup, launchers }: Schedule, now: number): boolean =>
  (catchup || now - due <= MAX_AGE) && launchers.some((launcher) => launcher.key === key);

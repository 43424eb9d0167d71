import type { PendingRun } from "../../events/model.ts";
import type { DueRun, Schedule } from "./triggers.ts";

/** Most due runs of one event that wait for its scheduler plugin; the oldest are dropped first. */
const MAX_PENDING = 1440;
/** Retries after a failure of the plugin, for events with catch-up (docs/contract/plugins.md#scheduler-plugins). */
const MAX_RETRIES = 3;
/** Seconds. Without catch-up, a run that is not decided in this time is missed, like a minute without an engine. */
const MAX_AGE = 180;

const isSame = (left: PendingRun, right: PendingRun): boolean => left.key === right.key && left.now === right.now;

/** The waiting runs and the ones due now, without runs about which no plugin would be asked any more. */
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

/** The runs that remain after some have been decided. */
export const withoutDecided = (waiting: readonly PendingRun[] = [], decided: readonly PendingRun[]): PendingRun[] =>
  waiting.filter((run) => !decided.some((other) => isSame(run, other)));

/** Waiting runs after a failure of the plugin: an event with catch-up keeps its runs for up to three retries. */
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

/** False when the run's trigger is gone, or when a run left over by a killed engine is too late by now. */
export const isWaiting = ({ key, now: due }: PendingRun, { catchup, launchers }: Schedule, now: number): boolean =>
  (catchup || now - due <= MAX_AGE) && launchers.some((launcher) => launcher.key === key);

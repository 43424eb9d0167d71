import type { Cradle } from "../../../../kernel/container.ts";
import type { Alert } from "../../model.ts";
import { createReplay, type PastAlert, type Replay, staleAfter } from "../../rules/backtest/replay.ts";
import type { PastRun, PastRuns, RunLane, Warmup } from "../../rules/backtest/runs.ts";
import { addMinute, type Stretch } from "../../rules/backtest/stretches.ts";
import { compilePast, createPause, walk } from "./minutes.ts";

export interface RunRequest {
  readonly lanes: AsyncIterable<RunLane>;
  /** Unix seconds of the end of the examined time. */
  readonly until: number;
  /** Most firings. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Runs definitions over the minutes of many places, using the state machine of live alerts. */
export type RunOver = (request: RunRequest) => Promise<PastRuns>;

type Deps = Pick<Cradle, "clock" | "config" | "expressions">;

/** Ignores errors of expressions; such a sample counts as the definition says. */
const unheard = (): void => undefined;

export function createRunOver(deps: Deps): RunOver {
  return async ({ lanes, until, most, signal }) => {
    const pause = createPause(deps, signal);
    const compiled = new Map<Alert, PastAlert>();
    const replayOf = (alert: Alert): Replay => {
      const known = compiled.get(alert) ?? compilePast(deps, alert, unheard);
      compiled.set(alert, known);
      return createReplay({ server: "" }, known, staleAfter(alert, deps.config.stale_alert_timeout));
    };
    const runs: PastRun[] = [];
    const warmups: Warmup[] = [];
    const seen = new Map<string, Stretch[]>();
    for await (const { place, minutes, alerts, isByClock } of lanes) {
      const stretches: Stretch[] = [];
      const replays = alerts.map((alert) => ({ alert, replay: replayOf(alert) }));
      const all = replays.map(({ replay }) => replay);
      await walk(minutes, all, { until, pause, seen: (date) => addMinute(stretches, date) });
      signal.throwIfAborted();
      // A place without any minute cannot have gaps.
      if (!isByClock && stretches.length > 0) seen.set(place, stretches);
      for (const { alert, replay } of replays) {
        runs.push(...replay.found().map(({ cleared, ...found }) => runOf(alert, place, { ...found, to: cleared })));
        warmups.push(...replay.warmups().map((warm) => ({ ...warm, alert: alert.id, place })));
      }
      if (runs.length > most) return { runs, warmups, seen, truncated: true };
    }
    return { runs, warmups, seen, truncated: false };
  };
}

function runOf(
  alert: Alert,
  place: string,
  { date, fired, to, stale, message }: Omit<PastRun, "alert" | "place" | "to"> & { readonly to: number | undefined },
): PastRun {
  const end = to === undefined ? {} : { to };
  return { alert, place, date, fired, ...end, ...(stale ? { stale } : {}), message };
}

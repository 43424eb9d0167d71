import type { Cradle } from "../../../../kernel/container.ts";
import { twoAtOnce } from "../../../../kernel/trials.ts";
import { unknownPaths } from "../../rules/backtest/kept.ts";
import {
  createReplay,
  type PastInvocation,
  type PastMinute,
  type PastPlace,
  staleAfter,
} from "../../rules/backtest/replay.ts";
import type { Kind } from "../../rules/definition/subjects.ts";
import { compilePast, createPause, type Definition, walk } from "./minutes.ts";

export interface BacktestRequest {
  readonly alert: Definition & { readonly kind: Kind };
  /** Servers or other subjects, processed one after another. */
  readonly lanes: readonly Lane[];
  /** Unix seconds of the end of the examined time. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** A server or other subject, with its minutes, oldest first. */
export interface Lane {
  readonly place: PastPlace;
  readonly minutes: AsyncIterable<PastMinute>;
}

export interface BacktestReport {
  readonly invocations: readonly PastInvocation[];
  /** There were more firings than the answer may hold. */
  readonly truncated: boolean;
  readonly servers: number;
  /** Number of minutes that were evaluated. */
  readonly points: number;
  readonly unknown_paths: readonly string[];
  /** Minutes whose expression failed, which counts as false; `text` is an example. */
  readonly errors?: { readonly count: number; readonly text: string };
}

/**
 * Runs a definition over stored minutes, as if it had existed then. Throws `RateError` while too many back-tests run.
 */
export type Backtest = (request: BacktestRequest) => Promise<BacktestReport>;

const MAX_INVOCATIONS = 1000;

type Deps = Pick<Cradle, "clock" | "config" | "expressions">;

export const createBacktest = (deps: Deps): Backtest =>
  twoAtOnce("Too many back-tests are running.", (request) => run(deps, request));

async function run(deps: Deps, request: BacktestRequest): Promise<BacktestReport> {
  const { alert, lanes, until, signal } = request;
  const errors = { count: 0, text: "" };
  const sources = [alert.expression, ...(alert.recovery ? [alert.recovery] : [])];
  const definition = compilePast(deps, alert, (text) => {
    errors.count++;
    errors.text = text;
  });
  const pause = createPause(deps, signal);
  const invocations: PastInvocation[] = [];
  let points = 0;
  for (const { place, minutes } of lanes) {
    const replay = createReplay(place, definition, staleAfter(alert, deps.config.stale_alert_timeout));
    points += await walk(minutes, [replay], { until, pause });
    invocations.push(...replay.found());
    if (invocations.length > MAX_INVOCATIONS) break;
  }
  return {
    invocations: invocations.slice(0, MAX_INVOCATIONS),
    truncated: invocations.length > MAX_INVOCATIONS,
    servers: lanes.length,
    points,
    unknown_paths: unknownPaths(
      sources.flatMap((source) => deps.expressions.pathsOf(source)),
      alert.kind,
    ),
    ...(errors.count > 0 ? { errors } : {}),
  };
}

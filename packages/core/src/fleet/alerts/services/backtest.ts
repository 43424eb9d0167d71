import { createBreath } from "../../../kernel/breath.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { PrepareContext } from "../../../kernel/context.ts";
import { twoAtOnce } from "../../../kernel/trials.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { Alert } from "../model.ts";
import {
  contextOfPoint,
  createReplay,
  type PastInvocation,
  type PastMinute,
  type PastPlace,
  type Span,
  unknownPaths,
} from "../rules/backtest.ts";
import type { Patience } from "../rules/evaluate.ts";
import { createJudge, NONE, type Test } from "../rules/judge.ts";

export interface BacktestRequest {
  readonly alert: Pick<Alert, "expression" | "message"> & Patience;
  /** What it runs over, one after another. */
  readonly lanes: readonly Lane[];
  /** First members of what is kept of such minutes; absent = those of servers. */
  readonly roots?: readonly string[];
  readonly signal: AbortSignal;
}

/** A server, or something else, with its minutes, oldest first. */
export interface Lane {
  readonly place: PastPlace;
  readonly minutes: AsyncIterable<PastMinute>;
}

/** Opens a short snapshot. */
type Reads = Pick<PrepareContext, "read">;

export interface BacktestReport {
  readonly invocations: readonly PastInvocation[];
  /** There were more. */
  readonly truncated: boolean;
  readonly servers: number;
  /** Minutes that were looked at. */
  readonly points: number;
  readonly unknown_paths: readonly string[];
  /** Minutes whose expression failed, which counts as false. */
  readonly errors?: { readonly count: number; readonly text: string };
}

/** Runs a definition over the minutes that are stored, as if it had been there. Throws `RateError` while too many run. */
export type Backtest = (request: BacktestRequest) => Promise<BacktestReport>;

const MAX_INVOCATIONS = 1000;
/** Points per read: half a day. */
const SLICE = 720;
/** Points between looks at the clock. */
const STRIDE = 100;

type Deps = Pick<Cradle, "clock" | "config" | "expressions">;

export const createBacktest = (deps: Deps): Backtest =>
  twoAtOnce("Too many back-tests are running.", (request) => run(deps, request));

async function run(deps: Deps, request: BacktestRequest): Promise<BacktestReport> {
  const { alert, lanes, roots, signal } = request;
  const errors = { count: 0, text: "" };
  const sources = [alert.expression, ...(alert.recovery ? [alert.recovery] : [])];
  const definition = compile(deps, alert, errors);
  const breathe = createBreath(deps.clock, signal);
  const invocations: PastInvocation[] = [];
  let points = 0;
  for (const { place, minutes } of lanes) {
    const replay = createReplay(place, definition, deps.config.stale_alert_timeout);
    for await (const { date, context } of minutes) {
      replay.step(date, context);
      if (++points % STRIDE > 0) continue;
      await breathe();
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
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
      roots,
    ),
    ...(errors.count > 0 ? { errors } : {}),
  };
}

function compile({ expressions }: Deps, alert: BacktestRequest["alert"], errors: { count: number; text: string }) {
  const template = expressions.compileTemplate(alert.message);
  const test = (source: string): Test => {
    const compiled = expressions.compile(source);
    return (context) => {
      try {
        return Boolean(compiled.evaluate(context));
      } catch (error) {
        errors.count++;
        errors.text = messageOf(error);
        return undefined;
      }
    };
  };
  return {
    patience: alert,
    judge: createJudge(test(alert.expression), alert.recovery ? test(alert.recovery) : NONE),
    message: (context: unknown) => template.expand(context, { undefinedText: "" }),
  };
}

/** The minutes of a server that are stored. */
export async function* minutesOf({ from, to, read }: Span & Reads, server: string): AsyncGenerator<PastMinute> {
  const key = { server, system: "hourly" } as const;
  const bounds = await read((tx) => tx.timeline.bounds(key));
  if (!bounds) return;
  const end = Math.min(to, bounds.last + 1);
  for (let begin = Math.max(from, bounds.first); begin < end; begin += SLICE) {
    const slice = { from: begin, to: Math.min(begin + SLICE, end), limit: SLICE };
    const points = await read((tx) => tx.timeline.range(key, slice));
    yield* points.map((point) => ({ date: point.date, context: contextOfPoint(point) }));
  }
}

import type { PrepareContext } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import type { TimelinePoint } from "../../../../ports/storage/timeline.ts";
import type { Alert } from "../../model.ts";
import {
  contextOfPoint,
  type PastAlert,
  type PastMinute,
  type Replay,
  type Span,
} from "../../rules/backtest/replay.ts";
import type { Patience } from "../../rules/evaluation/evaluate.ts";
import { createJudge, NONE, type Test } from "../../rules/evaluation/judge.ts";

/** Opens a short read snapshot. */
type Reads = Pick<PrepareContext, "read">;

/** Members of a definition that a back-test needs. */
export type Definition = Pick<Alert, "expression" | "message" | "no_data"> & Patience;

/**
 * Compiles a definition. `note` receives the reason whenever an expression could not be evaluated. Throws if the
 * definition does not compile.
 */
export function compilePast(
  { expressions }: Pick<Cradle, "expressions">,
  alert: Definition,
  note: (text: string) => void,
): PastAlert {
  const template = expressions.compileTemplate(alert.message);
  const test = (source: string): Test => {
    const compiled = expressions.compile(source);
    return (context) => {
      try {
        return Boolean(compiled.evaluate(context));
      } catch (error) {
        note(messageOf(error));
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

/** Evaluations between two looks at the clock. */
const STRIDE = 100;

/** Lets other work run during many evaluations. */
export interface Pause {
  /** Call it with each evaluation; true = call `take` now. */
  isDue(): boolean;
  /** Yields to other work if the slice of time is used up. Throws once the call is aborted. */
  take(): Promise<void>;
}

export function createPause({ clock }: Pick<Cradle, "clock">, signal: AbortSignal): Pause {
  const breathe = createBreath(clock, signal);
  let count = 0;
  return {
    isDue: () => ++count % STRIDE === 0,
    async take() {
      await breathe();
      signal.throwIfAborted();
    },
  };
}

interface Walk {
  /** Unix seconds of the end of the examined time. */
  readonly until: number;
  readonly pause: Pause;
  /** Called with each minute. Unix seconds. */
  readonly seen?: (date: number) => void;
}

/** Feeds the minutes of a place to replays, oldest first; returns the number of minutes. */
export async function walk(
  minutes: AsyncIterable<PastMinute>,
  replays: readonly Replay[],
  { until, pause, seen }: Walk,
): Promise<number> {
  let points = 0;
  for await (const { date, context } of minutes) {
    points++;
    seen?.(date);
    if (pause.isDue()) await pause.take();
    for (const replay of replays) {
      replay.step(date, context);
      if (pause.isDue()) await pause.take();
    }
  }
  for (const replay of replays) replay.end(until);
  return points;
}

/** Points per read (half a day). */
const SLICE = 720;

/** The stored points of a timeline of a server, or of another subject that has a timeline. */
export async function* pointsOf({ from, to, read }: Span & Reads, server: string): AsyncGenerator<TimelinePoint> {
  const key = { server, system: "hourly" } as const;
  const bounds = await read((tx) => tx.timeline.bounds(key));
  if (!bounds) return;
  const end = Math.min(to, bounds.last + 1);
  for (let begin = Math.max(from, bounds.first); begin < end; begin += SLICE) {
    const slice = { from: begin, to: Math.min(begin + SLICE, end), limit: SLICE };
    yield* await read((tx) => tx.timeline.range(key, slice));
  }
}

/** Past values of a server for alerts. */
export async function* minutesOf(span: Span & Reads, server: string): AsyncGenerator<PastMinute> {
  for await (const point of pointsOf(span, server)) yield { date: point.date, context: contextOfPoint(point) };
}

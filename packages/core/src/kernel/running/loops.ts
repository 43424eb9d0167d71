import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Coordination, Term } from "../../ports/nodes/coordination.ts";
import type { Cradle } from "../plugins/services.ts";

/** Periodic work: the scheduler's minute, the job watch, maintenance. */
export interface Loop {
  readonly name: string;
  readonly everySec: number;
  /** "leader" loops run on one node at a time, but must be safe when two nodes run them. */
  readonly on: "leader" | "every-node";
  /** `now` is Unix seconds. */
  run(now: number, cradle: Cradle, signal: AbortSignal): Promise<void>;
  /**
   * True = a round would find nothing to do, so it is left out. Asked before each round; it must not wait for anything. A process
   * at rest would spend most of its time on rounds that find nothing.
   */
  isIdle?(now: number, all: Cradle): boolean;
}

/** A loop with its services bound. */
export interface BoundLoop extends Omit<Loop, "run" | "isIdle"> {
  run(now: number, signal: AbortSignal): Promise<void>;
  isIdle(now: number): boolean;
}

interface LoopDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly coordination: Coordination;
  /** Called when this node becomes the leader. */
  readonly leads?: () => void;
}

export interface RunningLoops {
  /** Another node has become the leader; loops of every node continue. */
  resign(): void;
  /** Starts no more rounds and waits for the running ones. */
  stop(): Promise<void>;
}

/** The office that all leader loops share: one election, and one node that runs all of them. */
export const LEADER = "leader";

type Fenced = Term["fenced"];

/** The only timers of the core: each loop finishes its round before the next one is scheduled. */
export function startLoops(loops: readonly BoundLoop[], deps: LoopDeps): RunningLoops {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const start = (loop: BoundLoop, signal: AbortSignal, fenced: Fenced): Promise<void> => {
    const turns = repeat(loop, { ...deps, fenced }, signal);
    running.add(turns);
    return turns.finally(() => running.delete(turns));
  };
  const own = loops.filter(({ on }) => on === "leader");
  for (const loop of loops) if (loop.on === "every-node") void start(loop, stopping.signal, (round) => round());
  const lead = async ({ lost, fenced }: Term): Promise<void> => {
    deps.leads?.();
    // One for all loops: a signal for each took a tenth of a start.
    using over = firstOf(lost, stopping.signal);
    await Promise.all(own.map((loop) => start(loop, over.signal, fenced)));
  };
  // The previous release elected a separate leader for each loop.
  const office = deps.coordination.lead(
    LEADER,
    lead,
    own.map(({ name }) => `loop:${name}`),
  );
  return {
    resign: () => office[Symbol.dispose](),
    async stop() {
      stopping.abort();
      office[Symbol.dispose]();
      await Promise.all(running);
    },
  };
}

/**
 * A signal that aborts with the first of two. Node keeps a signal of `AbortSignal.any` as long as it has a listener, and with it
 * each engine that was dropped without a stop.
 */
function firstOf(...signals: readonly [AbortSignal, AbortSignal]): Disposable & { readonly signal: AbortSignal } {
  const first = new AbortController();
  const listening = new AbortController();
  for (const each of signals) {
    const end = (): void => first.abort(each.reason);
    if (each.aborted) end();
    else each.addEventListener("abort", end, { once: true, signal: listening.signal });
  }
  return { signal: first.signal, [Symbol.dispose]: () => listening.abort() };
}

interface RepeatDeps extends LoopDeps {
  readonly fenced: Fenced;
}

function repeat(loop: BoundLoop, { clock, log, fenced }: RepeatDeps, signal: AbortSignal): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isOver = signal.aborted;
  let timer: Disposable | undefined;
  const rest = (): void => {
    if (isOver) end();
    else timer = clock.after(delayToNextMark(clock.now(), loop.everySec), turn);
  };
  const turn = (): void => {
    timer = undefined;
    if (isIdle(loop, clock)) rest();
    else void round().then(rest);
  };
  const round = async (): Promise<void> => {
    try {
      await fenced(() => loop.run(clock.now(), signal));
    } catch (error) {
      // The next leader repeats the unfinished part of this round.
      if (isOver) log.info({ loop: loop.name, error }, "A loop ended in the middle of a round");
      else log.error({ loop: loop.name, error }, "A loop failed; it runs again on its next turn");
    }
  };
  const stop = (): void => {
    isOver = true;
    if (!timer) return;
    timer[Symbol.dispose]();
    end();
  };
  // One listener for the lifetime of the loop: a listener per round would be most of the cost of an idle second.
  signal.addEventListener("abort", stop, { once: true });
  if (isOver) end();
  else turn();
  return ended;
}

function isIdle(loop: BoundLoop, clock: Clock): boolean {
  try {
    return loop.isIdle(clock.now());
  } catch {
    // The round shows the same fault, and logs it.
    return false;
  }
}

/** Rounds start at whole multiples of the period, so that minute loops run at the minute. Milliseconds. */
export function delayToNextMark(now: number, everySec: number): number {
  return Math.max(1, Math.ceil((everySec - (now % everySec)) * 1000));
}

/** Resolves after the delay or as soon as the signal aborts. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      timer[Symbol.dispose]();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.after(delayMs, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Milliseconds to wait for an answer; less than the time that a stop waits for queued work. */
const ANSWER_MS = 5000;

export interface LateSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * A signal that aborts five seconds after the engine's own, for messages that may already be on their way: if one is cut off, the
 * other side may have received it, and would get it again after the next start.
 */
export function lateSignal(clock: Clock, signal: AbortSignal): LateSignal {
  const late = new AbortController();
  let timer: Disposable | undefined;
  const wait = (): void => {
    timer = clock.after(ANSWER_MS, () => late.abort(signal.reason));
  };
  if (signal.aborted) late.abort(signal.reason);
  else signal.addEventListener("abort", wait, { once: true });
  return {
    signal: late.signal,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", wait);
      timer?.[Symbol.dispose]();
    },
  };
}

import type { Clock } from "../../../ports/clock.ts";

/** A deadline: resolves `expired` and aborts `signal` when it passes; disposing it cancels the timer. */
export interface TimeLimit extends Disposable {
  readonly expired: Promise<void>;
  readonly signal: AbortSignal;
}

export function timeLimit(clock: Clock, delayMs: number): TimeLimit {
  const controller = new AbortController();
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(delayMs, () => {
    controller.abort();
    resolve();
  });
  return { expired, signal: controller.signal, [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

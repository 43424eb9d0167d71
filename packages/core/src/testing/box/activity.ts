import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../ports/clock.ts";

/** Tracks the activity inside a box, to tell when nothing is left to do at the current time. */
export interface Activity {
  /** Runs work inside the box that ends by itself: time stands still until it has. */
  during<R>(what: string, work: () => Promise<R>): Promise<R>;
  /** Registers work that may wait for something outside the box, or for a later time: it gets limited patience. */
  hold(what: string): Hold;
  /** True once the box has failed to come to rest. No queued work starts from then on, or the test's process would never end. */
  readonly isStuck: boolean;
  /** Resolves when nothing is left to do now; rejects with the names of the running work when that takes too long. */
  settle(): Promise<void>;
  /** The same clock, but work that waits for it inside `Hold.run` is known to wait for a later time. */
  clockOf(clock: Clock): Clock["after"];
}

export interface Hold {
  /** Runs work as part of this one. */
  run<R>(work: () => R): R;
  end(): void;
}

export interface ActivityOptions {
  /** Real milliseconds in total for which one piece of held work may make the time stand still. */
  readonly patienceMs: number;
  /** Milliseconds within which the box must come to rest at one time; a turn that the machine delayed counts as at most a few. */
  readonly settleMs: number;
}

interface Held {
  readonly what: string;
  leftMs: number;
  /** How many timers of the box's clock it waits for. */
  timers: number;
}

interface State {
  readonly pending: Set<{ readonly what: string }>;
  readonly held: Set<Held>;
  /** Incremented whenever work begins or ends. */
  steps: number;
  isStuck: boolean;
  /** How often held work has started since the last `settle`, by name. */
  readonly begun: Map<string, number>;
}

/** Turns of the event loop without new work after which a chain of promises counts as finished. */
const QUIET_TURNS = 3;
/**
 * Steps after which the event loop gets a turn: work in memory consists only of promises, and work that restarts itself would
 * otherwise block the loop for ever. Odd, because each piece of work is two steps, its begin and its end.
 */
const STEPS_A_TURN = 501;
/** Most milliseconds that a turn counts for: the machine delayed a longer one. */
const MAX_TURN_MS = 10;

// Captured when the module loads, because test runners that fake timers replace the globals.
const nextTurn = globalThis.setImmediate;
const monotonicMs = performance.now.bind(performance);
const turn = (): Promise<void> => new Promise((resolve) => void nextTurn(resolve));

export function createActivity({ patienceMs, settleMs }: ActivityOptions): Activity {
  const state: State = { pending: new Set(), held: new Set(), steps: 0, isStuck: false, begun: new Map() };
  const running = new AsyncLocalStorage<Held>();
  return {
    get isStuck() {
      return state.isStuck;
    },
    async during(what, work) {
      const entry = { what };
      state.steps += 1;
      state.pending.add(entry);
      try {
        if (state.steps % STEPS_A_TURN === 0) await turn();
        return await work();
      } finally {
        state.steps += 1;
        state.pending.delete(entry);
      }
    },
    hold(what) {
      const entry: Held = { what, leftMs: patienceMs, timers: 0 };
      state.steps += 1;
      state.begun.set(what, (state.begun.get(what) ?? 0) + 1);
      state.held.add(entry);
      return {
        run: (work) => running.run(entry, work),
        end() {
          state.steps += 1;
          state.held.delete(entry);
        },
      };
    },
    settle: () => settle(state, settleMs),
    clockOf: (clock) => (delayMs, task) => afterIn(running.getStore(), clock, { delayMs, task }),
  };
}

/** One promise for all turns: tools that track promises, such as test runners, make each promise expensive. */
function settle(state: State, settleMs: number): Promise<void> {
  state.begun.clear();
  let [seen, quiet, spentMs, before] = [state.steps, 0, 0, monotonicMs()];
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const now = monotonicMs();
      const turnMs = Math.min(now - before, MAX_TURN_MS);
      before = now;
      spentMs += turnMs;
      const isQuiet = state.steps === seen && state.pending.size === 0;
      quiet = isQuiet ? quiet + 1 : 0;
      seen = state.steps;
      if (quiet >= QUIET_TURNS && !waits(state.held, turnMs)) resolve();
      else if (spentMs <= settleMs) nextTurn(look);
      else {
        state.isStuck = true;
        reject(new Error(`The box did not come to rest within ${settleMs} ms. ${describe(state)}`));
      }
    };
    nextTurn(look);
  });
}

/** Charges each piece of held work for one turn; false when none has patience left, or all wait for a later time. */
function waits(held: ReadonlySet<Held>, turnMs: number): boolean {
  let isWaiting = false;
  for (const entry of held) {
    if (entry.timers > 0 || entry.leftMs <= 0) continue;
    entry.leftMs -= turnMs;
    isWaiting = true;
  }
  return isWaiting;
}

const MAX_NAMED = 10;

function describe({ pending, held, begun }: State): string {
  const running = new Map<string, number>();
  for (const { what } of [...held, ...pending]) running.set(what, (running.get(what) ?? 0) + 1);
  return `It runs: ${listOf(running)}. It began meanwhile: ${listOf(begun)}.`;
}

/** Most frequent first. */
function listOf(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const names = sorted.slice(0, MAX_NAMED).map(([what, count]) => (count > 1 ? `${what} (${count} times)` : what));
  const more = sorted.length > MAX_NAMED ? [`${sorted.length - MAX_NAMED} more`] : [];
  return [...names, ...more].join(", ") || "nothing";
}

interface Timer {
  readonly delayMs: number;
  readonly task: () => void;
}

function afterIn(held: Held | undefined, clock: Clock, { delayMs, task }: Timer): Disposable {
  if (!held) return clock.after(delayMs, task);
  let isOpen = true;
  held.timers += 1;
  const close = (): void => {
    if (isOpen) held.timers -= 1;
    isOpen = false;
  };
  const timer = clock.after(delayMs, () => {
    close();
    task();
  });
  return {
    [Symbol.dispose]() {
      close();
      timer[Symbol.dispose]();
    },
  };
}

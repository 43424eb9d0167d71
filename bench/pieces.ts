import { PerformanceObserver } from "node:perf_hooks";

export interface PiecesReport {
  /** Milliseconds, without the garbage collections that fell into them. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Number of pieces above the aim; `count` = all of at least one millisecond. */
  readonly above: number;
  readonly count: number;
  readonly longestCollection: number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

export interface Pieces {
  reset(): void;
  report(aimMs: number): Promise<PiecesReport>;
  [Symbol.dispose](): void;
}

/** Shortest piece that counts: shorter ones do not indicate a blocked event loop. */
const SHORTEST_MS = 1;
/** Garbage collections are reported some turns after they happened. */
const TOLD_LATE_MS = 100;

/**
 * Measures pieces of work: the processor time of the event loop's thread between two ticks of a short timer. Some machines count
 * processor time in steps of 4 ms, so elapsed time bounds it. Incremental marking is not reported as a garbage collection: a
 * process that must tell it apart runs with `--no-incremental-marking`.
 */
export function watchPieces(): Pieces {
  let pieces: Piece[] = [];
  let collections: { readonly startTime: number; readonly duration: number }[] = [];
  let before = moment();
  const look = (): void => {
    const now = moment();
    const ms = Math.min(now.at - before.at, now.spent - before.spent);
    if (ms >= SHORTEST_MS) pieces.push({ from: before.at, to: now.at, ms });
    before = now;
  };
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const timer = setInterval(look, 1).unref();
  const ownMs = ({ from, to, ms }: Piece): number =>
    collections
      .filter(({ startTime, duration }) => startTime < to && startTime + duration > from)
      .reduce((left, { duration }) => Math.max(0, left - duration), ms);
  return {
    reset() {
      look();
      [pieces, collections] = [[], []];
    },
    async report(aimMs) {
      look();
      const seen = pieces;
      await new Promise((resolve) => setTimeout(resolve, TOLD_LATE_MS));
      const own = seen.map(ownMs).toSorted((one, other) => one - other);
      const at = (share: number): number => own[Math.floor(own.length * share)] ?? 0;
      return {
        ...{ p50: at(0.5), p99: at(0.99), longest: own.at(-1) ?? 0 },
        ...{ above: own.filter((ms) => ms > aimMs).length, count: own.length },
        longestCollection: Math.max(0, ...collections.map(({ duration }) => duration)),
      };
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      observer.disconnect();
    },
  };
}

function moment(): { readonly at: number; readonly spent: number } {
  const { user, system } = process.threadCpuUsage();
  return { at: performance.now(), spent: (user + system) / 1000 };
}

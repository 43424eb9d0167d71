/** Loaded into the attacked server before its program: samples the figures of the process and sends them to the parent. */

import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import type { Figures, Order, Piece, Told } from "./messages.ts";

const SAMPLE_MEMORY_MS = 20;
/** Milliseconds from which a piece of work is reported at once, so that the parent can name the requests under way. */
const TELL_PIECE_MS = 20;

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const databases = new Set<DatabaseSync>();
const BUILT_IN = [Object, Array, Function, String, Number, Boolean, Promise, Map, Set, RegExp, Error, Date].map(
  (type) => type.prototype as object,
);
const members = (): string => BUILT_IN.map((prototype) => Reflect.ownKeys(prototype).map(String).join()).join(";");
const untouched = members();

let before = moment();
let worst = { pieceMs: 0, pauseMs: 0, rss: 0, heap: 0 };

// The monitor changes nothing: the process still ends as it would without it.
process.on("uncaughtExceptionMonitor", (error, origin) => {
  tell({
    kind: "exception",
    text: `${origin}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  });
});

watchPieces();
setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  worst = { ...worst, rss: Math.max(worst.rss, rss), heap: Math.max(worst.heap, heapUsed) };
}, SAMPLE_MEMORY_MS).unref();
captureDatabases();
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) worst = { ...worst, pauseMs: Math.max(worst.pauseMs, duration) };
}).observe({ entryTypes: ["gc"] });

process.on("message", (order: Order) => {
  if (order.kind === "figures") tell({ kind: "figures", n: order.n, figures: figures(order.reset) });
  if (order.kind === "pragma") tell({ kind: "done", n: order.n, error: pragma(order.text) });
});
// The channel alone must not keep the server alive, and the server must not outlive an attacker that failed.
process.channel?.unref();
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));

/**
 * Measures the processor time of the main thread between two turns of the event loop; waiting on a busy machine does not count.
 * Some machines count processor time in steps of 4 ms, so elapsed time bounds a piece.
 */
function watchPieces(): void {
  setInterval(() => {
    const now = moment();
    const ms = Math.min(now.spent - before.spent, now.at - before.at);
    before = now;
    if (ms > worst.pieceMs) worst = { ...worst, pieceMs: ms };
    if (ms > TELL_PIECE_MS) tell({ kind: "piece", ms } satisfies Piece);
  }, 1).unref();
}

function moment(): { readonly spent: number; readonly at: number } {
  return { spent: spentMs(), at: performance.now() };
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function figures(reset: boolean): Figures {
  const { rss, heapUsed } = process.memoryUsage();
  const now: Figures = {
    longestPieceMs: worst.pieceMs,
    longestWaitMs: delay.max / 1e6,
    longestPauseMs: worst.pauseMs,
    cpuMs: spentMs(),
    rss,
    heap: heapUsed,
    worstRss: Math.max(worst.rss, rss),
    worstHeap: Math.max(worst.heap, heapUsed),
    sockets: process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length,
    prototypesHarmed: members() !== untouched,
  };
  if (reset) {
    worst = { pieceMs: 0, pauseMs: 0, rss, heap: heapUsed };
    // A piece under way belongs to the previous part.
    before = moment();
    delay.reset();
  }
  return now;
}

/** Captures the program's own connections, so that a full or read-only disk gives SQLite's real error. */
function captureDatabases(): void {
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function capture(this: DatabaseSync, ...given: Parameters<typeof prepare>) {
    databases.add(this);
    return prepare.apply(this, given);
  };
}

function pragma(text: string): string | undefined {
  try {
    for (const database of databases) if (database.isOpen) database.exec(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function tell(told: Told): void {
  process.send?.(told, undefined, undefined, () => undefined);
}

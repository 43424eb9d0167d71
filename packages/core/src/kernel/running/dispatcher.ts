import { messageOf } from "../../lib/message-of.ts";
import { createBatches } from "../../lib/turns/batches.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Random } from "../../ports/random.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import type { WorkItem } from "../../ports/storage/work.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { delayToNextMark } from "./loops.ts";

/** Runs one item. If it throws, the item is retried later. */
type Handler = (item: WorkItem, signal: AbortSignal) => Promise<void>;

/** Runs queued work: claims due items, renews their leases while they run, retries failed ones. */
export interface Dispatcher {
  start(handlers: ReadonlyMap<string, Handler>): void;
  /** Claims nothing more and waits for running work; work that does not finish in time is left until its lease expires. */
  stop(graceMs: number): Promise<void>;
}

interface Deps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly nodes: Pick<Nodes, "nowMs">;
  readonly random: Random;
  readonly log: Logger;
}

interface Running {
  /** The item as last claimed. */
  item: WorkItem;
  readonly done: Promise<void>;
}

/** State of one dispatcher, separate so that its steps can be functions. */
interface Desk extends Deps {
  /** By the id of the item. */
  readonly running: Map<string, Running>;
  readonly stopping: AbortController;
  readonly timers: Set<Disposable>;
  /** Removes a completed item; items that end at the same time share one batch. */
  readonly complete: (item: WorkItem) => Promise<void>;
  handlers: ReadonlyMap<string, Handler>;
  claiming: Promise<void> | undefined;
  /**
   * Unix seconds at which the monotonic clock started, according to the wall clock now; it drops when the wall clock is set back.
   */
  origin: number;
  /** True = work was enqueued or a slot became free since the last claim; "look" = only time has passed. */
  pending: boolean | "look";
}

const CONCURRENCY = 32;
const LEASE_SEC = 60;
const RENEW_SEC = 20;
/** Notifications are only hints; the poll finds everything. */
const POLL_SEC = 1;
const MAX_ATTEMPTS = 20;
const FIRST_DELAY_SEC = 1;
const MAX_DELAY_SEC = 600;
const MAX_ERROR_LENGTH = 1000;

export function createDispatcher({ storage, clock, nodes, random, log }: Deps): Dispatcher {
  const desk: Desk = {
    storage,
    clock,
    nodes,
    random,
    log,
    running: new Map(),
    stopping: new AbortController(),
    timers: new Set(),
    complete: createCompletion(storage.work),
    handlers: new Map(),
    claiming: undefined,
    origin: Number.POSITIVE_INFINITY,
    pending: false,
  };
  return {
    start(handlers) {
      desk.handlers = handlers;
      desk.timers.add(storage.work.onEnqueued(() => wake(desk)));
      every(desk, POLL_SEC, () => {
        if (!storage.work.isKnownEmpty?.()) wake(desk, "look");
      });
      every(desk, RENEW_SEC, () => renew(desk));
      wake(desk);
    },
    async stop(graceMs) {
      desk.stopping.abort();
      for (const timer of desk.timers) timer[Symbol.dispose]();
      await desk.claiming;
      await settleWithin(
        clock,
        graceMs,
        [...desk.running.values()].map((entry) => entry.done),
      );
    },
  };
}

/** Claims due work. Only one claim runs at a time; a call during it causes another round. */
function wake(desk: Desk, why: true | "look" = true): void {
  if (desk.pending !== true) desk.pending = why;
  if (desk.stopping.signal.aborted || desk.claiming) return;
  desk.claiming = claimAll(desk)
    .catch((error: unknown) => desk.log.error({ error }, "Queued work could not be claimed"))
    .finally(() => {
      desk.claiming = undefined;
      // Without this, work enqueued since the last claim started would wait for the poll.
      if (desk.pending && desk.running.size < CONCURRENCY) wake(desk);
    });
}

/** Smallest step back of the clock, in seconds, that matters for queued work: clocks are adjusted slightly all the time. */
const STEP_SEC = 5;

/**
 * Longest wait that is corrected, in seconds: retries and mails wait for less. Clean-ups wait for days, and a clock that is
 * briefly years behind must not bring them forward.
 */
const MOST_REWOUND_SEC = 1800;

/**
 * Brings forward work that was queued while the clock was ahead, and would otherwise wait until the clock reaches that time. Runs
 * at the start and whenever the clock is set back.
 */
async function rewind(desk: Desk): Promise<void> {
  const { storage, clock } = desk;
  const origin = clock.now() - clock.monotonicMs() / 1000;
  if (desk.origin - origin > STEP_SEC) await storage.work.rewind(clock.now(), MOST_REWOUND_SEC);
  desk.origin = origin;
}

async function claimAll(desk: Desk): Promise<void> {
  const { storage, clock, handlers, running, stopping } = desk;
  const kinds = [...handlers.keys()];
  while (desk.pending && !stopping.signal.aborted) {
    const limit = CONCURRENCY - running.size;
    // All slots are in use: the next item that ends wakes the desk again.
    if (limit === 0) return;
    const look = desk.pending === "look";
    // Reset before the storage is used: if that fails, the poll retries.
    desk.pending = false;
    await rewind(desk);
    const node = storage.coordination.nodeId;
    const when = { now: clock.now(), leaseNow: leaseNow(desk), leaseSec: LEASE_SEC };
    const items = await storage.work.claim({ ...when, node, kinds, limit, look });
    for (const item of items) track(desk, item);
    if (items.length === limit) desk.pending = true;
  }
}

function track(desk: Desk, item: WorkItem): void {
  const known = desk.running.get(item.id);
  // The lease expired during the run, because the clock jumped or the event loop was blocked: the run continues under the new
  // lease.
  if (known) known.item = item;
  else {
    const done = run(desk, item).finally(() => {
      desk.running.delete(item.id);
      if (desk.pending) wake(desk);
    });
    desk.running.set(item.id, { item, done });
  }
}

async function run(desk: Desk, item: WorkItem): Promise<void> {
  const claimed = (): WorkItem => desk.running.get(item.id)?.item ?? item;
  try {
    // Every attempt died with its process, and perhaps the work itself killed the process.
    if (item.attempts >= MAX_ATTEMPTS) throw new Error(`None of ${MAX_ATTEMPTS} attempts came to an end`);
    const handler = desk.handlers.get(item.kind);
    if (!handler) throw new Error(`No handler for queued work of kind ${item.kind}`);
    await handler(item, desk.stopping.signal);
    await desk.complete(claimed());
  } catch (error) {
    await giveBack(desk, claimed(), error);
  }
}

interface Ended {
  readonly item: WorkItem;
  readonly done: PromiseWithResolvers<void>;
}

function createCompletion(work: Pick<Storage["work"], "complete">): Desk["complete"] {
  const run = async (batch: readonly Ended[]): Promise<void> => {
    try {
      await work.complete(batch.map(({ item }) => item));
      for (const { done } of batch) done.resolve();
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  };
  const add = createBatches<Ended>(run, { size: CONCURRENCY, atOnce: 1 });
  return (item) => {
    const done = Promise.withResolvers<void>();
    add({ item, done });
    return done.promise;
  };
}

async function giveBack(desk: Desk, item: WorkItem, error: unknown): Promise<void> {
  const { storage, clock, log, stopping } = desk;
  // A handler that our stop interrupted has not failed: the next start continues it at once.
  const isInterrupted = stopping.signal.aborted && error === stopping.signal.reason;
  const runAt = isInterrupted ? clock.now() : nextAttempt(desk, item);
  const about = { kind: item.kind, id: item.id, attempt: item.attempts + 1, error };
  if (runAt === null) log.error(about, "Queued work is given up");
  else if (!isInterrupted) log.warn(about, "Queued work failed");
  try {
    if (isInterrupted && item.attempts + 1 >= MAX_ATTEMPTS) await queueAnew(desk, item);
    else await storage.work.release(item, { runAt, error: shortMessageOf(error), now: clock.now() });
  } catch (cause) {
    // The lease expires by itself, and the item comes back.
    log.error({ kind: item.kind, id: item.id, error: cause }, "Queued work could not be given back");
  }
}

/**
 * Queues the item again as a new one, unless it has been completed meanwhile. Claims are counted even if a stop interrupts the
 * work, so long work of a frequently restarted program would otherwise be given up.
 */
async function queueAnew(desk: Desk, item: WorkItem): Promise<void> {
  const { storage, clock } = desk;
  const { kind, key, payload } = item;
  const [held] = await storage.work.renew([item], leaseNow(desk) + LEASE_SEC);
  if (held === undefined) return;
  const options = { runAt: clock.now(), ...(key === null ? {} : { key }) };
  await storage.write((tx) => tx.enqueue(kind, payload, options));
  // Needed for an item without a key; a new item with the same key has already replaced the old one.
  await storage.work.complete([item]);
}

const nextAttempt = ({ clock, random }: Desk, { attempts }: WorkItem): number | null =>
  attempts + 1 >= MAX_ATTEMPTS ? null : clock.now() + retryDelaySec(attempts, random.fraction());

/**
 * Unix seconds on the clock that all nodes share: a node whose own clock is ahead would take over work that others are running.
 */
const leaseNow = ({ nodes }: Desk): number => nodes.nowMs() / 1000;

function renew(desk: Desk): void {
  const { storage, running, log } = desk;
  const items = [...running.values()].map((entry) => entry.item);
  if (items.length === 0) return;
  storage.work
    .renew(items, leaseNow(desk) + LEASE_SEC)
    .catch((error: unknown) => log.error({ error }, "Leases of queued work could not be renewed"));
}

/** Runs a task at each multiple of the period, when loops wake the process anyway: an idle process mostly pays for wake-ups. */
function every(desk: Desk, everySec: number, task: () => void): void {
  const timer = desk.clock.after(delayToNextMark(desk.clock.now(), everySec), () => {
    desk.timers.delete(timer);
    if (desk.stopping.signal.aborted) return;
    task();
    every(desk, everySec, task);
  });
  desk.timers.add(timer);
}

/** Resolves when all have settled, or when the time is over. */
export async function settleWithin(clock: Clock, graceMs: number, work: readonly Promise<unknown>[]): Promise<void> {
  if (work.length === 0) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(graceMs, resolve);
  await Promise.race([Promise.allSettled(work), late]);
  timer[Symbol.dispose]();
}

/** Doubling delay with jitter of ±25 %, in seconds. */
export function retryDelaySec(attempts: number, chance: number): number {
  return Math.min(MAX_DELAY_SEC, FIRST_DELAY_SEC * 2 ** attempts) * (0.75 + chance / 2);
}

const shortMessageOf = (error: unknown): string => messageOf(error).slice(0, MAX_ERROR_LENGTH);

import type { Clock } from "@signalbox/core/adapter";
import { DomainError } from "@signalbox/core/plugin";

/** A body that is being received, with what is needed to judge its sender. */
export interface Arriving {
  /** Grows with each received byte; undefined = unknown. */
  received(): number | undefined;
  /** True while received bytes wait for us, and once all have arrived: then the sender is not the slow one. */
  isWaitingForUs(): boolean;
  /** Ends the request. */
  end(): void;
}

/** Frees the reserved room. Idempotent. */
export type Release = () => void;

/** Bounds the memory of the bodies of all requests, and the time that each may take. */
export interface BodyPool {
  /**
   * Reserves room for a short body of any caller; slow bodies are ended to make room for it. Throws `DomainError` ("unavailable")
   * if that is not enough.
   */
  takeShort(bytes: number, arriving: Arriving): Release;
  /** Reserves room for a long body of a known caller, waiting in line if necessary. Rejects with the same error after 30 s. */
  takeLong(bytes: number, arriving: Arriving): Promise<Release>;
  /** Reserves room for a part of a body that has already arrived. Throws the same error. */
  takeNow(bytes: number): Release;
}

/** Most bytes held at a time. */
export interface PoolLimits {
  readonly short: number;
  readonly long: number;
}

const SWEEP_MS = 1000;
/** Seconds without a byte after which a request is ended. */
const SILENT_SEC = 60;
/** Seconds after which a body must have arrived at an average of at least `LEAST_BYTES_PER_SEC`. */
const PATIENCE_SEC = 30;
const LEAST_BYTES_PER_SEC = 1024;
/** Age in seconds from which a short body may be ended when there is no room. */
const SLOW_SEC = 2;
const WAIT_MS = 30_000;
const MAX_WAITING = 100;
/**
 * Milliseconds between the end of a long body and the next one in line. Meanwhile the 30 MB of off-heap memory that the first one
 * leaves are collected: ten bodies of 15 MB in a row held 170 MB without the pause, and hold 100 MB with it.
 */
const REST_MS = 40;

const busy = (): DomainError =>
  new DomainError("api", "unavailable", "Too many request bodies are being read; try again.");

interface Entry {
  readonly kind: "short" | "long";
  readonly arriving: Arriving;
  held: number;
  /** Seconds since the first check, except those in which bytes waited for us. */
  age: number;
  idle: number;
  first: number | undefined;
  last: number | undefined;
}

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

interface State {
  readonly clock: Clock;
  readonly limits: PoolLimits;
  readonly entries: Set<Entry>;
  readonly held: Record<Entry["kind"], number>;
  readonly queue: Set<Waiting>;
  isSweeping: boolean;
}

export function createBodyPool(clock: Clock, limits: PoolLimits): BodyPool {
  const held = { short: 0, long: 0 };
  const state: State = { clock, limits, entries: new Set(), held, queue: new Set(), isSweeping: false };
  return {
    takeNow(bytes) {
      if (held.long + bytes > limits.long) throw busy();
      return enter(state, "long", { bytes, arriving: ARRIVED });
    },
    takeShort(bytes, arriving) {
      const missing = held.short + bytes - limits.short;
      if (missing > 0) endSlow(state, missing);
      if (held.short + bytes > limits.short) throw busy();
      return enter(state, "short", { bytes, arriving });
    },
    async takeLong(bytes, arriving) {
      if (state.queue.size === 0 && held.long + bytes <= limits.long) return enter(state, "long", { bytes, arriving });
      return waitForRoom(state, bytes, arriving);
    },
  };
}

const ARRIVED: Arriving = { received: () => undefined, isWaitingForUs: () => true, end: () => undefined };

function enter(state: State, kind: Entry["kind"], { bytes, arriving }: { bytes: number; arriving: Arriving }): Release {
  const { entries, held, clock } = state;
  const entry: Entry = { kind, arriving, held: bytes, age: 0, idle: 0, first: undefined, last: undefined };
  entries.add(entry);
  held[kind] += bytes;
  // One timer for all bodies, and only while there are any: most are complete before it fires.
  if (!state.isSweeping) clock.after(SWEEP_MS, () => sweep(state));
  state.isSweeping = true;
  return () => {
    if (!entries.delete(entry)) return;
    held[kind] -= entry.held;
    if (kind === "long" && state.queue.size > 0) clock.after(REST_MS, () => admitNext(state));
  };
}

function sweep(state: State): void {
  for (const entry of state.entries) if (isTooSlow(entry)) entry.arriving.end();
  state.isSweeping = state.entries.size > 0;
  if (state.isSweeping) state.clock.after(SWEEP_MS, () => sweep(state));
}

function isTooSlow(entry: Entry): boolean {
  const now = entry.arriving.received();
  if (now === undefined) return false;
  entry.first ??= now;
  const isOurFault = entry.arriving.isWaitingForUs();
  const isIdle = entry.last === now && !isOurFault;
  entry.last = now;
  entry.idle = isIdle ? entry.idle + 1 : 0;
  if (!isOurFault) entry.age++;
  const due = (entry.age - PATIENCE_SEC) * LEAST_BYTES_PER_SEC;
  return entry.idle >= SILENT_SEC || now - entry.first < due;
}

/** Ends slow bodies, oldest first. Their room is freed at once; the connections end shortly after. */
function endSlow({ entries, held }: State, missing: number): void {
  let freed = 0;
  for (const entry of entries) {
    if (freed >= missing) return;
    if (entry.kind !== "short" || entry.held === 0 || entry.age < SLOW_SEC) continue;
    freed += entry.held;
    held.short -= entry.held;
    entry.held = 0;
    entry.arriving.end();
  }
}

async function waitForRoom(state: State, bytes: number, arriving: Arriving): Promise<Release> {
  const { queue, clock } = state;
  if (queue.size >= MAX_WAITING) throw busy();
  const { promise, resolve, reject } = Promise.withResolvers<Release>();
  const waiting: Waiting = { bytes, admit: () => resolve(enter(state, "long", { bytes, arriving })) };
  queue.add(waiting);
  const timer = clock.after(WAIT_MS, () => {
    queue.delete(waiting);
    reject(busy());
    admitNext(state);
  });
  try {
    return await promise;
  } finally {
    timer[Symbol.dispose]();
  }
}

function admitNext(state: State): void {
  const { queue, held, limits } = state;
  for (const waiting of queue) {
    if (held.long + waiting.bytes > limits.long) return;
    queue.delete(waiting);
    waiting.admit();
  }
}

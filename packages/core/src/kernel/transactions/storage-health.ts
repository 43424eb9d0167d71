import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { BlobStore } from "../../ports/storage/blob-store.ts";
import type { Storage, WriteTx } from "../../ports/storage/storage.ts";
import type { StorageError, StorageFault, StoreName } from "../errors/errors.ts";
import type { Transact } from "./unit-of-work.ts";

/** Tracks which store is failing: reports it once, and probes until it works again. */
export interface StorageHealth {
  /** Current failure of a store; undefined while all stores work. */
  current(): StorageError | undefined;
  /** Records one failure of a store; an outage is reported only once. */
  note(error: StorageError): void;
  /** The stores are open between start and stop of the engine. */
  readonly phase: "new" | "running" | "over";
  start(): void;
  stop(): Promise<void>;
}

interface Deps {
  readonly storage: Storage;
  /** The unwrapped store of the host. */
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** The unwrapped logger of the host. */
  readonly log: Logger;
  readonly transact: () => Transact;
}

interface Outage {
  error: StorageError;
  /** Unix seconds. */
  readonly began: number;
  lastFailure: number;
  /** Unix seconds since when it works again; absent during the outage. */
  ended?: number;
  /** Whether a row of the activity log reports it. */
  recorded: boolean;
  timer: Disposable | undefined;
  probing: Promise<void> | undefined;
}

const PROBE_MS = 5000;
/** A store that fails again within this many seconds after it worked counts as the same outage. */
const SAME_SEC = 60;
/** Seconds without a failure after which a store counts as working: damage only shows when the damaged place is accessed. */
const QUIET_SEC: Partial<Record<StorageFault, number>> = { damaged: 600 };
/** A key that holds nothing; only the probe reads it. */
const PROBE_KEY = "tmp/health/probe";

export function createStorageHealth(deps: Deps): StorageHealth {
  const { storage, clock, log } = deps;
  const outages = new Map<StoreName, Outage>();
  let subscription: Disposable | undefined;
  let phase: StorageHealth["phase"] = "new";
  const schedule = createProbing(deps, () => phase === "running");

  function note(error: StorageError): void {
    const now = clock.now();
    const known = outages.get(error.store);
    if (known && (known.ended === undefined || now - known.ended < SAME_SEC)) {
      Object.assign(known, { error, lastFailure: now, ended: undefined });
      schedule(known);
      return;
    }
    const { store, fault, cause, description } = error;
    log.error({ critical: true, store, fault, error: cause }, description);
    known?.timer?.[Symbol.dispose]();
    const begun = { error, began: now, lastFailure: now, recorded: false, timer: undefined, probing: undefined };
    outages.set(store, begun);
    schedule(begun);
  }
  return {
    get phase() {
      return phase;
    },
    current: () => [...outages.values()].find(({ ended }) => ended === undefined)?.error,
    note,
    start() {
      phase = "running";
      subscription = storage.onFault?.(note);
      for (const outage of outages.values()) schedule(outage);
    },
    async stop() {
      phase = "over";
      subscription?.[Symbol.dispose]();
      for (const { timer } of outages.values()) timer?.[Symbol.dispose]();
      await Promise.all([...outages.values()].map(({ probing }) => probing));
    },
  };
}

/** Probes a store again and again until it works and its outage is recorded. */
function createProbing(deps: Deps, isRunning: () => boolean): (outage: Outage) => void {
  const schedule = (outage: Outage): void => {
    if (!isRunning()) return;
    outage.timer ??= deps.clock.after(PROBE_MS, () => {
      outage.timer = undefined;
      outage.probing = probe(deps, outage).finally(() => {
        outage.probing = undefined;
        if (outage.ended === undefined || !outage.recorded) schedule(outage);
      });
    });
  };
  return schedule;
}

/** Checks whether a store works again. Never rejects. */
async function probe(deps: Deps, outage: Outage): Promise<void> {
  const { clock, log } = deps;
  const { store, fault } = outage.error;
  const asked = clock.now();
  try {
    await touch(deps, store);
    if (!outage.recorded) await record(deps, outage);
  } catch (error) {
    // The cause was reported when the outage began.
    log.debug({ store, error }, "A store still fails");
    outage.lastFailure = asked;
    return;
  }
  const quiet = QUIET_SEC[fault] ?? PROBE_MS / 1000;
  if (outage.ended !== undefined || asked - outage.lastFailure < quiet) return;
  outage.ended = clock.now();
  log.info({ store, fault }, `The ${store} works again.`);
}

/**
 * Writes a change of a usual size and rolls it back, because the last free space may not hold one, and a small change that is
 * kept.
 */
async function touch({ storage, blobs }: Deps, store: StoreName): Promise<void> {
  if (store === "database") {
    await storage.write(writeInVain).catch((error: unknown) => {
      if (error !== TAKEN_BACK) throw error;
    });
    await storage.write((tx) => tx.counter("storage_health"));
    return;
  }
  await blobs.put(PROBE_KEY, nothing());
  await blobs.delete(PROBE_KEY);
}

const TAKEN_BACK = new Error("Written to see whether it can be");
const FILLER = { filler: "x".repeat(65_536) };

async function writeInVain(tx: WriteTx): Promise<void> {
  await tx.enqueue("storage_health", FILLER);
  throw TAKEN_BACK;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
}

async function record({ transact }: Deps, outage: Outage): Promise<void> {
  const { description, store, fault } = outage.error;
  const detail = { description, store, fault, began: Math.floor(outage.began), keywords: [fault] };
  await transact()(async ({ audit }) => audit("critical", detail));
  outage.recorded = true;
}

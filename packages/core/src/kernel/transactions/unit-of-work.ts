import type { Awaitable } from "../../lib/turns/awaitable.ts";
import { nextTurn } from "../../lib/turns/gather-more.ts";
import type { Logger } from "../../ports/logger.ts";
import type { AdoptedTransaction, ReadAtOnce, ReadTx, Storage, WriteTx } from "../../ports/storage/storage.ts";
import type { Tracer } from "../../ports/tracer.ts";
import {
  type Actor,
  type AuditDetail,
  type Client,
  type CommandContext,
  causeOf,
  localClient,
  systemActor,
} from "../calls/context.ts";
import type { Config } from "../config/config.ts";
import {
  type DefinitionChanges,
  type DefinitionReader,
  type Definitions,
  definitionsIn,
  trackDefinitions,
} from "../definitions/definitions.ts";
import { ConflictError, DomainError, storageErrorIn } from "../errors/errors.ts";
import type { EventBus } from "../plugins/event-bus.ts";
import type { SignalboxEvents } from "../plugins/events.ts";
import type { Services } from "../plugins/services.ts";
import { tracedReads, tracedTransaction } from "../traced.ts";
import { readLazily } from "./lazy-read.ts";
import { AloneError, createSharedWrites, type SharedWrites } from "./shared-writes.ts";
import { bindScope } from "./unit-scope.ts";

/** A unit of work: the transaction, events that are held until its commit, and rows of the activity log. */
export interface Unit extends Pick<CommandContext, "audit" | "emit" | "tx"> {}

/** Options of a unit of work: its transaction, and the caller to whom its changes are attributed. */
export interface TransactOptions {
  readonly actor?: Actor;
  readonly client?: Client;
  /** Runs inside this transaction of the host instead of our own. */
  readonly transaction?: AdoptedTransaction | undefined;
  /** Kind of a unit that may share its transaction with concurrent ones (`SharedWrites`). */
  readonly together?: string | undefined;
}

/**
 * Runs `work` in one write transaction and publishes its effects after the commit. A lost revision race retries it, three
 * attempts in all, so `work` must be repeatable: it awaits nothing but the transaction. Retries for the same record run one after
 * another, across all nodes: concurrent ones would lose every race but one.
 */
export type Transact = <R>(work: (unit: Unit) => Promise<R>, options?: TransactOptions) => Promise<R>;

/** Reads in one snapshot; resident definitions come from memory. */
export type Snapshot = <R>(work: (tx: ReadTx) => Promise<R>, transaction?: AdoptedTransaction) => Promise<R>;

/** Snapshot for queries: synchronous work returns, and throws, synchronously. */
export type Look = <R>(
  work: (tx: ReadTx, definitions: DefinitionReader, readAtOnce?: ReadAtOnce) => Awaitable<R>,
  transaction?: AdoptedTransaction,
) => Awaitable<R>;

/** Kind of the queued item that publishes the effects of a host's transaction. */
export const EFFECTS_KIND = "signalbox.effects";
/** Type of the message that announces changed definitions to other nodes. */
export const DEFINITIONS_MESSAGE = "signalbox.definitions";

interface PendingEvent {
  readonly type: keyof SignalboxEvents;
  readonly payload: unknown;
}
/** Effects of a transaction of the host, published once it has committed. */
export interface Effects {
  readonly events: readonly PendingEvent[];
  readonly changes: Readonly<Record<string, readonly string[]>>;
}

interface Deps {
  readonly storage: Storage;
  readonly definitions: Definitions;
  readonly events: EventBus;
  readonly activity: Services["activity"];
  readonly config: Config;
  readonly log: Logger;
  readonly tracer: Tracer | undefined;
}

interface Attempt {
  readonly events: PendingEvent[];
  readonly audits: { action: string; detail: AuditDetail }[];
  readonly changes: DefinitionChanges;
  /** Called when the commit is durable and all events have been published. */
  readonly listeners: (() => void)[];
  /** Called after a rollback. */
  readonly undone: (() => void)[];
}

const MAX_ATTEMPTS = 3;
/** Listeners notified per turn of the event loop; with this many or fewer, all are notified in the same turn. */
const TOLD_AT_ONCE = 9;

export function createTransact(deps: Deps): Transact {
  const { definitions, config } = deps;
  const { coordination } = deps.storage;
  const shared = createSharedWrites(deps.storage);
  const write = createWrite(deps, shared);

  async function runOnce<R>(work: (unit: Unit) => Promise<R>, options: TransactOptions, attempt: Attempt): Promise<R> {
    const hosted = options.transaction !== undefined;
    const { actor = systemActor, client = localClient } = options;
    return write(async (raw) => {
      const tx = trackDefinitions(raw, attempt.changes, config.api.max_record_size);
      const cause = () => causeOf(actor, client);
      bindScope(tx, { ...attempt, definitions, shared: coordination.shared, hosted, fresh: new Map(), cause });
      const result = await work({
        tx,
        emit: (type, payload) => attempt.events.push({ type, payload }),
        audit: (action, detail) => attempt.audits.push({ action, detail }),
      });
      await writeAudits(deps, tx, { attempt, actor, client });
      if (hosted) await raw.enqueue(EFFECTS_KIND, effectsOf(attempt));
      else releaseChanges(deps, raw, attempt.changes);
      return result;
    }, options);
  }

  async function runAndRelease<R>(work: (unit: Unit) => Promise<R>, options: TransactOptions): Promise<R> {
    const attempt: Attempt = { events: [], audits: [], changes: new Map(), listeners: [], undone: [] };
    const result = await runOnce(work, options, attempt).catch((error) => takeBack(deps, attempt, error));
    if (!options.transaction) await release(deps, attempt);
    return result;
  }

  return (work, { together, ...options } = {}) => {
    const runAlone = () => retryRaces(work, (attempt) => runAndRelease(attempt, options));
    if (together === undefined || options.transaction || !shared.suits(together)) return runAlone();
    return runAndRelease(work, { ...options, together }).catch((error: unknown) => {
      if (error instanceof AloneError || error instanceof ConflictError) return runAlone();
      throw error;
    });
  };
}

type Write = <R>(work: (raw: WriteTx) => Promise<R>, options: TransactOptions) => Promise<R>;

const createWrite =
  ({ storage, tracer }: Pick<Deps, "storage" | "tracer">, shared: SharedWrites): Write =>
  <R>(work: (raw: WriteTx) => Promise<R>, { transaction, together }: TransactOptions) =>
    tracedTransaction<WriteTx, R>(tracer, { storage, kind: "write" }, (within) =>
      together === undefined ? (transaction ?? storage).write(within(work)) : shared.write(together, within(work)),
    );

const writeAudits = (
  { activity }: Pick<Deps, "activity">,
  tx: WriteTx,
  { attempt, actor, client }: { attempt: Attempt; actor: Actor; client: Client },
): Promise<void> =>
  activity.writeMany(
    tx,
    attempt.audits.map((entry) => ({ entry, actor, client })),
  );

function takeBack({ storage, definitions }: Deps, { changes, undone }: Attempt, error: unknown): never {
  // If only the answer to the commit was lost, the other nodes learn of the change, but nothing would notify this one.
  if (storage.coordination.shared && storageErrorIn(error)) definitions.doubt(changes);
  for (const undo of undone) undo();
  throw error;
}

/** Publishes the effects of a committed attempt. */
async function release(deps: Deps, attempt: Attempt): Promise<void> {
  const effects = effectsOf(attempt);
  if (deps.storage.coordination.shared) await refreshCommitted(deps, effects);
  publishEffects(deps.events, effects);
  await tellInTurns(attempt.listeners);
}

/** The change is committed, so a failed reread must not make it look failed: the next message or gap repairs it. */
async function refreshCommitted({ definitions, log }: Deps, { changes }: Effects): Promise<void> {
  try {
    await refreshAll(definitions, changes);
  } catch (error) {
    log.error({ collections: Object.keys(changes), error }, "Changed definitions could not be read");
  }
}

/** Spreads many listeners, as for the jobs that a step of a workflow starts, over several turns of the event loop. */
async function tellInTurns(listeners: Attempt["listeners"]): Promise<void> {
  for (const [index, listener] of listeners.entries()) {
    if (index > 0 && index % TOLD_AT_ONCE === 0) await nextTurn();
    listener();
  }
}

function releaseChanges({ storage, definitions }: Deps, raw: WriteTx, changes: DefinitionChanges): void {
  for (const [collection, records] of changes)
    raw.publish({ type: DEFINITIONS_MESSAGE, payload: { collection, ids: [...records.keys()] } });
  if (changes.size > 0 && !storage.coordination.shared) raw.afterCommit(() => definitions.apply(changes));
}

type UnitWork<R> = (unit: Unit) => Promise<R>;

async function retryRaces<R>(work: UnitWork<R>, run: (attempt: UnitWork<R>) => Promise<R>): Promise<R> {
  let attempt = work;
  for (let count = 1; ; count++) {
    try {
      return await run(attempt);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      if (error.record !== undefined) attempt = inTurn(error.record, work);
      if (count === MAX_ATTEMPTS)
        throw new DomainError("db", "conflict", "The record is changing too fast; try again.", { cause: error });
    }
  }
}

/** Takes the lock of a record before reading anything. */
const inTurn =
  <R>(record: string, work: UnitWork<R>): UnitWork<R> =>
  async (unit) => {
    await unit.tx.lock(`raced ${record}`);
    return work(unit);
  };

export function createLook({ storage, definitions, tracer }: Pick<Deps, "storage" | "definitions" | "tracer">): Look {
  const source = tracedReads(storage, tracer);
  // A traced read needs a transaction, since that is what makes the span.
  const readAtOnce = tracer ? undefined : storage.readAtOnce;
  return (work, transaction) =>
    // Inside a host's transaction, its own uncommitted records must be visible, so memory is bypassed.
    transaction
      ? transaction.read(async (tx) => work(tx, definitionsIn(tx)))
      : readLazily(source, (tx) => work(definitions.view(tx), definitions, readAtOnce));
}

export function createSnapshot({ look }: { readonly look: Look }): Snapshot {
  return async (work, transaction) => look((tx) => work(tx), transaction);
}

function effectsOf({ events, changes }: Attempt): Effects {
  return { events, changes: Object.fromEntries([...changes].map(([name, records]) => [name, [...records.keys()]])) };
}

export async function refreshAll(definitions: Definitions, changes: Effects["changes"]): Promise<void> {
  for (const [collection, ids] of Object.entries(changes)) await definitions.refresh(collection, ids);
}

export function publishEffects(bus: EventBus, { events, changes }: Effects): void {
  for (const { type, payload } of events) bus.emit(type, payload as never);
  for (const [collection, ids] of Object.entries(changes)) bus.emit("definitions.changed", { collection, ids });
}

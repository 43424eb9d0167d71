import type { Traffic } from "../desk/statistics/traffic.ts";
import type { HostReadings } from "../fleet/monitors/rules/minutes/host-readings.ts";
import { type Actor, type Client, type Credentials, localClient, systemActor } from "../kernel/calls/context.ts";
import { type AnyOperation, type ApiOf, clientName } from "../kernel/calls/operation.ts";
import type { OperationCall } from "../kernel/calls/pipeline.ts";
import type { Config } from "../kernel/config/config.ts";
import type { Cradle } from "../kernel/container.ts";
import type { StorageError } from "../kernel/errors/errors.ts";
import type { EventBus } from "../kernel/plugins/event-bus.ts";
import type { OperationsOf, Plugin } from "../kernel/plugins/plugin.ts";
import { createLifecycle, type StartReport, type StopOptions } from "../kernel/running/lifecycle.ts";
import { LEADER } from "../kernel/running/loops.ts";
import type { Awaitable } from "../lib/turns/awaitable.ts";
import type { Logger } from "../ports/logger.ts";
import type { BlobStore } from "../ports/storage/blob-store.ts";
import type { AnyCollection } from "../ports/storage/collection.ts";
import { requestIdOf } from "../wire/cause.ts";
import { assemble } from "./assemble.ts";
import type { builtins } from "./builtins.ts";
import type { SignalboxOptions } from "./signalbox-options.ts";

/** The in-process clients that act inside a transaction of the host. */
export interface TransactionScope<Ops extends readonly AnyOperation[]> {
  /** Acts as the engine itself. */
  readonly api: ApiOf<Ops>;
  as(who: Actor | Credentials): ApiOf<Ops>;
}

/** The in-process clients of one request of the host. */
export interface RequestScope<Ops extends readonly AnyOperation[]> extends TransactionScope<Ops> {
  /** Runs commands in a transaction of the host; see `Signalbox.with`. */
  with(handle: unknown): TransactionScope<Ops>;
}

/** An engine: its in-process client, and the parts that transports and hosts use. */
export interface Signalbox<Ops extends readonly AnyOperation[] = readonly AnyOperation[]> {
  /** Typed in-process client; acts as the engine itself, with every right. */
  readonly api: ApiOf<Ops>;
  /** The client with the rights of a caller, all checks included. */
  as(who: Actor | Credentials): ApiOf<Ops>;
  /**
   * Runs commands inside a transaction that the host has begun: they are rolled back with it, and take effect only after its
   * commit. `handle` is of the kind that the storage takes: a `pg` client, a Kysely transaction, a SQLite handle. Throws
   * `TypeError` when the handle has no transaction open on the same database.
   */
  with(handle: unknown): TransactionScope<Ops>;
  /**
   * Clients for one request of the host: records that they cause name the request, as `cause.request`. Up to 128
   * letters, digits and `_-.:/+=@`; throws `TypeError` for anything else.
   * @see docs/contract/records.md#cause
   * @example await signalbox.forRequest("order-4711").api.runEvent({ id: "invoice" });
   */
  forRequest(id: string): RequestScope<Ops>;
  /** The single entry for transports. Returns or throws synchronously when nothing has to be awaited. */
  dispatch(call: OperationCall): Awaitable<unknown>;
  /** The same, but always returns a promise. */
  execute(call: OperationCall): Promise<unknown>;
  /**
   * Identifies the caller before a transport reads a long body: resolves to the `actor` for the whole call, or to undefined if
   * the operation admits the call by the members read so far. For all other callers it rejects like the call.
   */
  admit(call: OperationCall): Promise<Actor | undefined>;
  /**
   * Puts numbers and short texts of this program into the samples of its own server, the one whose agent runs in this process:
   * expressions of monitors and alerts read them as `host.<name>`, each minute and each second. The newest value of a name stays
   * until another one or null comes; it waits while no such server is connected, and may be given before `start`. At most 200
   * readings; names like `queue_depth`, up to 64 characters; finite numbers and texts of up to 256 characters. Throws `TypeError`
   * naming the first invalid reading, and then takes nothing of that report. @see docs/contract/expressions.md#minute-data
   * @example signalbox.report({ queue_depth: 17, mode: "draining", old_name: null });
   */
  report(readings: HostReadings): void;
  /** The current failure of one of the engine's stores, which makes the engine unhealthy; undefined while all stores work. */
  fault(): StorageError | undefined;
  /** This node, and the leader as this node last saw it; undefined while there is none. */
  leadership(): { readonly node: string; readonly leader: string | undefined };
  /** The time on the engine's clock, Unix seconds with fractions: pages and transports use it, as records do. */
  now(): number;
  /** Transports count their requests and the bytes of bodies here. @see docs/contract/administration.md#counters */
  readonly traffic: Traffic;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Privilege id → title. */
  readonly privileges: ReadonlyMap<string, string>;
  /** Collections of all stored records, for checks and exports. */
  readonly collections: readonly AnyCollection[];
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly events: EventBus;
  /** The logger of the engine; transports use it too unless told otherwise. */
  readonly log: Logger;
  /** Migrates, loads, joins the cluster, starts loops, queued work and agents. Safe to call once. */
  start(): Promise<StartReport>;
  /**
   * Instead of `start`, for a program that makes some calls and ends, such as a command line: opens and migrates the storage, and
   * starts nothing else. No schedule, agent, loop or queued work runs, no administrator and no first record is made, and other
   * nodes do not know of this one; work that a call enqueues waits for an engine that starts. A storage of one process (SQLite)
   * must not be in use. `stop` closes it.
   * @see docs/guide/embedding.md#programs-that-make-a-call-and-end
   */
  open(): Promise<void>;
  /**
   * Finishes queued work, gives up leadership and closes its own connections. Safe to call again. With `drain`, where other nodes
   * live on the same storage, it first hands over to them: `/ready` fails, another node leads, satellites move there with their
   * jobs, and callers are served until `cluster.drain_delay_sec` has passed and those moves are over.
   * @see docs/guide/several-nodes.md#draining
   */
  stop(options?: StopOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type AllOperations<Plugins extends readonly Plugin[]> = readonly [
  ...OperationsOf<typeof builtins>,
  ...OperationsOf<Plugins>,
];

/** An engine with its plugins: a named type, so that declarations of a host need not spell out every operation. */
export interface SignalboxWith<Plugins extends readonly Plugin[]> extends Signalbox<AllOperations<Plugins>> {}

/**
 * Makes an engine. Nothing happens before `start`.
 * Throws `TypeError` for an unknown option, `Error` for a short secret key, a wrong configuration (naming the path) and
 * plugins that claim the same name.
 *
 * @example
 * const signalbox = createSignalbox({
 *   storage: sqliteStorage({ filename: "data/signalbox.sqlite" }),
 *   secretKey: process.env.SIGNALBOX_SECRET_KEY,
 *   events: [nightlyReport],
 * });
 * await signalbox.start();
 * app.route("/ops", createRouter(signalbox));
 */
export function createSignalbox<const Plugins extends readonly Plugin[] = readonly []>(
  options: SignalboxOptions<Plugins>,
): SignalboxWith<Plugins> {
  const cradle = assemble(options);
  const { dispatch, execute, storage, registry } = cradle;
  type Api = ApiOf<AllOperations<Plugins>>;
  // Computed once: a host makes a client per request, and the names of all operations would be half of its cost.
  const names = [...registry.operations].map(([key, operation]) => [clientName(operation), key] as const);
  const clientFor = (call: Omit<OperationCall, "operation">): Api =>
    Object.fromEntries(
      names.map(([name, operation]) => [name, (input?: unknown) => execute({ ...call, operation, input })]),
    ) as Api;
  const identity = (who: Actor | Credentials): Pick<OperationCall, "actor" | "credentials"> => {
    if (typeof who !== "object" || who === null)
      throw new TypeError("as: nobody is given: name who calls by an actor, or credentials such as { apiKey }");
    return "kind" in who ? { actor: who } : { credentials: who };
  };
  const scope = (call: Pick<OperationCall, "client" | "transaction">): TransactionScope<AllOperations<Plugins>> => ({
    api: clientFor({ actor: systemActor, ...call }),
    as: (who) => clientFor({ ...identity(who), ...call }),
  });
  const adopt = (handle: unknown) => ({ transaction: storage.adopt(handle) });
  const lifecycle = createLifecycle(cradle);
  return {
    api: clientFor({ actor: systemActor }),
    as: (who) => clientFor(identity(who)),
    with: (handle) => scope(adopt(handle)),
    forRequest(id) {
      const client = clientOf(id);
      return { ...scope({ client }), with: (handle) => scope({ client, ...adopt(handle) }) };
    },
    dispatch,
    execute,
    ...partsOf(cradle),
    ...askedOf(cradle),
    start: lifecycle.start,
    open: lifecycle.open,
    stop: lifecycle.stop,
    [Symbol.asyncDispose]: () => lifecycle.stop(),
  };
}

/** Parts of the engine that transports and hosts read directly. */
function partsOf({ blobs, config, events, log, registry, storage, traffic }: Cradle) {
  const { coordination } = storage;
  const { operations, privileges, collections } = registry;
  return {
    blobs,
    collections,
    config,
    events,
    log,
    operations,
    privileges,
    traffic: traffic.total,
    leadership: () => ({ node: coordination.nodeId, leader: coordination.leaderOf(LEADER) }),
  };
}

/** Calls of transports and hosts to a running engine; each service is created at its first call. */
function askedOf(engine: Pick<Cradle, "admit" | "clock" | "monitors" | "storageHealth">) {
  return {
    admit: (call: OperationCall) => engine.admit(call),
    report: (readings: HostReadings) => engine.monitors.report(readings),
    fault: () => engine.storageHealth.current(),
    now: () => engine.clock.now(),
  };
}

function clientOf(id: string): Client {
  const requestId = requestIdOf(id);
  if (requestId === undefined) throw new TypeError("A request id has up to 128 letters, digits and _-.:/+=@");
  return { ...localClient, requestId };
}

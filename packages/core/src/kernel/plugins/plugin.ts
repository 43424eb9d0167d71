import type * as z from "zod";
import type { ExpressionFunction } from "../../expressions/index.ts";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { AgentMessage, Channel, ChannelSocket, HostFunction } from "../../ports/agents/agent-transport.ts";
import type { AnyCollection } from "../../ports/storage/collection.ts";
import type { WorkItem } from "../../ports/storage/work.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import type { Actor, Client } from "../calls/context.ts";
import type { AnyOperation } from "../calls/operation.ts";
import type { Loop } from "../running/loops.ts";
import type { ActionType } from "./action-type.ts";
import type { SignalboxEvents } from "./events.ts";
import type { OperationHook } from "./hooks.ts";
import type { Cradle, KeyedCradle, KeyedServices, Services } from "./services.ts";
import type { Transfer } from "./transfer.ts";

/** Runs one item of queued work. If it throws, the item is retried later. */
export type WorkHandler = (item: WorkItem, cradle: Cradle, signal: AbortSignal) => Promise<void>;

/** Parses a raw monitor reading of a data type; undefined = no value. */
export interface MonitorDataType {
  parse(value: unknown): number | undefined;
}

/** Records that a search may name by their index, as `bulk_search_export` does. */
export interface SearchableTable {
  readonly collection: AnyCollection;
  readonly table: SearchTable;
  /** Code of the error for a query that does not parse; absent = "db". */
  readonly code?: string;
  /** Only for callers with the privilege `admin`. */
  readonly adminOnly?: boolean;
  /** A record as callers see it; absent = as it is stored. */
  readonly show?: (record: never) => Readonly<Record<string, unknown>>;
  /** Removes a record permanently, with its dependents, in its own transactions; does nothing when it is already gone. */
  readonly remove?: (id: string, order: RemovalOrder, cradle: Cradle) => Promise<void>;
}

/** The caller who ordered the removal of records, for the rows of the activity log. */
export interface RemovalOrder {
  readonly actor: Actor;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** An event that the host declares with `defineEvent` or `defineWorkflow`. */
export interface HostEvent {
  readonly id: string;
  readonly title: string;
  /** Members of the stored event: category, triggers, limits, actions … */
  readonly record: Readonly<Record<string, unknown>>;
  /** Function of the event; absent for a workflow, whose work is its graph. */
  readonly run?: HostFunction | undefined;
  /** The first error that the event's schema finds in parameters, as far as it can tell synchronously. */
  readonly paramsFault?: ((params: unknown) => string | undefined) | undefined;
  /** Source text of the host's function: `run` is a wrapper whose own text means nothing. */
  readonly source?: string;
}

/**
 * One unit of extension. Built-in domains and third parties use the same shape; every member except the id is optional. Two
 * claims to one operation, action type, function, collection or privilege make `createSignalbox` fail.
 */
export interface Plugin<Ops extends readonly AnyOperation[] = readonly AnyOperation[]> {
  /** "tickets", "acme.slack". */
  readonly id: string;
  /** Ids of plugins that must come before this one. */
  readonly after?: readonly string[];
  /**
   * Schema of `config[id]`: defaults are filled in, unknown members are kept unless the schema is strict, and an invalid section
   * makes the creation of the engine fail. Members of built-in domains are at the top level instead, so no id may be one of their
   * names.
   */
  readonly config?: z.ZodObject;
  /** Privilege id → title, as access errors and editors show it. */
  readonly privileges?: Readonly<Record<string, string>>;
  readonly collections?: readonly AnyCollection[];
  readonly operations?: Ops;
  readonly hooks?: readonly OperationHook[];
  readonly actionTypes?: Readonly<Record<string, ActionType>>;
  readonly dataTypes?: Readonly<Record<string, MonitorDataType>>;
  /** Search tables by the name of their index. */
  readonly searchTables?: Readonly<Record<string, SearchableTable>>;
  /** The plugin's part of a backup. */
  readonly transfer?: Transfer;
  /** Usable in expressions and templates. */
  readonly functions?: Readonly<Record<string, ExpressionFunction>>;
  readonly services?: {
    readonly [K in keyof Services]?: (cradle: K extends keyof KeyedServices ? KeyedCradle : Cradle) => Services[K];
  };
  /** Channels for sockets on the satellites' listener that are not satellites, by the command with which they start. */
  readonly channels?: Readonly<Record<string, (socket: ChannelSocket, first: AgentMessage, cradle: Cradle) => Channel>>;
  /** Queued work by kind. */
  readonly workers?: Readonly<Record<string, WorkHandler>>;
  readonly loops?: readonly Loop[];
  /**
   * Maintenance that administrators may request at any time and loops do by themselves, such as deleting old records; by title.
   * Runs on any node, in steps of a few milliseconds, until its signal aborts.
   */
  readonly maintenance?: Readonly<Record<string, Loop["run"]>>;
  readonly hostEvents?: readonly HostEvent[];
  /** Members that pages receive at login, as far as the account may see them; lists of definitions are included automatically. */
  readonly atLogin?: (actor: Actor, services: Services) => Promise<Readonly<Record<string, unknown>>>;
  readonly on?: {
    readonly [K in keyof SignalboxEvents]?: (payload: SignalboxEvents[K], cradle: Cradle) => Awaitable<void>;
  };
  /** Runs once per start, after storage is open and definitions are loaded, but before loops: seeds and recovery. */
  readonly start?: Passage;
  /** `start` begins no work, and calls need it: an engine that is opened only for calls runs it too, and `stop`. */
  readonly startsForCalls?: true;
  /** Runs before a stop that drains, while this node still serves: hands work over that other nodes can continue. */
  readonly drain?: Passage;
  /** Runs on stop, in reverse order; queued work that has begun continues until all plugins have stopped. */
  readonly stop?: Passage;
  /**
   * Runs last, in reverse order, when no queued work runs any more: stores values that were gathered in memory. Also runs
   * where `start` did not, in an engine that was opened only for calls.
   */
  readonly close?: Passage;
}

/** What a plugin does once when the engine goes from one state to the next. */
type Passage = (cradle: Cradle) => Promise<void>;

/**
 * Declares a plugin, keeping the exact type of its operations for the in-process client.
 *
 * @example
 * const deploys = definePlugin({
 *   id: "acme.deploys",
 *   collections: [deployCollection],
 *   operations: [recordDeploy],
 * });
 * const signalbox = createSignalbox({ storage, secretKey, plugins: [deploys] });
 * await signalbox.api.recordDeploy({ version: "v12" });
 */
export function definePlugin<const Ops extends readonly AnyOperation[] = readonly []>(
  plugin: Plugin<Ops>,
): Plugin<Ops> {
  return plugin;
}

type OpsOf<P> = P extends Plugin<infer Ops> ? Ops : never;

/** The operations of a tuple of plugins, in order; collected in a parameter because the compiler limits deep recursion. */
export type OperationsOf<
  Plugins extends readonly Plugin[],
  Gathered extends readonly AnyOperation[] = readonly [],
> = Plugins extends readonly [infer Head, ...infer Tail extends readonly Plugin[]]
  ? OperationsOf<Tail, readonly [...Gathered, ...OpsOf<Head>]>
  : Gathered;

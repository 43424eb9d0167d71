import type { ExpressionFunction } from "../../expressions/index.ts";
import { OptionError } from "../../lib/process/check-options.ts";
import type { AnyCollection } from "../../ports/storage/collection.ts";
import type { ActionType } from "../plugins/action-type.ts";
import type { OperationHook } from "../plugins/hooks.ts";
import type { HostEvent, MonitorDataType, Plugin, SearchableTable, WorkHandler } from "../plugins/plugin.ts";
import type {
  TransferFiles,
  TransferKeys,
  TransferList,
  TransferLog,
  TransferSeries,
  TransferTable,
} from "../plugins/transfer.ts";
import type { Loop } from "../running/loops.ts";
import type { AnyOperation } from "./operation.ts";

/** Declarations of all plugins, merged into maps. */
export interface Registry {
  readonly plugins: readonly Plugin[];
  /** Operations by wire name; the `user` namespace is keyed "user/<name>". */
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Privilege id → title. */
  readonly privileges: ReadonlyMap<string, string>;
  readonly collections: readonly AnyCollection[];
  readonly actionTypes: ReadonlyMap<string, ActionType>;
  readonly dataTypes: ReadonlyMap<string, MonitorDataType>;
  /** Search tables by the name of their index. */
  readonly searchTables: ReadonlyMap<string, SearchableTable>;
  readonly transfer: TransferMaps;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  /** Channels by the command with which their sockets start. */
  readonly channels: ReadonlyMap<string, NonNullable<Plugin["channels"]>[string]>;
  readonly workers: ReadonlyMap<string, WorkHandler>;
  readonly hooks: readonly OperationHook[];
  readonly loops: readonly Loop[];
  readonly hostEvents: ReadonlyMap<string, HostEvent>;
}

/** Parts of a backup from all plugins, by their names in the backup. */
export interface TransferMaps {
  readonly lists: ReadonlyMap<string, TransferList>;
  readonly keys: ReadonlyMap<string, TransferKeys>;
  readonly tables: ReadonlyMap<string, TransferTable>;
  readonly files: ReadonlyMap<string, TransferFiles>;
  readonly logs: ReadonlyMap<string, TransferLog & { readonly key: string }>;
  readonly series: ReadonlyMap<string, TransferSeries>;
  /** Collections that only this engine knows, by name. */
  readonly own: ReadonlyMap<string, AnyCollection>;
}

/** Key of an operation in the registry. */
export const operationKey = (operation: Pick<AnyOperation, "namespace" | "name">): string =>
  operation.namespace === "user" ? `user/${operation.name}` : operation.name;

/** Collects the declarations of plugins by name, and refuses a name that two of them claim. */
const createFold =
  (plugins: readonly Plugin[]) =>
  <T>(what: string, pick: (plugin: Plugin) => readonly (readonly [string, T])[]): Map<string, T> => {
    const values = new Map<string, T>();
    const owners = new Map<string, string>();
    for (const plugin of plugins)
      for (const [name, value] of pick(plugin)) {
        const owner = owners.get(name);
        if (owner !== undefined) throw new Error(`Plugins ${owner} and ${plugin.id} both define the ${what} ${name}`);
        owners.set(name, plugin.id);
        values.set(name, value);
      }
    return values;
  };

/** Merges plugins in order. Throws `Error` on a second claim, naming both plugins, and on a missing predecessor. */
export function createRegistry(plugins: readonly Plugin[]): Registry {
  checkOrder(plugins);
  const fold = createFold(plugins);
  const named = <T>(what: string, pick: (plugin: Plugin) => Readonly<Record<string, T>> | undefined): Map<string, T> =>
    fold(what, (plugin) => Object.entries(pick(plugin) ?? {}));
  // Pairs instead of a record, so that a plugin that claims one name twice is caught too.
  const byName = <T>(items: readonly T[] | undefined, key: (item: T) => string): [string, T][] =>
    (items ?? []).map((item) => [key(item), item]);
  return {
    plugins,
    operations: fold("operation", (plugin) => byName(plugin.operations, operationKey)),
    privileges: named("privilege", (plugin) => plugin.privileges),
    collections: [...fold("collection", (plugin) => byName(plugin.collections, (each) => each.name)).values()],
    actionTypes: named("action type", (plugin) => plugin.actionTypes),
    dataTypes: named("data type", (plugin) => plugin.dataTypes),
    searchTables: named("search table", (plugin) => plugin.searchTables),
    transfer: {
      lists: named("list of backups", (plugin) => plugin.transfer?.lists),
      keys: named("key of backups", (plugin) => plugin.transfer?.keys),
      tables: named("table of backups", (plugin) => plugin.transfer?.tables),
      files: named("extra of backups", (plugin) => plugin.transfer?.files),
      logs: named("extra of backups", (plugin) => plugin.transfer?.logs),
      series: named("extra of backups", (plugin) => plugin.transfer?.series),
      own: fold("collection of backups", (plugin) => byName(plugin.transfer?.own, (each) => each.name)),
    },
    functions: named("function", (plugin) => plugin.functions),
    channels: named("channel", (plugin) => plugin.channels),
    workers: named("kind of work", (plugin) => plugin.workers),
    loops: [...fold("loop", (plugin) => byName(plugin.loops, (loop) => loop.name)).values()],
    hooks: plugins.flatMap((plugin) => plugin.hooks ?? []),
    hostEvents: fold("event", (plugin) => byName(plugin.hostEvents, (event) => event.id)),
  };
}

/** All members of a plugin. A misspelt member would otherwise be ignored silently. */
const MEMBERS: Readonly<Record<keyof Plugin, true>> = {
  id: true,
  after: true,
  config: true,
  privileges: true,
  collections: true,
  operations: true,
  hooks: true,
  actionTypes: true,
  dataTypes: true,
  searchTables: true,
  transfer: true,
  functions: true,
  services: true,
  channels: true,
  workers: true,
  loops: true,
  maintenance: true,
  hostEvents: true,
  atLogin: true,
  on: true,
  start: true,
  startsForCalls: true,
  drain: true,
  stop: true,
  close: true,
};

function checkMembers(plugin: Plugin): void {
  if (typeof plugin !== "object" || plugin === null)
    throw new OptionError(
      `plugins: ${String(plugin).slice(0, 50)} is no plugin: give what definePlugin({ id, … }) makes`,
    );
  if (typeof plugin.id !== "string" || plugin.id === "")
    throw new OptionError(
      `plugins: a plugin with ${Object.keys(plugin).join(", ") || "no member"} has no id: definePlugin({ id: "acme.deploys", … })`,
    );
  const unknown = Object.keys(plugin).find((name) => !Object.hasOwn(MEMBERS, name));
  if (unknown !== undefined)
    throw new OptionError(
      `Plugin ${plugin.id}: there is no member ${JSON.stringify(unknown.slice(0, 50))}; it takes ${Object.keys(MEMBERS).join(", ")}`,
    );
}

function checkOrder(plugins: readonly Plugin[]): void {
  const seen = new Set<string>();
  for (const plugin of plugins) {
    checkMembers(plugin);
    if (seen.has(plugin.id)) throw new Error(`Plugin ${plugin.id} is given twice`);
    for (const id of plugin.after ?? [])
      if (!seen.has(id)) throw new Error(`Plugin ${plugin.id} must come after ${id}, which was not given before it`);
    seen.add(plugin.id);
  }
}

import type { OpenChannel } from "../../ports/agents/agent-transport.ts";
import type { WorkItem } from "../../ports/storage/work.ts";
import type { Actor } from "../calls/context.ts";
import type { Act } from "../plugins/action-type.ts";
import { isOfScalars, ofScalars } from "../plugins/event-bus.ts";
import type { Plugin, RemovalOrder } from "../plugins/plugin.ts";
import type { Cradle } from "../plugins/services.ts";
import { SYSTEM_WORKERS } from "./cluster.ts";
import type { BoundLoop } from "./loops.ts";

/** Handlers of all plugins, bound to the cradle: handlers may use any part, while code that runs them needs no access to it. */
export interface Handlers {
  readonly act: Act;
  /** Channels by the command with which their sockets start. */
  readonly channels: ReadonlyMap<string, OpenChannel>;
  /** Queued work by kind. */
  readonly workers: ReadonlyMap<string, (item: WorkItem, signal: AbortSignal) => Promise<void>>;
  readonly loops: readonly BoundLoop[];
  /** Steps of maintenance by title, in the order of the plugins. */
  readonly maintenance: readonly (readonly [title: string, run: BoundLoop["run"]])[];
  /** Members that plugins add to a login. */
  atLogin(actor: Actor): Promise<Readonly<Record<string, unknown>>>;
  /** Forwards in-process events to the plugins that listen. */
  listen(): void;
  /** Removes a record that a search found from the named table; undefined if the table does not support removal. */
  remove(table: string, id: string, order: RemovalOrder): Promise<void> | undefined;
  /** Runs a step in the life of a plugin; undefined if the plugin has none. */
  pass(plugin: Plugin, to: "start" | "drain" | "stop" | "close"): Promise<void> | undefined;
}

export function bindHandlers(cradle: Cradle): Handlers {
  const { events, registry } = cradle;
  const workers = [...registry.workers, ...Object.entries(SYSTEM_WORKERS)];
  const bound = (run: (now: number, all: Cradle, signal: AbortSignal) => Promise<void>): BoundLoop["run"] => {
    return (now, signal) => run(now, cradle, signal);
  };
  return {
    act: (type, run) => registry.actionTypes.get(type)?.run(run, cradle),
    channels: new Map(
      [...registry.channels].map(([cmd, open]) => [cmd, (socket, first) => open(socket, first, cradle)]),
    ),
    workers: new Map(workers.map(([kind, work]) => [kind, (item, signal) => work(item, cradle, signal)])),
    loops: registry.loops.map((loop) => ({
      ...loop,
      run: bound(loop.run),
      isIdle: (now) => loop.isIdle?.(now, cradle) ?? false,
    })),
    maintenance: registry.plugins.flatMap(({ maintenance = {} }) =>
      Object.entries(maintenance).map(([title, run]) => [title, bound(run)] as const),
    ),
    async atLogin(actor) {
      const added = await Promise.all(registry.plugins.map((plugin) => plugin.atLogin?.(actor, cradle)));
      return Object.assign({}, ...added) as Readonly<Record<string, unknown>>;
    },
    listen() {
      for (const { on = {} } of registry.plugins)
        for (const [type, listener] of Object.entries(on)) {
          const bound = (payload: object) => (listener as Listener)(payload, cradle);
          events.on(type as "signalbox.started", isOfScalars(listener) ? ofScalars(bound) : bound);
        }
    },
    remove: (table, id, order) => registry.searchTables.get(table)?.remove?.(id, order, cradle),
    pass: (plugin, to) => plugin[to]?.(cradle),
  };
}

type Listener = (payload: object, all: Cradle) => unknown;

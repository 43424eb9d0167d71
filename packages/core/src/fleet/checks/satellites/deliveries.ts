import { pluginRecords } from "../../../directory/plugins/records.ts";
import { CHECKS_PLUGIN } from "../../../directory/plugins/rules/presets.ts";
import { identityOf } from "../../../directory/plugins/rules/process-identity.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Check } from "../model.ts";
import { targetsFor } from "../services/ask.ts";
import { commandOf } from "./order.ts";
import { fitting, type Orders, ordersFor } from "./orders.ts";

/** Checks that were delivered to a server. */
export interface Delivery {
  readonly checks: readonly Check[];
  /** Unix seconds since which the server has had checks without a gap. */
  readonly since: number;
}

/** Delivers checks to the satellites that run them. */
export interface Deliveries {
  /** The monitor plugin that runs a server's checks; an empty list for a server that has none. */
  commandsOf(server: string): readonly Record<string, unknown>[];
  /** Delivers to each server connected to this node the checks that it should run now. */
  deliver(): void;
  /** The checks that were last delivered to a server; undefined = none. */
  of(server: string): Delivery | undefined;
  /** Makes a server run these checks every minute, because they have failed and may still be retried. */
  hurry(server: string, checks: ReadonlySet<string>): void;
}

interface Told extends Delivery {
  readonly script: string;
}

type Deps = Pick<Cradle, "clock" | "config" | "definitions" | "log" | "servers">;

const NONE: ReadonlySet<string> = new Set();

export function createDeliveries(deps: Deps, judged: () => readonly Check[]): Deliveries {
  const { clock, servers } = deps;
  const told = new Map<string, Told>();
  const hurried = new Map<string, ReadonlySet<string>>();
  let orders: Orders = new Map();
  const makeCommand = createMakeCommand(deps);
  const commandFor = (server: string, checks: readonly Check[]) => makeCommand(checks, hurried.get(server) ?? NONE);
  const checksOf = (server: string): readonly Check[] => fitting(orders.get(server) ?? []);
  const renew = (server: string): void => {
    if (commandFor(server, checksOf(server))?.script !== told.get(server)?.script) servers.announceChecks(server);
  };
  return {
    of: (server) => told.get(server),
    commandsOf(server) {
      const checks = checksOf(server);
      const command = commandFor(server, checks);
      if (!command) {
        told.delete(server);
        return [];
      }
      told.set(server, { checks, script: command.script, since: told.get(server)?.since ?? clock.now() });
      return [command];
    },
    deliver() {
      orders = ordersFor(judged(), servers.everywhere);
      tellOfMany(deps, orders);
      keepOnly(hurried, (server) => orders.has(server));
      keepOnly(told, (server) => servers.get(server) !== undefined);
      for (const { id } of servers.active()) if (orders.has(id) || told.has(id)) renew(id);
    },
    hurry(server, checks) {
      if (checks.size > 0) hurried.set(server, checks);
      else hurried.delete(server);
      renew(server);
    },
  };
}

/** Undefined = there are no checks, or their monitor plugin is disabled. */
function createMakeCommand({ config, definitions }: Pick<Deps, "config" | "definitions">) {
  const targets = targetsFor(config);
  return (checks: readonly Check[], hurried: ReadonlySet<string>) => {
    const plugin = definitions.get(pluginRecords, CHECKS_PLUGIN);
    if (checks.length === 0 || (plugin && !plugin.enabled)) return undefined;
    const owner = identityOf(plugin ?? {}, config.default_plugin_credentials.monitor);
    return { ...owner, cwd: plugin?.cwd, ...commandOf({ checks, hurried, targets }) };
  };
}

function keepOnly(map: Map<string, unknown>, isKept: (key: string) => boolean): void {
  for (const key of map.keys()) if (!isKept(key)) map.delete(key);
}

function tellOfMany({ log }: Pick<Deps, "log">, orders: Orders): void {
  for (const [server, checks] of orders) {
    const asked = fitting(checks).length;
    if (asked < checks.length) log.warn({ server, checks: checks.length, asked }, "A server has too many checks");
  }
}

import type { Cradle } from "../../kernel/container.ts";
import { createBreath } from "../../kernel/running/breath.ts";
import { residentBytes } from "../../lib/process/resident-bytes.ts";
import { VERSION } from "../../lib/process/version.ts";
import { everything } from "../../search/ast.ts";
import { cpuShare } from "./rules.ts";

/** State of the process and its storage (docs/contract/administration.md#state-of-the-installation). */
export interface Statistics {
  /** Memory in bytes, and percentage of one processor core since the last reading. */
  load(): { readonly mem: number; readonly cpu: number };
  /** Number of definitions held in memory, by collection. */
  cached(): Readonly<Record<string, number>>;
  /** Names of the searchable tables, with their index fields. */
  indexes(): Readonly<Record<string, unknown>>;
  everything(): Promise<Record<string, unknown>>;
}

/** Minimum milliseconds between readings, since a share of a shorter time says nothing; earlier calls get the last one again. */
const LOOK_MS = 1000;

type Deps = Pick<Cradle, "clock" | "definitions" | "registry" | "servers" | "snapshot" | "storage">;

export function createStatistics(deps: Deps): Statistics {
  const { clock, definitions, registry, storage } = deps;
  const load = createLoad(clock);
  const cached = (): Record<string, number> => {
    const resident = registry.collections.filter(({ resident }) => resident);
    return Object.fromEntries(resident.map((each) => [each.name, definitions.all(each).length]));
  };
  const indexes = (): Record<string, unknown> =>
    Object.fromEntries(
      [...registry.searchTables].map(([id, { collection }]) => {
        const { columns = {}, terms = {}, text = {} } = collection;
        return [id, { columns: Object.keys(columns), terms: Object.keys(terms), text: Object.keys(text) }];
      }),
    );
  return {
    load,
    cached,
    indexes,
    async everything() {
      return {
        version: VERSION,
        node: { version: process.version },
        db: { sqlite: (await storage.upkeep?.size()) ?? 0, records: await recordsOf(deps) },
        unbase: { indexes: indexes() },
        cache: cached(),
        sockets: socketsOf(deps),
        storage_engine: storage.name,
        ...load(),
      };
    },
  };
}

function createLoad(clock: Cradle["clock"]): Statistics["load"] {
  let at = clock.monotonicMs();
  let spent = 0;
  let cpu = 0;
  return () => {
    const elapsed = clock.monotonicMs() - at;
    if (elapsed >= LOOK_MS) {
      const { user, system } = process.cpuUsage();
      cpu = cpuShare(user + system - spent, elapsed);
      at += elapsed;
      spent = user + system;
    }
    return { mem: residentBytes(), cpu };
  };
}

/** Number of records per table. Yields to the event loop after each table. */
async function recordsOf({ clock, registry, snapshot }: Deps): Promise<Record<string, number>> {
  const records: Record<string, number> = {};
  const breath = createBreath(clock);
  for (const collection of registry.collections) {
    const { total } = await snapshot((tx) => tx.collection(collection).find(everything, { limit: 0 }));
    records[collection.name] = total;
    await breath();
  }
  return records;
}

/** Agents that are connected to this node. */
const socketsOf = ({ servers }: Deps): Record<string, unknown>[] =>
  servers.active().map(({ id, hostname, ip, info }) => ({ type: "server", id, hostname, ip, info }));

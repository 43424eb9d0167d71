import { apiKeyRecords } from "../../directory/api-keys/records.ts";
import { publicApiKey } from "../../directory/api-keys/rules.ts";
import type { Cradle } from "../../kernel/container.ts";

/** Titles for `server()` and `event()` in expressions and templates (docs/contract/expressions.md#functions). */
export interface Lookups {
  /** Title or hostname of a server that is connected or left not long ago. */
  server(id: string): string | undefined;
  /** Title of an event, or of the event of an active job. */
  event(id: string): string | undefined;
}

type Deps = Pick<Cradle, "eventRecords" | "jobs" | "servers">;

/** Reads the services from the cradle only when a template asks, because they use expressions themselves. */
export function createLookups(deps: Deps): Lookups {
  const titleOf = (event: string): string | undefined => deps.eventRecords.get(event)?.title;
  return {
    server(id) {
      const server = deps.servers.anywhere(id) ?? deps.servers.recent().find((each) => each.id === id);
      return server && (server.title || server.hostname);
    },
    event(id) {
      const title = titleOf(id);
      if (title !== undefined) return title;
      const job = deps.jobs.desk.live.get(id);
      return job && titleOf(job.record.job.event);
    },
  };
}

/** Lists of definitions that one call may read together (docs/contract/records.md#several-lists-at-once). */
export const LISTS: ReadonlySet<string> = new Set([
  ...["api_keys", "groups", "plugins", "categories", "events", "channels", "web_hooks", "buckets", "secrets"],
  ...["monitors", "alerts", "tags", "roles"],
]);

/** The definitions in memory, as callers may see them. */
export interface DefinitionLists {
  /** Privilege id → title. */
  readonly privileges: ReadonlyMap<string, string>;
  /** The records of one of `LISTS`, in insertion order; empty for kinds of records that this engine does not have. */
  read(list: string): readonly unknown[];
}

export function createDefinitionLists({
  definitions,
  registry,
}: Pick<Cradle, "definitions" | "registry">): DefinitionLists {
  const collections = new Map(registry.collections.flatMap((each) => (each.resident ? [[each.name, each]] : [])));
  return {
    privileges: registry.privileges,
    read(list) {
      if (list === "api_keys") return definitions.all(apiKeyRecords).map(publicApiKey);
      const collection = LISTS.has(list) ? collections.get(list) : undefined;
      return collection ? definitions.all(collection) : [];
    },
  };
}

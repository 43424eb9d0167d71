import type { Cradle } from "../../kernel/container.ts";
import { eventCollection } from "../events/collection.ts";

/** Titles for `server()` and `event()` in expressions and templates (part 24 §3). */
export interface Lookups {
  server(id: string): string | undefined;
  event(id: string): string | undefined;
}

export function createLookups(cradle: Cradle): Lookups {
  return {
    server(id) {
      const server = cradle.servers.get(id);
      return server && (server.title || server.hostname);
    },
    event: (id) => cradle.definitions.get(eventCollection, id)?.title,
  };
}

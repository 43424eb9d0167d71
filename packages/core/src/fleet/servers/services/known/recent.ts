import type { ReplacedText } from "../../../../lib/text/replaced-text.ts";
import type { Server } from "../../model.ts";

const MAX_SERVERS = 10;
const MAX_AGE_SEC = 86_400;

/** Servers that disconnected recently (docs/contract/servers.md#departure). */
export interface RecentServers {
  add(entry: RecentServer): void;
  get(id: string, now: number): RecentServer | undefined;
  /** In the order of disconnection. */
  all(now: number): readonly RecentServer[];
  /** Replaces the facts about a server, which keeps its position. */
  renew(entry: RecentServer): void;
  delete(id: string): void;
  clear(): void;
}

export interface RecentServer {
  readonly server: Server;
  /** JSON of the last minute's record. */
  readonly latest: ReplacedText | undefined;
  /** Unix seconds. */
  readonly leftAt: number;
}

export function createRecentServers(): RecentServers {
  const entries = new Map<string, RecentServer>();
  const isFresh = ({ leftAt }: RecentServer, now: number): boolean => now - leftAt < MAX_AGE_SEC;
  return {
    add(entry) {
      entries.delete(entry.server.id);
      entries.set(entry.server.id, entry);
      const [oldest] = entries.keys();
      if (entries.size > MAX_SERVERS && oldest !== undefined) entries.delete(oldest);
    },
    get(id, now) {
      const entry = entries.get(id);
      return entry && isFresh(entry, now) ? entry : undefined;
    },
    all: (now) => [...entries.values()].filter((entry) => isFresh(entry, now)),
    renew: (entry) => void entries.set(entry.server.id, entry),
    delete: (id) => void entries.delete(id),
    clear: () => entries.clear(),
  };
}

import type { Server } from "../model.ts";

const MAX_SERVERS = 10;
const MAX_AGE_SEC = 86_400;

/** Servers that left not long ago (part 21 §2.2). */
export interface RecentServers {
  add(entry: RecentServer): void;
  get(id: string, now: number): RecentServer | undefined;
  delete(id: string): void;
}

export interface RecentServer {
  readonly server: Server;
  /** JSON of the last minute's record. */
  readonly latest: string | undefined;
  /** Unix seconds. */
  readonly leftAt: number;
}

export function createRecentServers(): RecentServers {
  const entries = new Map<string, RecentServer>();
  return {
    add(entry) {
      entries.delete(entry.server.id);
      entries.set(entry.server.id, entry);
      const [oldest] = entries.keys();
      if (entries.size > MAX_SERVERS && oldest !== undefined) entries.delete(oldest);
    },
    get(id, now) {
      const entry = entries.get(id);
      return entry && now - entry.leftAt < MAX_AGE_SEC ? entry : undefined;
    },
    delete: (id) => void entries.delete(id),
  };
}

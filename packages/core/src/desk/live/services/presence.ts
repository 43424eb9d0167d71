import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** The people of one node who have a stream open, for the other nodes. */
export const Connected = object(() => ({ node: z.string(), users: z.array(z.string()) }));
export type Connected = z.infer<typeof Connected>;

/** People who have a stream open, on any node. */
export interface Presence {
  has(user: string): boolean;
  /** Tells the other nodes the names of the people here: when these change, and now and then. */
  tick(): Promise<void>;
  /** Takes in the names that another node tells. */
  hear(news: Connected): void;
}

const AGAIN_MS = 30_000;
/** Names in one message, which has 7,900 bytes on PostgreSQL: a longer one would have all nodes read everything anew. */
const MOST_NAMES = 100;
/** A node that has said nothing for so long counts no more. */
const KEPT_MS = 75_000;

interface Means {
  /** Names of the people who are connected to this node. */
  readonly here: () => ReadonlySet<string>;
  readonly tell: (news: Connected) => Promise<void>;
}

export function createPresence({ clock, storage }: Pick<Cradle, "clock" | "storage">, { here, tell }: Means): Presence {
  const { nodeId, shared } = storage.coordination;
  const elsewhere = new Map<string, { readonly users: ReadonlySet<string>; readonly at: number }>();
  let told = { text: "[]", at: Number.NEGATIVE_INFINITY };
  return {
    has(user) {
      if (here().has(user)) return true;
      const since = clock.monotonicMs() - KEPT_MS;
      return [...elsewhere.values()].some(({ users, at }) => at >= since && users.has(user));
    },
    async tick() {
      if (!shared) return;
      const users = [...here()].sort().slice(0, MOST_NAMES);
      const text = JSON.stringify(users);
      const now = clock.monotonicMs();
      const isSame = text === told.text;
      if (isSame && (users.length === 0 || now - told.at < AGAIN_MS)) return;
      told = { text, at: now };
      await tell({ node: nodeId, users });
    },
    hear({ node, users }) {
      if (node !== nodeId) elsewhere.set(node, { users: new Set(users), at: clock.monotonicMs() });
    },
  };
}

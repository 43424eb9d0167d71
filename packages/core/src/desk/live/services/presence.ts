import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** Message to the other nodes: the people with an open stream on one node. */
export const Connected = object(() => ({ node: z.string(), users: z.array(z.string()) }));
export type Connected = z.infer<typeof Connected>;

/** People with an open stream on any node. */
export interface Presence {
  has(user: string): boolean;
  /** Sends the names of the people on this node to the others, when they change and every 30 seconds. */
  tick(): Promise<void>;
  /** True = there are no other nodes to send anything to. */
  isIdle(): boolean;
  /** Stores the names that another node sent. */
  hear(news: Connected): void;
}

const AGAIN_MS = 30_000;
/**
 * Maximum names in a message. PostgreSQL bounds it to 7,900 bytes, and a longer one would make all nodes read everything again.
 */
const MOST_NAMES = 100;
/** Milliseconds without a message after which a node no longer counts. */
const KEPT_MS = 75_000;

interface Means {
  /** Names of the people connected to this node. */
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
    isIdle: () => !shared,
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

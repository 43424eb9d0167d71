import type { Change } from "../model.ts";

/** Definitions that are sent as whole lists, since there are few of them (docs/contract/live.md#kinds-of-changes). */
const LISTS: ReadonlySet<string> = new Set([
  ...["groups", "plugins", "categories", "events", "channels", "web_hooks", "buckets", "secrets"],
  ...["monitors", "alerts", "tags", "roles", "heartbeats", "checks", "receivers", "routes", "rotas"],
]);
/** Definitions that are sent one by one. */
const SINGLES: Readonly<Record<string, "key" | "user">> = { api_keys: "key", users: "user" };

export function changesOfDefinitions(collection: string, ids: readonly string[]): Change[] {
  const kind = Object.hasOwn(SINGLES, collection) ? SINGLES[collection] : undefined;
  if (kind) return ids.map((id) => ({ kind, id }));
  if (collection === "state") return [{ kind: "state" }];
  return LISTS.has(collection) ? [{ kind: "list", list: collection }] : [];
}

/** Deduplication key: pending changes with the same key are sent once. Each message to users has its own key. */
export function changeKey(change: Change, place: number): string {
  switch (change.kind) {
    case "list":
    case "bulk":
      return `${change.kind} ${change.list}`;
    case "session":
      return `session ${change.user}`;
    case "alerts":
    case "notices":
    case "jobs":
    case "state":
      return change.kind;
    case "ticket":
      return `ticket ${change.id} ${change.category}`;
    case "notify":
      return `notify ${place}`;
    default:
      return `${change.kind} ${change.id}`;
  }
}

/** Whether other nodes must be notified. Every node learns of changed definitions and of the global state by other means. */
export const isOwnNews = ({ kind }: Change): boolean => !["list", "key", "user", "state"].includes(kind);

/** Maximum bytes: PostgreSQL refuses messages of 8000 bytes, and the envelope needs some of that. */
const MAX_BYTES = 7000;

/** Splits changes into lists that each fit into one message between nodes. A change that is too large by itself is dropped. */
export function packChanges(changes: readonly Change[]): Change[][] {
  const packs: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(change)) + 1;
    if (size > MAX_BYTES) continue;
    if (size > room) {
      packs.push([]);
      room = MAX_BYTES;
    }
    packs.at(-1)?.push(change);
    room -= size;
  }
  return packs;
}

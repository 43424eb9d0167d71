import type { Change } from "../model.ts";

/** Definitions that are few and told as whole lists (docs/contract/live.md#kinds-of-changes). */
const LISTS: ReadonlySet<string> = new Set([
  ...["groups", "plugins", "categories", "events", "channels", "web_hooks", "buckets", "secrets"],
  ...["monitors", "alerts", "tags", "roles", "heartbeats", "checks", "receivers", "routes", "rotas"],
]);
/** Definitions that are told one by one. */
const SINGLES: Readonly<Record<string, "key" | "user">> = { api_keys: "key", users: "user" };

export function changesOfDefinitions(collection: string, ids: readonly string[]): Change[] {
  const kind = Object.hasOwn(SINGLES, collection) ? SINGLES[collection] : undefined;
  if (kind) return ids.map((id) => ({ kind, id }));
  if (collection === "state") return [{ kind: "state" }];
  return LISTS.has(collection) ? [{ kind: "list", list: collection }] : [];
}

/** Key of a change: untold changes with the same key are told once; messages to users are told each. */
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

/** Whether other nodes must be told: every node hears of changed definitions, and of the global state, by itself. */
export const isOwnNews = ({ kind }: Change): boolean => !["list", "key", "user", "state"].includes(kind);

/** PostgreSQL refuses messages of 8000 bytes; the frame around the changes takes its part. */
const MAX_BYTES = 7000;

/** Lists of changes, each small enough for one message between nodes. A change that fits none is left out. */
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

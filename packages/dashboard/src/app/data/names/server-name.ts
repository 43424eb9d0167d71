import { signal } from "@preact/signals";
import { api } from "../calls/session.ts";
import { onLive } from "../live.ts";

interface Named {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly hostname?: string | undefined;
}

/** Most servers per request. */
const AT_ONCE = 100;
const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();
const waiting: string[] = [];
let isListening = false;

/** A server's title, else its hostname, else its id. */
export const nameOf = ({ id, title, hostname }: Named): string => title || hostname || id;

/** Keeps the name of a server that is about to leave the list of connected servers. */
export function keepName(server: Named): void {
  names.value = new Map(names.peek()).set(server.id, nameOf(server));
}

async function ask(): Promise<void> {
  while (waiting.length > 0) {
    const query = `#id:${waiting.splice(0, AT_ONCE).join("|")}`;
    const { rows } = await api.searchServers({ query, limit: AT_ONCE });
    names.value = new Map([...names.peek(), ...rows.map((row): [string, string] => [row.id, nameOf(row)])]);
  }
}

/**
 * Name of a server that is not connected and so not in the list of servers; alerts, jobs and snapshots name such servers as well.
 * Undefined until the answer comes, and when no record has this id. Read it in a component, which renders again when the names
 * come.
 */
export function awayName(id: string): string | undefined {
  const name = names.value.get(id);
  if (name !== undefined || asked.has(id)) return name;
  if (!isListening) onLive("back", () => asked.clear());
  isListening = true;
  asked.add(id);
  // One request covers all names that a render asks for.
  if (waiting.push(id) === 1) setTimeout(() => ask().catch(console.error));
  return undefined;
}

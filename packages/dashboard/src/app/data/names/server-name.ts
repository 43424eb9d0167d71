import { signal } from "@preact/signals";
import { api } from "../calls/session.ts";
import { onLive } from "../live.ts";

interface Named {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly hostname?: string | undefined;
}

/** Servers that one question names. */
const AT_ONCE = 100;
const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();
const waiting: string[] = [];
let isListening = false;

/** Title of a server, its hostname without one, else its id. */
export const nameOf = ({ id, title, hostname }: Named): string => title || hostname || id;

/** Keeps the name of a server that the list of connected ones is about to lose. */
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
 * Name of a server that is not connected, which the list of servers does not hold: alerts, jobs and snapshots name those as well. Undefined
 * until the answer is there, and where no record has this id. Read it in a component, which is drawn again when the names come.
 */
export function awayName(id: string): string | undefined {
  const name = names.value.get(id);
  if (name !== undefined || asked.has(id)) return name;
  if (!isListening) onLive("back", () => asked.clear());
  isListening = true;
  asked.add(id);
  // All that one drawing asks for go into one question.
  if (waiting.push(id) === 1) setTimeout(() => ask().catch(console.error));
  return undefined;
}

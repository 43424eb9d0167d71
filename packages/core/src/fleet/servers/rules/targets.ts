/** A server to choose from, with the members that matter for the choice. */
export interface Candidate {
  readonly id: string;
  readonly hostname: string;
  readonly title?: string | null | undefined;
  readonly groups: readonly string[];
  readonly enabled?: boolean | null | undefined;
}

/**
 * The servers that a list of server and group ids names, in its order and without duplicates
 * (docs/contract/events.md#choice-of-a-server).
 */
export function resolveTargets<T extends Candidate>(targets: readonly string[] | string, connected: readonly T[]): T[] {
  const names = typeof targets === "string" ? targets.split(",").map((name) => name.trim()) : targets;
  const byId = new Map(connected.map((server) => [server.id, server]));
  const found = new Map<string, T>();
  for (const name of new Set(names)) {
    const server = byId.get(name);
    const members = server ? [server] : connected.filter(({ groups }) => groups.includes(name));
    for (const member of members) if (!found.has(member.id)) found.set(member.id, member);
  }
  return [...found.values()].filter(({ enabled }) => enabled);
}

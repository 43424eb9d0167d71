import type { Group } from "../model.ts";

/** True when a pattern is found in a text; false for patterns that are not valid regular expressions or take too long. */
export type PatternTest = (pattern: string, subject: string) => boolean;

/**
 * Groups whose pattern is found in the hostname, in the order of the list (docs/contract/servers.md#automatic). An empty pattern
 * matches nothing.
 */
export function matchingGroups(hostname: string, groups: readonly Group[], test: PatternTest): string[] {
  return groups
    .filter(({ hostname_match }) => hostname_match !== "" && test(hostname_match, hostname))
    .map(({ id }) => id);
}

/** The part of a server that decides its groups. */
export interface Member {
  readonly hostname: string;
  readonly groups: readonly string[];
  readonly autoGroup: boolean;
}

/**
 * Groups of a server, and whether they stay automatic. A manual list loses the ids of deleted groups; when that empties it, it
 * becomes automatic (docs/contract/servers.md#by-hand).
 */
export function groupsOf(
  server: Member,
  groups: readonly Group[],
  test: PatternTest,
): { groups: string[]; autoGroup: boolean } {
  const automatic = (): { groups: string[]; autoGroup: boolean } => ({
    groups: matchingGroups(server.hostname, groups, test),
    autoGroup: true,
  });
  if (server.autoGroup) return automatic();
  const known = new Set(groups.map(({ id }) => id));
  const kept = server.groups.filter((id) => known.has(id));
  if (kept.length === 0 && server.groups.length > 0) return automatic();
  return { groups: kept, autoGroup: false };
}

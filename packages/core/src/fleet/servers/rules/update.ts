import { groupsOf } from "../../../directory/groups/rules/membership.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { mergeSparse } from "../../../wire/fields/stamps.ts";
import type { Server } from "../model.ts";
import { type Grouping, keywordsOf } from "./joining/connect.ts";

type Sent = Readonly<Record<string, unknown>>;

/**
 * Facts of the machine and its connection, which callers may not set (docs/contract/servers.md#operations-on-servers).
 */
const PROTECTED: ReadonlySet<string> = new Set([
  "id",
  "hostname",
  "ip",
  "socket_id",
  "info",
  "keywords",
  "created",
  "modified",
  "revision",
  "delete",
  "online",
  "node",
]);

/** The members of a call that may be stored. */
export function storableMembers(sent: Sent): Record<string, unknown> {
  return filterMembers(sent, (member) => !PROTECTED.has(member));
}

interface Membership {
  readonly groups: readonly string[];
  readonly autoGroup: boolean;
}

/**
 * Groups after an update (docs/contract/servers.md#by-hand): naming groups makes them manual, `autoGroup: true` makes
 * them automatic again.
 */
export function updatedMembership(
  stored: Server,
  sent: { readonly groups?: readonly string[] | undefined; readonly autoGroup?: boolean | null | undefined },
  { groups, test }: Grouping,
): Membership {
  const kept = sent.groups && sent.groups.length > 0 ? false : stored.autoGroup;
  const autoGroup = sent.autoGroup === undefined ? kept : Boolean(sent.autoGroup);
  if (sent.autoGroup !== true && sent.groups) return { groups: [...new Set(sent.groups)], autoGroup };
  return groupsOf({ hostname: stored.hostname, groups: stored.groups, autoGroup }, groups, test);
}

export interface ServerChange {
  /** Members to store, except `groups` and `autoGroup`. */
  readonly members: Sent;
  readonly membership: Membership;
  /** Unix seconds. */
  readonly now: number;
}

/** The server with its revision increased. */
export const counted = (server: Server): Server => ({ ...server, revision: (server.revision ?? 0) + 1 });

/** The record after an update. */
export function updatedServer(stored: Server, { members, membership, now }: ServerChange): Server {
  const { groups, autoGroup } = membership;
  const merged: Server = { ...counted(mergeSparse(stored, members)), groups: [...groups], autoGroup, modified: now };
  return { ...merged, keywords: keywordsOf(merged) };
}

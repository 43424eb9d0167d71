import type { Server } from "../../servers/model.ts";

/** A server in a group snapshot. */
export interface GroupMember {
  readonly server: Server;
  readonly offline: boolean;
}

/** Seconds after which a disconnected server is no longer a member. */
const MAX_AWAY = 3600;

export interface KnownServers {
  readonly active: readonly Server[];
  /** Servers that disconnected recently; `modified` is when. */
  readonly recent: readonly Server[];
}

/**
 * Connected members, then members that disconnected within the hour. A server that is changing at this very moment is
 * left out.
 */
export function membersOf(group: string, { active, recent }: KnownServers, now: number): GroupMember[] {
  const belongs = ({ groups }: Server): boolean => groups.includes(group);
  const settled = active.filter((server) => belongs(server) && now - server.modified >= 1);
  const away = recent.filter((server) => belongs(server) && now - server.modified <= MAX_AWAY);
  return [
    ...settled.map((server) => ({ server, offline: false })),
    ...away.map((server) => ({ server, offline: true })),
  ];
}

import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import type { HostRecord, PublicHostRecord, PublicServer, Server, ServerName } from "../../model.ts";
import { withCombo } from "../joining/connect.ts";
import { commandsFor } from "../minutes/command-lines.ts";

/** Connection of a server, and its node if there may be several. */
export interface Whereabouts {
  readonly online: boolean;
  readonly node?: string;
}

interface View extends Whereabouts {
  /** True = also shows the connection, for administrators. */
  readonly isAdmin?: boolean;
}

/** A server as callers see it (docs/contract/servers.md#server): with `online` and `node`, without internal members. */
export function publicServer(server: Server, { online, node, isAdmin = false }: View): PublicServer {
  const { delete: _hint, socket_id, ...rest } = server;
  return {
    ...(rest as Server),
    ...(isAdmin && socket_id !== undefined ? { socket_id } : {}),
    online,
    ...(node && { node }),
  };
}

export const nameOfServer = ({ id, hostname, title, icon, groups, enabled, depends_on }: Server): ServerName => ({
  id,
  hostname,
  title,
  icon,
  groups,
  enabled,
  depends_on,
});

/** A server as callers see it, but without `online`, which is not part of the stored record. */
export function storedServer(server: Server): Server {
  const { online: _online, ...members } = publicServer(server, { online: false });
  return members as Server;
}

/**
 * A host record as a caller may see it (docs/contract/monitors.md#record-of-the-last-minute). The members `cpu`, `mem`,
 * `disk` and `net`, and the name of the processor, are computed on reading. Arguments of processes are only for callers
 * with a privilege on the server.
 */
export function publicHostRecord(
  caller: Parameters<typeof commandsFor>[0],
  { id: _id, data: stored, ...record }: HostRecord,
): PublicHostRecord {
  const shown = commandsFor(caller, stored);
  const { cpu } = shown;
  const data = isObject(cpu) ? { ...shown, cpu: withCombo(cpu) } : shown;
  const aliases = {
    cpu: data["cpu"],
    mem: data["memory"],
    disk: data["mounts"],
    net: membersOf(data["stats"])["network"],
  };
  const known = Object.entries(aliases).filter(([, value]) => value !== undefined);
  return { ...record, data, ...Object.fromEntries(known) };
}

/**
 * Title and hostname, or just the hostname if there is no title. The parts that the configuration strips must already
 * be removed.
 */
export function niceServer({ title, hostname }: { title?: string | null | undefined; hostname: string }): string {
  return title ? `${title} (${hostname})` : hostname;
}

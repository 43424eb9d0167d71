import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import type { HostRecord, PublicHostRecord, PublicServer, Server, ServerName } from "../../model.ts";
import { withCombo } from "../joining/connect.ts";
import { commandsFor } from "../minutes/command-lines.ts";

/** Connection of a server, and the node that it is connected to where there may be several. */
export interface Whereabouts {
  readonly online: boolean;
  readonly node?: string;
}

interface View extends Whereabouts {
  /** Administrators also see the connection. */
  readonly isAdmin?: boolean;
}

/** A server as callers see it (docs/contract/servers.md#server): with `online` and `node`, without internal hints. */
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
  ...{ id, hostname, title, icon, groups, enabled, depends_on },
});

/** A server as callers see it without `online`, which says who is connected and is not stored. */
export function storedServer(server: Server): Server {
  const { online: _online, ...members } = publicServer(server, { online: false });
  return members as Server;
}

/**
 * A host record as a caller may see it (docs/contract/monitors.md#record-of-the-last-minute): the members `cpu`, `mem`,
 * `disk` and `net`, and the name of the processor, are made when it is read. Arguments of processes are for callers with a
 * right over the server.
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

/** Title with hostname where there is a title; the parts that configuration strips are gone from the hostname. */
export function niceServer({ title, hostname }: { title?: string | null | undefined; hostname: string }): string {
  return title ? `${title} (${hostname})` : hostname;
}

import { type Caller, requireAccess } from "../../directory/access/require-access.ts";
import type { QueryContext } from "../../kernel/calls/context.ts";
import { NotFoundError } from "../../kernel/errors/errors.ts";
import type { Server } from "./model.ts";

/** Limited callers reach a server or group that shares a group with them; without any group it is invisible to them. */
export function requireTarget(caller: Caller, { id, groups }: { id: string; groups: readonly string[] }): void {
  requireAccess(caller, { targets: groups.length > 0 ? groups : [id] });
}

/** A server that is connected, left not long ago, or is stored, and that the caller may see. */
export async function requireServer(
  id: string,
  { actor, services, tx }: Pick<QueryContext, "actor" | "services" | "tx">,
): Promise<Server> {
  const server = await services.servers.find(tx, id);
  if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
  requireAccess(actor, { serverGroups: server.groups, server: id });
  return server;
}

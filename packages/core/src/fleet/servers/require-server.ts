import { type Caller, requireAccess } from "../../directory/access/require-access.ts";
import type { QueryContext } from "../../kernel/calls/context.ts";
import { NotFoundError } from "../../kernel/errors/errors.ts";
import type { Server } from "./model.ts";

/**
 * Requires access to a server or group. Limited callers reach it through a shared group; without any group it is
 * invisible to them.
 */
export function requireTarget(caller: Caller, { id, groups }: { id: string; groups: readonly string[] }): void {
  requireAccess(caller, { targets: groups.length > 0 ? groups : [id] });
}

/** Finds a server that the caller may see: connected, recently disconnected or stored. */
export async function requireServer(
  id: string,
  { actor, services, tx }: Pick<QueryContext, "actor" | "services" | "tx">,
): Promise<Server> {
  const server = await services.servers.find(tx, id);
  if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
  requireAccess(actor, { serverGroups: server.groups, server: id });
  return server;
}

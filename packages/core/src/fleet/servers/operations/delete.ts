import type { CommandContext } from "../../../kernel/calls/context.ts";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import type { Server } from "../model.ts";
import { CLOSE_KIND, REMOVE_KIND, REMOVE_SEC, UNINSTALL_KIND, UNINSTALL_SEC } from "../rules/departure.ts";
import { DeleteServer } from "./inputs.ts";

export const deleteServer = defineCommand({
  name: "delete_server",
  method: "ANY",
  summary: "Uninstall the agent of a server; with its history, everything stored about it goes too, in the background.",
  access: admin,
  refuses: ["notfound", "server"],
  input: DeleteServer,
  output: Done,
  async handler({ id, history }, context) {
    const { audit, services, tx } = context;
    const connected = services.servers.anywhere(id);
    const server = connected ?? (await services.servers.find(tx, id));
    if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
    if (connected || history) await services.deletedServers.note(tx, id, { history });
    if (connected) await uninstall(connected, history, context);
    else if (history) await tx.enqueue(REMOVE_KIND, { id }, { key: id });
    else throw new DomainError("server", "conflict", `Server has gone offline: ${id}`);
    audit("server_delete", { description: "", server_id: id, hostname: server.hostname || id, keywords: [id] });
    return {};
  },
});

/**
 * Tells the agent to uninstall itself after the commit, and closes the connection if the agent stays. History is
 * deleted when the connection ends.
 */
async function uninstall({ id, socket_id = "" }: Server, history: boolean, context: CommandContext): Promise<void> {
  const { now, services, tx } = context;
  const departure = { id, socket: socket_id, ...(history ? { history } : {}) };
  const pin = services.servers.pinTo(id);
  await tx.enqueue(UNINSTALL_KIND, departure, { ...pin, key: id });
  await tx.enqueue(CLOSE_KIND, departure, { ...pin, key: id, runAt: now + UNINSTALL_SEC });
  if (!history) return;
  await tx.enqueue(REMOVE_KIND, { id }, { key: id, runAt: now + REMOVE_SEC });
  tx.afterCommit(() => services.servers.expectRemoval(id));
}

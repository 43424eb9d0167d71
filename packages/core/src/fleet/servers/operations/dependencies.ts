import { mayAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { serverCollection } from "../collection.ts";
import type { Server } from "../model.ts";

const MAX_PARENTS = 20;

const refuse = (text: string): never => {
  throw new DomainError("server", "malformed", text);
};

/**
 * Refuses parents that do not exist or are out of the caller's reach, and cycles. Stored parents may stay even if they
 * were deleted meanwhile: pages send the whole list.
 */
export async function checkDependencies(
  { depends_on: sent }: { readonly depends_on?: unknown },
  { id, depends_on: stored }: Pick<Server, "id" | "depends_on">,
  context: CommandContext,
): Promise<void> {
  if (sent === undefined || sent === null) return;
  const parents = readIds(sent);
  const added = parents.filter((parent) => !stored?.includes(parent));
  const unknown = await unknownOf(added, context);
  if (unknown !== undefined) refuse(`Unknown server in depends_on: ${unknown}`);
  const fault = await context.services.alerts.dependencyFault(context.tx, { place: id, parents });
  if (fault !== undefined) refuse(fault);
}

function readIds(sent: unknown): readonly string[] {
  const isList = Array.isArray(sent) && sent.length <= MAX_PARENTS && sent.every((each) => typeof each === "string");
  return isList ? sent : refuse("Invalid value for depends_on");
}

/** The first parent that does not exist or is out of the caller's reach. */
async function unknownOf(
  parents: readonly string[],
  { actor, services, tx }: CommandContext,
): Promise<string | undefined> {
  const servers = await tx.collection(serverCollection).getMany(parents);
  return parents.find((parent, at) => {
    const category = services.checks.categoryAt(parent);
    const server = servers[at];
    if (category !== undefined) return !mayAccess(actor, { category });
    return !server || !mayAccess(actor, { serverGroups: server.groups });
  });
}

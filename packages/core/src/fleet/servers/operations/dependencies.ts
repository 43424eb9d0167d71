import { mayAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { serverCollection } from "../collection.ts";

const MAX_PARENTS = 20;

const refuse = (text: string): never => {
  throw new DomainError("server", "malformed", text);
};

/** Refuses parents that do not exist or are out of the caller's reach, and circles. */
export async function checkDependencies(
  { id, depends_on: sent }: { readonly id: string; readonly depends_on?: unknown },
  context: CommandContext,
): Promise<void> {
  if (sent === undefined || sent === null) return;
  const parents = readIds(sent);
  const unknown = await unknownOf(parents, context);
  if (unknown !== undefined) refuse(`Unknown server in depends_on: ${unknown}`);
  const fault = await context.services.alerts.dependencyFault(context.tx, { place: id, parents });
  if (fault !== undefined) refuse(fault);
}

function readIds(sent: unknown): readonly string[] {
  const isList = Array.isArray(sent) && sent.length <= MAX_PARENTS && sent.every((each) => typeof each === "string");
  return isList ? sent : refuse("Invalid value for depends_on");
}

/** The first parent that there is not, or that the caller does not reach. */
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

import { mayAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/context.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { chainFault, MAX_DEPTH } from "../../../lib/dependency-chain.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { serverCollection } from "../collection.ts";

const MAX_PARENTS = 20;

const refuse = (text: string): never => {
  throw new DomainError("server", "malformed", text);
};

/** Refuses parents that do not exist or are out of the caller's reach, and circles. */
export async function checkDependencies(
  { id, depends_on: sent }: { readonly id: string; readonly depends_on?: unknown },
  { actor, tx }: CommandContext,
): Promise<void> {
  if (sent === undefined || sent === null) return;
  const parents = readIds(sent);
  const servers = await tx.collection(serverCollection).getMany(parents);
  const unknown = parents.find((_id, at) => {
    const server = servers[at];
    return !server || !mayAccess(actor, { serverGroups: server.groups });
  });
  if (unknown !== undefined) refuse(`Unknown server in depends_on: ${unknown}`);
  const known = await parentsAbove(tx, id, parents);
  const fault = chainFault(id, (each) => known.get(each) ?? []);
  if (fault !== undefined) refuse(fault);
}

function readIds(sent: unknown): readonly string[] {
  const isList = Array.isArray(sent) && sent.length <= MAX_PARENTS && sent.every((each) => typeof each === "string");
  return isList ? sent : refuse("Invalid value for depends_on");
}

/** Of all servers that lie within the longest allowed chain. */
async function parentsAbove(tx: ReadTx, id: string, parents: readonly string[]) {
  const known = new Map<string, readonly string[]>([[id, parents]]);
  let next = parents.filter((each) => each !== id);
  for (let depth = 0; depth <= MAX_DEPTH && next.length > 0; depth++) {
    const servers = await tx.collection(serverCollection).getMany(next);
    for (const [at, each] of next.entries()) known.set(each, servers[at]?.depends_on ?? []);
    next = [...new Set(next.flatMap((each) => known.get(each) ?? []))].filter((each) => !known.has(each));
  }
  return known;
}

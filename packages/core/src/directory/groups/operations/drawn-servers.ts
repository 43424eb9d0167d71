import { serverCollection } from "../../../fleet/servers/collection.ts";
import type { CommandContext } from "../../../kernel/context.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { mayAccess, requireAccess } from "../../auth/require-access.ts";
import { groupCollection } from "../collection.ts";

const PAGE = 50;
const automatic: SearchNode = { kind: "term", field: "autoGroup", words: ["true"] };
const after = (id: string): SearchNode => ({ kind: "compare", field: "id", operator: "gt", value: id });

interface Pattern {
  /** Of the group. */
  readonly id: string;
  /** Undefined = it stays as it is. */
  readonly hostname_match?: string | undefined;
}

/**
 * Throws `AccessError` when the pattern that a limited writer gives a group would draw servers into it which are in none
 * of the writer's groups: the writer would reach them from then on.
 */
export async function requireDrawn(
  { actor, services, tx }: Pick<CommandContext, "actor" | "services" | "tx">,
  { id, hostname_match: pattern }: Pattern,
): Promise<void> {
  if (pattern === undefined || mayAccess(actor, { group: "*" })) return;
  const stored = await tx.collection(groupCollection).get(id);
  if (pattern === "" || pattern === stored?.hostname_match) return;
  const servers = tx.collection(serverCollection);
  for (let last: string | undefined = ""; last !== undefined; ) {
    const where: SearchNode = { kind: "and", nodes: [automatic, after(last)] };
    const { rows } = await servers.find(where, { sortBy: "id", limit: PAGE });
    const foreign = rows.some(
      ({ groups, hostname }) =>
        !mayAccess(actor, { serverGroups: groups }) && services.servers.matches(pattern, hostname),
    );
    if (foreign) requireAccess(actor, { group: "*" });
    last = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}

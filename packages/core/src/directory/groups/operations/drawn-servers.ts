import type { CommandContext } from "../../../kernel/calls/context.ts";
import { mayAccess, requireAccess } from "../../access/require-access.ts";
import { groupCollection } from "../collection.ts";

interface Pattern {
  /** Id of the group. */
  readonly id: string;
  /** Undefined = unchanged. */
  readonly hostname_match?: string | undefined;
}

/**
 * Throws `AccessError` when a limited writer's pattern would add servers to the group that are in none of the writer's groups:
 * the writer would gain access to them.
 */
export async function requireDrawn(
  { actor, services, tx }: Pick<CommandContext, "actor" | "services" | "tx">,
  { id, hostname_match: pattern }: Pattern,
): Promise<void> {
  if (pattern === undefined || mayAccess(actor, { group: "*" })) return;
  const stored = await tx.collection(groupCollection).get(id);
  if (pattern === "" || pattern === stored?.hostname_match) return;
  for (let page = await services.servers.automaticAfter(tx, ""); page.length > 0; ) {
    const foreign = page.some(
      ({ groups, hostname }) =>
        !mayAccess(actor, { serverGroups: groups }) && services.servers.matches(pattern, hostname),
    );
    if (foreign) requireAccess(actor, { group: "*" });
    page = await services.servers.automaticAfter(tx, page.at(-1)?.id ?? "");
  }
}

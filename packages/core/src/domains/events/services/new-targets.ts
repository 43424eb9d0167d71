import type { CommandContext } from "../../../kernel/context.ts";
import { requireAccess } from "../../auth/require-access.ts";
import { reachesServer, reachOf } from "../../auth/rules/reach.ts";
import type { Event } from "../model.ts";
import { paramsOf } from "../rules/normalise.ts";
import { overrideTargets } from "../rules/run-request.ts";

/** All that an event may run on: parameters of its own or of a trigger can take the place of its targets. */
const targetsOf = ({ params, targets, triggers }: Event): string[] => [
  ...targets,
  ...[params, ...triggers.map(paramsOf)].flatMap((each) => overrideTargets(each) ?? []),
];

/**
 * Throws `AccessError` when a writer who is limited to groups adds a target beyond them. Foreign targets that are stored
 * may stay (part 11, correction 2): otherwise nobody could edit an event that is shared with other groups.
 */
export async function requireNewTargets(
  { actor, services, tx }: Pick<CommandContext, "actor" | "services" | "tx">,
  event: Event,
  stored?: Event,
): Promise<void> {
  const reach = reachOf(actor);
  if (!reach) return;
  const known = new Set(stored ? targetsOf(stored) : []);
  const foreign: string[] = [];
  for (const target of new Set(targetsOf(event))) {
    if (known.has(target) || reachesServer(reach, { groups: [target] })) continue;
    const server = await services.servers.find(tx, target);
    if (!server || !reachesServer(reach, server)) foreign.push(target);
  }
  if (foreign.length > 0) requireAccess(actor, { targets: foreign });
}

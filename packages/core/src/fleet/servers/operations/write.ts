import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { groupRecords } from "../../../directory/groups/records.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { AccessError, InputError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { type Condition, requireRevision } from "../../../wire/fields/revision.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { serverCollection } from "../collection.ts";
import { PublicServer, type Server } from "../model.ts";
import { CHANGED_MESSAGE } from "../rules/messages.ts";
import { storedServer } from "../rules/shown/public.ts";
import { counted, storableMembers, updatedMembership, updatedServer } from "../rules/update.ts";
import { isTooLarge, mergedData } from "../rules/user-data.ts";
import { checkDependencies } from "./dependencies.ts";
import { UpdateServer, UpdateServerData } from "./inputs.ts";
import { requireServer, shown } from "./visible.ts";

/**
 * Locks and reads the stored record, and refuses callers who may not change it. Writers of one server are serialised.
 */
async function requireStored(
  { id, ...condition }: { readonly id: string } & Condition,
  { actor, tx }: CommandContext,
): Promise<Server> {
  await tx.lock(`server:${id}`);
  const server = await tx.collection(serverCollection).get(id);
  if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
  requireServer(actor, server);
  requireRevision({ code: "server", noun: serverCollection.noun }, server, condition);
  return server;
}

/** The facts of a connected server are more recent in memory than in the storage. */
const withFreshInfo = (server: Server, { services }: CommandContext): Server => {
  const connected = services.servers.get(server.id);
  return connected ? { ...server, info: connected.info } : server;
};

/** Groups of a server after an update. Refuses groups that do not exist, and groups that the caller may not assign. */
async function nextMembership(
  stored: Server,
  sent: z.output<typeof UpdateServer>,
  { actor, services, tx }: CommandContext,
) {
  const groups = await tx.collection(groupRecords).list();
  const membership = updatedMembership(stored, sent, { groups, test: services.servers.matches });
  // `autoGroup: true` overrides groups that are sent.
  const chosen = sent.autoGroup ? [] : (sent.groups ?? []);
  const added = chosen.filter((id) => !stored.groups.includes(id));
  // Checked first, so that callers limited to groups do not learn which others exist
  // (docs/contract/servers.md#operations-on-servers).
  const addsOwn = added.every((group) => mayAccess(actor, { group }));
  if (!addsOwn || !mayAccess(actor, { serverGroups: membership.groups }))
    throw new AccessError("You do not have the required account privileges to assign the requested server groups.");
  const known = new Set(groups.map(({ id }) => id));
  const unknown = chosen.find((id) => !known.has(id));
  if (unknown !== undefined) throw new InputError(`Unknown group: ${unknown}`);
  return membership;
}

export const updateServer = defineCommand({
  name: "update_server",
  method: "ANY",
  summary: "Change a server; members not sent stay unchanged, facts of the machine cannot be changed.",
  access: privilege("update_servers"),
  refuses: ["notfound", "server"],
  accepts: ["last_time_code", "delete"],
  input: UpdateServer,
  output: object(() => ({ server: PublicServer })),
  async handler(input, context) {
    const { actor, audit, now, services, tx } = context;
    const { id } = input;
    const stored = await requireStored(input, context);
    if (input.userData && isTooLarge(input.userData)) throw new InputError("Record is too large.");
    await checkDependencies(input, stored, context);
    const { groups: _groups, autoGroup: _autoGroup, ...members } = storableMembers(input);
    const membership = await nextMembership(stored, input, context);
    const fresh = updatedServer(withFreshInfo(stored, context), { members, membership, now });
    // The storage keeps the facts as of the last connection or disconnection.
    const server = await tx.collection(serverCollection).update(id, ({ info }) => ({ ...fresh, info }));
    const regrouped = input.groups || input.autoGroup !== undefined ? membership : {};
    audit("server_update", { ...subjectOf(server), updates: { ...members, ...regrouped } });
    release(server, context);
    return { server: shown(actor, fresh, services.servers.whereabouts(id)) };
  },
});

/** Publishes a change on commit: to this node's memory, other nodes, the agent and listeners of in-process events. */
function release(server: Server, { emit, services, tx }: CommandContext): void {
  const { id } = server;
  tx.publish({ type: CHANGED_MESSAGE, payload: { id } });
  tx.afterCommit(() => services.servers.stored(server));
  emit("server.updated", storedServer(server));
}

/** Activity rows name the server that they are about, and nothing else of it. */
const subjectOf = ({ id, hostname }: Server) => ({ description: "", server_id: id, hostname, keywords: [id] });

export const updateServerData = defineCommand({
  name: "update_server_data",
  summary: "Change the data that a server keeps for jobs: top-level members are overwritten, or all is replaced.",
  access: privilege("update_servers"),
  refuses: ["notfound", "server"],
  example: { id: "smh2x8k1a01", data: { rack: "B4" } },
  input: UpdateServerData,
  output: object(() => ({ data: z.record(z.string(), z.unknown()) })),
  async handler({ id, if_revision, data: sent, replace }, context) {
    const { audit, tx } = context;
    const stored = await requireStored({ id, if_revision }, context);
    const data = mergedData(stored.userData, sent, replace);
    if (isTooLarge(data)) throw new InputError("Record is too large.");
    // `modified` stays: jobs store data every minute.
    const server = await tx
      .collection(serverCollection)
      .update(id, (current) => ({ ...counted(current), userData: data }));
    audit("server_update", { ...subjectOf(server), updates: { userData: Object.keys(sent) } });
    release(server, context);
    return { data };
  },
});

import * as z from "zod";
import { NotFoundError } from "../../kernel/errors.ts";
import { credentials, defineQuery } from "../../kernel/operation.ts";
import { Id } from "../../wire/fields.ts";
import { asList, listOf, NoParameters } from "../../wire/lists.ts";
import { type Caller, mayAccess, requireAccess } from "../auth/require-access.ts";
import { hostCollection } from "./collection.ts";
import { PublicHostRecord, PublicServer, type Server } from "./model.ts";
import { publicHostRecord, publicServer } from "./rules/public.ts";

const ById = z.looseObject({ id: Id });

/** Limited callers see servers of their groups only; one without any group is invisible to them (part 21 §4). */
function requireTarget(caller: Caller, { id, groups }: Server): void {
  requireAccess(caller, { targets: groups.length > 0 ? groups : [id] });
}

export const getActiveServers = defineQuery({
  name: "get_active_servers",
  method: "GET",
  summary: "List the connected servers the caller may see.",
  access: credentials,
  input: NoParameters,
  output: listOf(PublicServer),
  async handler(_input, { actor, services }) {
    const visible = services.servers.active().filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
    return asList(visible.map((server) => publicServer(server, true)));
  },
});

export const getActiveServer = defineQuery({
  name: "get_active_server",
  method: "ANY",
  summary: "Read one connected server.",
  access: credentials,
  input: ById,
  output: z.object({ server: PublicServer }),
  async handler({ id }, { actor, services }) {
    const server = services.servers.get(id);
    if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
    requireTarget(actor, server);
    return { server: publicServer(server, true) };
  },
});

export const getServer = defineQuery({
  name: "get_server",
  method: "GET",
  summary: "Read one server, connected or not, with its last minute of monitoring data.",
  access: credentials,
  input: ById,
  output: z.object({ server: PublicServer, data: PublicHostRecord, online: z.boolean() }),
  async handler({ id }, { actor, services, tx }) {
    const server = await services.servers.find(tx, id);
    if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
    requireTarget(actor, server);
    const online = services.servers.get(id) !== undefined;
    const record = await tx.collection(hostCollection).get(id);
    if (!record && !online) throw new NotFoundError("Failed to load server data: Error: Item not found");
    return { server: publicServer(server, online), data: record ? publicHostRecord(record) : {}, online };
  },
});

import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { asList, listOf, NoParameters } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { Conductor } from "../../nodes/model.ts";
import { byName } from "../../nodes/rules/entries.ts";
import { PublicHostRecord, PublicServer, ServerName } from "../model.ts";
import { requireTarget } from "../require-server.ts";
import { nameOfServer, publicHostRecord } from "../rules/shown/public.ts";
import { shown } from "./visible.ts";

const ById = looseObject(() => ({ id: Id }));

export const getActiveServers = defineQuery({
  name: "get_active_servers",
  summary: "List the connected servers the caller may see.",
  access: credentials,
  // Ours: `names` leaves out the facts of the machines, which make up most of a record.
  input: looseObject(() => ({ shape: z.enum(["rows", "names"]).optional() })),
  output: object(() => ({ ...listOf(PublicServer).shape, names: z.array(ServerName).optional() })),
  async handler({ shape }, { actor, services }) {
    const visible = services.servers.everywhere().filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
    if (shape === "names") return { ...asList([], visible.length), names: visible.map(nameOfServer) };
    return asList(visible.map((server) => shown(actor, server, services.servers.whereabouts(server.id))));
  },
});

export const getActiveServer = defineQuery({
  name: "get_active_server",
  method: "ANY",
  summary: "Read one connected server.",
  access: credentials,
  refuses: ["notfound"],
  input: ById,
  output: object(() => ({ server: PublicServer })),
  async handler({ id }, { actor, services }) {
    const server = services.servers.anywhere(id);
    if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
    requireTarget(actor, server);
    return { server: shown(actor, server, services.servers.whereabouts(server.id)) };
  },
});

export const getServer = defineQuery({
  name: "get_server",
  method: "ANY",
  summary: "Read one server, connected or not, with its last minute of monitoring data.",
  access: credentials,
  refuses: ["notfound"],
  input: ById,
  output: object(() => ({ server: PublicServer, data: PublicHostRecord, online: z.boolean() })),
  async handler({ id }, { actor, services, tx }) {
    const record = (await services.servers.newestRecords(tx, [id])).get(id);
    const server = await services.servers.find(tx, id);
    if (!server) throw new NotFoundError(`Failed to locate server: ${id}`);
    requireTarget(actor, server);
    const where = services.servers.whereabouts(id);
    const { online } = where;
    if (!record && !online) throw new NotFoundError("Failed to load server data: Error: Item not found");
    return { server: shown(actor, server, where), data: record ? publicHostRecord(actor, record) : {}, online };
  },
});

export const getServers = defineQuery({
  name: "get_servers",
  method: "ANY",
  summary: "Read the connected servers the caller may see, by id, and the nodes, by the names of their machines.",
  access: credentials,
  input: NoParameters,
  output: object(() => ({ servers: z.record(z.string(), PublicServer), masters: z.record(z.string(), Conductor) })),
  async handler(_input, { actor, services }) {
    const visible = services.servers.everywhere().filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
    return {
      servers: Object.fromEntries(
        visible.map((server) => [server.id, shown(actor, server, services.servers.whereabouts(server.id))]),
      ),
      masters: byName(await services.rollCall.take()),
    };
  },
});

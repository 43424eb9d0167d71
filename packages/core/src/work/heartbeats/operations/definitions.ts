import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { lockCategory } from "../../../directory/categories/records.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { findListed, insertListed } from "../../../kernel/definitions/listed.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { heartbeatCollection } from "../collection.ts";
import { CreateHeartbeat, Heartbeat, Ping, UpdateHeartbeat } from "../model.ts";
import { heartbeatFault, inPlaceOf, newHeartbeat, readSent } from "../rules/record.ts";

// Bounded, because each heartbeat is evaluated once a minute.
const listed = { collection: heartbeatCollection, code: "heartbeat", thing: "heartbeat", most: 5000 } as const;
const heartbeats = new ListedOperations({
  collection: heartbeatCollection,
  record: Heartbeat,
  name: "heartbeat",
  plural: "heartbeats",
  prefix: "hb",
  writers: privilege("manage_checks"),
});

/**
 * Checks that every stored heartbeat must pass; its category must be within the writer's reach. The server that it named `before`
 * may be gone, which is no reason to refuse other changes.
 */
async function checkHeartbeat(
  heartbeat: Heartbeat,
  { actor, services, tx }: CommandContext,
  before?: Heartbeat,
): Promise<void> {
  const fault = heartbeatFault(heartbeat);
  if (fault) throw heartbeats.refusal(fault);
  requireAccess(actor, { category: heartbeat.category });
  const missing = await lockCategory(tx, heartbeat.category);
  if (missing) throw heartbeats.refusal(missing);
  const { server } = heartbeat;
  if (server && server !== before?.server && !(await services.servers.find(tx, server)))
    throw heartbeats.refusal(`Server not found: ${server}`);
}

/** Refuses writers who do not reach the stored heartbeat; the write itself refuses an unknown one. */
async function requireStored(id: string, { actor, tx }: CommandContext): Promise<void> {
  const stored = await tx.collection(heartbeatCollection).get(id);
  if (stored) requireAccess(actor, { category: stored.category });
}

export const getHeartbeats = heartbeats.list({
  summary: "List all heartbeats: work elsewhere that calls an address when it has been done.",
  isShown: ({ category }, actor) => mayAccess(actor, { category }),
});

export const getHeartbeat = defineQuery({
  name: "get_heartbeat",
  method: "ANY",
  summary: "Read one heartbeat with the calls of its address, newest first.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ heartbeat: Heartbeat, pings: z.array(Ping) })),
  async handler({ id }, { actor, definitions, services, tx }) {
    const heartbeat = await findListed(definitions, listed, id);
    requireAccess(actor, { category: heartbeat.category });
    return { heartbeat, pings: await services.heartbeats.pingsOf(tx, id) };
  },
});

const WithToken = object(() => ({ heartbeat: Heartbeat, token: z.string(), url: z.string() }));

export const createHeartbeat = defineCommand({
  name: "create_heartbeat",
  summary: "Create a heartbeat; its token and address are answered this once, and kept as a hash.",
  access: privilege("manage_checks"),
  refuses: ["heartbeat"],
  input: CreateHeartbeat,
  output: WithToken,
  async handler(input, context) {
    const { actor, audit, emit, ids, now, services, tx } = context;
    const heartbeat = newHeartbeat(input, { id: input.id ?? ids.short("hb"), username: actor.id, now });
    await services.references.check(context, heartbeatCollection, heartbeat);
    await checkHeartbeat(heartbeat, context);
    await insertListed(tx, listed, heartbeat);
    audit("heartbeat_create", { heartbeat });
    emit("heartbeat.created", { id: heartbeat.id });
    return { heartbeat, ...(await services.heartbeats.renewToken({ tx }, heartbeat.id)) };
  },
});

export const updateHeartbeat = heartbeats.updateAndAnswer({
  summary: "Change a heartbeat; members not sent stay unchanged, and so does its address.",
  input: UpdateHeartbeat,
  async before(input, context) {
    await requireStored(input.id, context);
    await context.services.references.check(context, heartbeatCollection, input);
  },
  change: (stored, input, { now }) => updateRecord(stored, { ...readSent(input), ...inPlaceOf(input) }, now),
  after: (heartbeat, _input, context, before) => checkHeartbeat(heartbeat, context, before),
});

export const rotateHeartbeatToken = defineCommand({
  name: "rotate_heartbeat_token",
  summary: "Give a heartbeat a new address, which is answered this once; the former one is unknown from now on.",
  access: privilege("manage_checks"),
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: WithToken,
  async handler({ id }, { actor, audit, emit, services, tx }) {
    const heartbeat = await tx.collection(heartbeatCollection).get(id);
    if (!heartbeat) throw new NotFoundError(`Failed to locate heartbeat: ${id}`);
    requireAccess(actor, { category: heartbeat.category });
    audit("heartbeat_update", { heartbeat, description: "New address" });
    emit("heartbeat.updated", { id });
    return { heartbeat, ...(await services.heartbeats.renewToken({ tx }, id)) };
  },
});

export const deleteHeartbeat = heartbeats.delete({
  summary: "Remove a heartbeat; its address is unknown from now on.",
  before: requireStored,
  after: ({ id }, { services, tx }) => services.heartbeats.forget({ tx }, id),
});

import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { requireUnlimitedTelling } from "../../../directory/access/require-unlimited.ts";
import { channelRecords } from "../../../directory/channels/records.ts";
import { webHookRecords } from "../../../directory/web-hooks/records.ts";
import type { CommandContext, PrepareContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { findListed } from "../../../kernel/definitions/listed.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { InputError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { byId } from "../../../lib/by-id.ts";
import { chainFault } from "../../../lib/dependency-chain.ts";
import type { AnyCollection } from "../../../ports/storage/collection.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { hasWord } from "../../../search/ast.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { asList, listOf, NoParameters } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import {
  healthCollection,
  noticeCollection,
  receiverCollection,
  rotaCollection,
  routeCollection,
} from "../collection.ts";
import { Receiver } from "../model.ts";
import { Health } from "../rules/delivery/health.ts";
import { CreateReceiver, newReceiver, receiverFault, TriedReceiver, UpdateReceiver } from "../rules/records/records.ts";
import { dropAllKeys, type Keys, keepKeys, openKeys, sealKeys, withKeys } from "../services/receivers/receiver-keys.ts";

const listed = { collection: receiverCollection, code: "receiver", thing: "receiver" } as const;
const receivers = new ListedOperations({
  collection: receiverCollection,
  record: Receiver,
  name: "receiver",
  plural: "receivers",
  prefix: "rc",
  most: 500,
  writers: privilege("manage_routes"),
});

/** Members that name another record, with the collection and noun of that record. */
const WAYS = [
  ["channel", channelRecords, "Channel"],
  ["web_hook", webHookRecords, "Web hook"],
  ["rota", rotaCollection, "Rota"],
] as const;

/**
 * Checks a receiver before it is stored: the caller's access, its members, and the records that it names. A name that is
 * unchanged from the stored receiver is not checked, since that record may have been deleted.
 */
async function checkReceiver(
  receiver: Receiver,
  { actor, tx }: Pick<CommandContext, "actor"> & { readonly tx: ReadTx },
  stored?: Receiver,
): Promise<void> {
  requireUnlimitedTelling(actor, "receiver");
  const fault = receiverFault(receiver);
  if (fault) throw receivers.refusal(fault);
  for (const [member, collection, noun] of WAYS) {
    const id = receiver[member];
    if (id && id !== stored?.[member] && !(await tx.collection(collection as AnyCollection).get(id)))
      throw receivers.refusal(`${noun} not found: ${id}`);
  }
  const { fallback } = receiver;
  if (!fallback) return;
  const all = await tx.collection(receiverCollection).list();
  const known = byId([...all, receiver]);
  if (!known.has(fallback)) throw receivers.refusal(`Receiver not found: ${fallback}`);
  const next = (id: string): readonly string[] => known.get(id)?.fallback?.split(" ") ?? [];
  if (chainFault(receiver.id, next)) throw receivers.refusal("Invalid value for fallback");
}

/** A receiver in answers, with its health and the number of waiting notices. */
const ShownReceiver = looseObject(() => ({
  ...Receiver.shape,
  health: Health.extend({ waiting: z.number() }).optional(),
}));
type ShownReceiver = z.infer<typeof ShownReceiver>;

/** Maximum waiting notices to count. */
const MAX_WAITING = 1000;

/** Receivers with their health, which is absent until the first attempt. */
async function withHealth(tx: ReadTx, all: readonly Receiver[]): Promise<ShownReceiver[]> {
  const healths = await tx.collection(healthCollection).getMany(all.map(({ id }) => id));
  const pending = hasWord("outcome", "pending");
  const { rows } = await tx.collection(noticeCollection).find(pending, { limit: MAX_WAITING });
  const waiting = Map.groupBy(rows, ({ receiver }) => receiver);
  return all.map((receiver, at) => {
    const health = healths[at];
    if (!health) return receiver;
    const { id: _same, takenIn: _ours, ...shown } = health;
    return { ...receiver, health: { ...shown, waiting: waiting.get(receiver.id)?.length ?? 0 } };
  });
}

export const getReceivers = defineQuery({
  name: "get_receivers",
  summary: "List all receivers of notices, and whether they can be reached.",
  access: credentials,
  input: NoParameters,
  output: listOf(ShownReceiver),
  handler: async (_input, { definitions, tx }) =>
    asList(await withHealth(tx, await definitions.all(receiverCollection))),
});

export const getReceiver = defineQuery({
  name: "get_receiver",
  method: "ANY",
  summary: "Read one receiver of notices, and whether it can be reached.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ receiver: ShownReceiver })),
  async handler({ id }, { definitions, tx }) {
    const [receiver] = await withHealth(tx, [await findListed(definitions, listed, id)]);
    return { receiver: receiver as ShownReceiver };
  },
});

export const createReceiver = receivers.create({
  summary: "Create a receiver of notices: people, the person on duty, addresses, a channel, a web hook or a service.",
  input: CreateReceiver,
  prepare: ({ type, settings }, context) => sealKeys({ type, settings, stored: undefined }, context),
  async draft(input, stamp, context) {
    const keys = context.prepared as Keys | undefined;
    const receiver = { ...newReceiver(input, stamp), ...keys?.members };
    await keepKeys(receiver.id, keys, context);
    await context.services.references.check(context, receiverCollection, receiver);
    await checkReceiver(receiver, context);
    return receiver;
  },
});

export const updateReceiver = receivers.updateAndAnswer({
  summary: "Change a receiver; members not sent stay unchanged, and so does its type.",
  input: UpdateReceiver,
  async prepare({ id, settings }, context) {
    const stored = await context.read((tx) => tx.collection(receiverCollection).get(id));
    return stored && sealKeys({ type: stored.type, settings, stored }, context);
  },
  async before(input, context) {
    await context.services.references.check(context, receiverCollection, input);
    await keepKeys(input.id, context.prepared as Keys | undefined, context);
  },
  // Ignores `health`, which a client sends back when it stores a record that it read.
  change(stored, { type: _immutable, sealed: _ours, former: _kept, health: _shown, ...sent }, { now, prepared }) {
    return updateRecord(stored, { ...sent, ...withKeys(stored, prepared as Keys | undefined) }, now);
  },
  after: (receiver, _input, context, before) => checkReceiver(receiver, context, before),
});

/** The stored receiver with the sent members applied, or one made of the sent members only; checked before the trial. */
async function triedReceiver({ id = "trial", ...sent }: z.output<typeof TriedReceiver>, context: PrepareContext) {
  const { actor, services } = context;
  const stored = await context.read((tx) => tx.collection(receiverCollection).get(id));
  if (stored && Object.keys(sent).length === 0) return stored;
  if (!stored && sent.type === undefined) throw new NotFoundError(`Failed to locate receiver: ${id}`);
  const { type = sent.type, title = "Trial" } = stored ?? {};
  const keys = await openKeys({ type, settings: sent.settings, stored }, context);
  const receiver = { title, enabled: true, ...stored, ...sent, type, ...keys, id } as Receiver;
  await context.read(async (tx) => {
    await services.references.check({ actor, tx }, receiverCollection, receiver);
    await checkReceiver(receiver, { actor, tx });
  });
  return receiver;
}

export const testReceiver = defineCommand({
  name: "test_receiver",
  summary: "Send a test notice to a receiver at once; the answer contains the result, also when it did not arrive.",
  access: privilege("manage_routes"),
  refuses: ["notfound", "receiver"],
  input: TriedReceiver,
  output: object(() => ({
    result: z.object({
      code: z.union([z.number(), z.string()]),
      description: z.string(),
      details: z.string().optional(),
    }),
  })),
  async prepare(sent, context) {
    const { actor, services, signal } = context;
    requireAccess(actor, { group: "*" });
    if (sent.id === undefined && sent.type === undefined) throw new InputError("Missing parameter: id");
    const receiver = await triedReceiver(sent, context);
    const { code, description, details } = await services.problems.tryReceiver(receiver, actor.title, signal);
    return { code, description, ...(details === undefined ? {} : { details }) };
  },
  async handler(_input, { prepared }) {
    return { result: prepared };
  },
});

export const deleteReceiver = receivers.delete({
  summary: "Remove a receiver that no route and no other receiver names.",
  async before(id, { actor, tx }) {
    requireUnlimitedTelling(actor, "receiver");
    const routes = await tx.collection(routeCollection).list();
    const route = routes.find(({ steps }) => steps.some(({ to }) => to.includes(id)));
    if (route) throw receivers.refusal(`In use by route ${route.id}`, "conflict");
    const others = await tx.collection(receiverCollection).list();
    const other = others.find(({ fallback }) => fallback === id);
    if (other) throw receivers.refusal(`In use by receiver ${other.id}`, "conflict");
    if (await tx.collection(healthCollection).get(id)) await tx.collection(healthCollection).delete(id);
  },
  after: (receiver, context) => dropAllKeys(context, receiver),
});

import * as z from "zod";
import { mayAccess, requireAccess } from "../../directory/access/require-access.ts";
import type { Actor, CommandContext, OperationContext } from "../../kernel/calls/context.ts";
import { credentials, defineQuery, privilege } from "../../kernel/calls/operation.ts";
import { ListedOperations } from "../../kernel/definitions/listed-operations.ts";
import { NotFoundError } from "../../kernel/errors/errors.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { Id } from "../../wire/fields/fields.ts";
import { asList, listOf, NoParameters } from "../../wire/schemas/lists.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { silenceCollection } from "./collection.ts";
import { CreateSilence, Silence, UpdateSilence } from "./model.ts";
import { faultOf, newSilence } from "./rules/record.ts";

const silences = new ListedOperations({
  collection: silenceCollection,
  record: Silence,
  name: "silence",
  plural: "silences",
  prefix: "q",
  // Every notification is matched against all of them.
  most: 5000,
  writers: privilege("silence_alerts"),
});
/** A silence as operations return it. */
const ShownSilence = looseObject(() => ({ ...Silence.shape, in_force: z.boolean() }));

type Named = Pick<Silence, "events" | "heartbeats" | "checks">;

interface Reading {
  readonly actor: Actor;
  /** Groups of a server; cached, so that each server is read once. */
  readonly groupsOf: (server: string) => Promise<readonly string[]>;
  /** Categories of the events, heartbeats and checks that a silence names; "" for one that does not exist. */
  readonly categoriesOf: (silence: Named) => Promise<readonly string[]>;
}

function checkSilence(silence: Silence): void {
  const fault = faultOf(silence);
  if (fault) throw silences.refusal(fault);
}

/**
 * Callers with a limited reach may manage only silences within it. A silence without subjects covers everything, so it
 * needs an unlimited reach.
 */
async function requireScope(silence: Silence, reading: Reading): Promise<void> {
  const { servers, groups, events, heartbeats, checks } = silence;
  if ([servers, groups, events, heartbeats, checks].every((list) => !list?.length)) {
    requireAccess(reading.actor, { group: "*" });
    requireAccess(reading.actor, { category: "*" });
  }
  await requireNamed(silence, reading);
}

/**
 * Requires access to every group, server, event, heartbeat and check that the silence names. A silence that names none
 * covers all subjects.
 */
async function requireNamed(silence: Silence, reading: Reading): Promise<void> {
  const { servers, groups } = silence;
  const { actor, groupsOf, categoriesOf } = reading;
  for (const category of await categoriesOf(silence)) requireAccess(actor, { category });
  for (const group of groups ?? []) requireAccess(actor, { group });
  if (mayAccess(actor, { group: "*" })) return;
  for (const server of servers ?? []) requireAccess(actor, { serverGroups: await groupsOf(server), server });
}

/** Same rule as `requireScope`, as a filter for lists. */
async function maySee(silence: Silence, reading: Reading): Promise<boolean> {
  const { servers, groups } = silence;
  const { actor, groupsOf, categoriesOf } = reading;
  if (!(await categoriesOf(silence)).every((category) => mayAccess(actor, { category }))) return false;
  if (mayAccess(actor, { group: "*" })) return true;
  if (!(groups ?? []).every((group) => mayAccess(actor, { group }))) return false;
  for (const server of servers ?? []) if (!mayAccess(actor, { serverGroups: await groupsOf(server) })) return false;
  return true;
}

function readingOf({ actor, services, tx }: OperationContext & { readonly tx: ReadTx }): Reading {
  const known = new Map<string, readonly string[]>();
  return {
    actor,
    async groupsOf(id) {
      const groups = known.get(id) ?? (await services.servers.find(tx, id))?.groups ?? [];
      known.set(id, groups);
      return groups;
    },
    async categoriesOf({ events, heartbeats, checks }) {
      const categories = [
        ...(heartbeats ?? []).map((id) => services.heartbeats.categoryOf(id)),
        ...(checks ?? []).map((id) => services.checks.categoryOf(id)),
      ];
      for (const id of events ?? []) categories.push((await services.eventRecords.read(tx, id))?.category);
      return categories.map((category = "") => category);
    },
  };
}

/** Refuses writers who do not reach the stored silence. If it does not exist, the write itself refuses. */
async function requireStored(id: string, context: CommandContext): Promise<void> {
  const stored = await context.tx.collection(silenceCollection).get(id);
  if (stored) await requireScope(stored, readingOf(context));
}

export const getSilences = defineQuery({
  name: "get_silences",
  summary: "List all silences, with whether each is in force now.",
  access: credentials,
  input: NoParameters,
  output: listOf(ShownSilence),
  async handler(_input, context) {
    const rows: z.infer<typeof ShownSilence>[] = [];
    const reading = readingOf(context);
    for (const silence of await context.tx.collection(silenceCollection).list())
      if (await maySee(silence, reading))
        rows.push({ ...silence, in_force: context.services.silences.isInForce(silence) });
    return asList(rows);
  },
});

export const getSilence = defineQuery({
  name: "get_silence",
  method: "ANY",
  summary: "Read one silence, with whether it is in force now.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ silence: ShownSilence })),
  async handler({ id }, context) {
    const silence = await context.tx.collection(silenceCollection).get(id);
    if (!silence) throw new NotFoundError(`Failed to locate silence: ${id}`);
    await requireNamed(silence, readingOf(context));
    return { silence: { ...silence, in_force: context.services.silences.isInForce(silence) } };
  },
});

export const createSilence = silences.create({
  summary: "Keep notifications of alerts back, once or at recurring times; without a start it begins at once.",
  input: CreateSilence,
  async draft(input, stamp, context) {
    const silence = newSilence(input, stamp);
    checkSilence(silence);
    await requireScope(silence, readingOf(context));
    return silence;
  },
});

export const updateSilence = silences.updateAndAnswer({
  summary: "Change a silence; members not sent stay unchanged.",
  input: UpdateSilence,
  before: ({ id }, context) => requireStored(id, context),
  async after(silence, _input, context) {
    checkSilence(silence);
    await requireScope(silence, readingOf(context));
  },
});

export const deleteSilence = silences.delete({
  summary: "Remove a silence; firings that it held back and that are still live are reported.",
  before: requireStored,
});

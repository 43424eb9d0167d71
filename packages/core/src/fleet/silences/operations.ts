import * as z from "zod";
import { mayAccess, requireAccess } from "../../directory/access/require-access.ts";
import type { Actor, OperationContext } from "../../kernel/context.ts";
import { DomainError, NotFoundError } from "../../kernel/errors.ts";
import { deleteListed, insertListed, updateListed } from "../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../kernel/operation.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { Id } from "../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/lists.ts";
import { updateRecord } from "../../wire/stamps.ts";
import { silenceCollection } from "./collection.ts";
import { CreateSilence, Silence, UpdateSilence } from "./model.ts";
import { faultOf, newSilence } from "./rules/record.ts";

const listed = { collection: silenceCollection, code: "silence", thing: "silence" } as const;
const ById = z.looseObject({ id: Id });
/** All of them are asked with every notification. */
const MAX_SILENCES = 5000;
/** As operations answer it. */
const ShownSilence = Silence.extend({ in_force: z.boolean() });

interface Reading {
  readonly actor: Actor;
  /** Groups of a server; each server is read once. */
  readonly groupsOf: (server: string) => Promise<readonly string[]>;
}

function checkSilence(silence: Silence): void {
  const fault = faultOf(silence);
  if (fault) throw new DomainError("silence", "malformed", fault);
}

/** Group-limited callers manage silences of their own groups and servers alone; one without either holds for all. */
async function requireScope(silence: Silence, reading: Reading): Promise<void> {
  if (silence.servers.length === 0 && silence.groups.length === 0) requireAccess(reading.actor, { group: "*" });
  await requireNamed(silence, reading);
}

/** Silences that name others' groups or servers are not for limited callers; silences that name neither hold for everybody. */
async function requireNamed({ servers, groups }: Silence, { actor, groupsOf }: Reading): Promise<void> {
  for (const group of groups) requireAccess(actor, { group });
  if (mayAccess(actor, { group: "*" })) return;
  for (const server of servers) requireAccess(actor, { serverGroups: await groupsOf(server), server });
}

/** The same question for lists. */
async function maySee({ servers, groups }: Silence, { actor, groupsOf }: Reading): Promise<boolean> {
  if (mayAccess(actor, { group: "*" })) return true;
  if (!groups.every((group) => mayAccess(actor, { group }))) return false;
  for (const server of servers) if (!mayAccess(actor, { serverGroups: await groupsOf(server) })) return false;
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
  };
}

export const getSilences = defineQuery({
  name: "get_silences",
  method: "GET",
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
  input: ById,
  output: z.object({ silence: ShownSilence }),
  async handler({ id }, context) {
    const silence = await context.tx.collection(silenceCollection).get(id);
    if (!silence) throw new NotFoundError(`Failed to locate silence: ${id}`);
    await requireNamed(silence, readingOf(context));
    return { silence: { ...silence, in_force: context.services.silences.isInForce(silence) } };
  },
});

export const createSilence = defineCommand({
  name: "create_silence",
  method: "POST",
  summary: "Keep notifications of alerts back, once or at recurring times; without a start it begins at once.",
  access: privilege("silence_alerts"),
  input: CreateSilence,
  output: z.object({ silence: Silence }),
  async handler(input, context) {
    const { actor, audit, emit, ids, now, tx } = context;
    const silence = newSilence(input, { id: input.id ?? ids.short("q"), username: actor.id, now });
    checkSilence(silence);
    await requireScope(silence, readingOf(context));
    const { total } = await tx.collection(silenceCollection).find({ kind: "all" }, { limit: 1 });
    if (total >= MAX_SILENCES)
      throw new DomainError("silence", "conflict", `There are ${total} silences already; delete some first.`);
    await insertListed(tx, listed, silence);
    audit("silence_create", { silence });
    emit("silence.created", { id: silence.id });
    return { silence };
  },
});

export const updateSilence = defineCommand({
  name: "update_silence",
  method: "POST",
  summary: "Change a silence; members not sent stay as they are.",
  access: privilege("silence_alerts"),
  input: UpdateSilence,
  output: z.object({ silence: Silence }),
  async handler(input, context) {
    const { audit, emit, now, tx } = context;
    const stored = await tx.collection(silenceCollection).get(input.id);
    if (stored) await requireScope(stored, readingOf(context));
    const silence = await updateListed(tx, listed, input, (current) => updateRecord(current, input, now));
    checkSilence(silence);
    await requireScope(silence, readingOf(context));
    audit("silence_update", { silence });
    emit("silence.updated", { id: silence.id });
    return { silence };
  },
});

export const deleteSilence = defineCommand({
  name: "delete_silence",
  method: "POST",
  summary: "Remove a silence; what it kept back is not sent later.",
  access: privilege("silence_alerts"),
  input: ById,
  output: Done,
  async handler({ id }, context) {
    const { audit, emit, tx } = context;
    const stored = await tx.collection(silenceCollection).get(id);
    if (stored) await requireScope(stored, readingOf(context));
    const silence = await deleteListed(tx, listed, id);
    audit("silence_delete", { silence });
    emit("silence.deleted", { id });
    return {};
  },
});

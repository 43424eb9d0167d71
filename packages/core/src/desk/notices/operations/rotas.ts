import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { DomainError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { Id, number, WordId } from "../../../wire/fields/fields.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { filled } from "../../../wire/schemas/filled.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { receiverCollection, rotaCollection } from "../collection.ts";
import { Rota, RotaOverride } from "../model.ts";
import {
  CreateRota,
  isOverride,
  MAX_OVERRIDES,
  newRota,
  rotaFault,
  soundRota,
  UpdateRota,
  withOverrideIds,
} from "../rules/rota/rota-record.ts";

const rotas = new ListedOperations({
  collection: rotaCollection,
  record: Rota,
  name: "rota",
  plural: "rotas",
  prefix: "ro",
  most: 100,
  writers: privilege("manage_routes"),
});
const DAY = 86_400;
/** Maximum days of shifts that one call computes, and days in which it looks for gaps. */
const MAX_DAYS = 92;
const GAP_DAYS = 30;
/** End of the year 9999 in Unix seconds, since calendars do not reach far beyond it. */
const LAST = 253_402_300_799;

function checkRota(rota: Rota, { actor }: Pick<CommandContext, "actor">): void {
  requireAccess(actor, { group: "*" });
  const fault = rotaFault(rota);
  if (fault) throw rotas.refusal(fault);
}

export const getRotas = rotas.list({ summary: "List all rotas." });

export const createRota = rotas.create({
  summary: "Create a rota: who is on duty when, in turns of days or weeks.",
  input: CreateRota,
  async draft(input, stamp, context) {
    const rota = newRota(
      withOverrideIds(input, () => context.ids.short("ov")),
      stamp,
    );
    checkRota(rota, context);
    return rota;
  },
});

export const updateRota = rotas.updateAndAnswer({
  summary: "Change a rota. People change shifts of their own with add_rota_override.",
  input: UpdateRota,
  change(stored, sent, { ids, now }) {
    const known = withOverrideIds(sent, () => ids.short("ov"));
    return filled(updateRecord(soundRota(stored), known, now), { overrides: [] });
  },
  after: (rota, _input, context) => checkRota(rota, context),
});

export const deleteRota = rotas.delete({
  summary: "Remove a rota that no receiver names.",
  async before(id, { actor, tx }) {
    requireAccess(actor, { group: "*" });
    const user = (await tx.collection(receiverCollection).list()).find(({ rota }) => rota === id);
    if (user) throw rotas.refusal(`In use by receiver ${user.id}`, "conflict");
  },
});

const Shift = object(() => ({ start: z.number(), end: z.number(), user: z.string().optional() }));

export const getRota = defineQuery({
  name: "get_rota",
  method: "ANY",
  summary: "Read one rota: who is on duty now and next, the shifts of some time, and gaps of the next 30 days.",
  access: credentials,
  refuses: ["notfound", "rota"],
  input: looseObject(() => ({ id: Id, from: number().optional(), to: number().optional() })),
  output: object(() => ({
    rota: Rota,
    on_duty: z.string().nullable(),
    next: Shift.nullable(),
    shifts: z.array(Shift),
    gaps: z.array(Shift),
  })),
  async handler({ id, from, to }, { now, services, tx }) {
    const rota = await tx.collection(rotaCollection).get(id);
    if (!rota) throw new NotFoundError(`Failed to locate rota: ${id}`);
    const start = from ?? now;
    const end = to ?? start + 7 * DAY;
    if (end <= start || end - start > MAX_DAYS * DAY || start < 0 || end > LAST)
      throw rotas.refusal(`The time that is looked at must be ${MAX_DAYS} days at most.`);
    const { duty } = services.problems;
    const month = await duty.shifts(rota, now, now + GAP_DAYS * DAY);
    const gaps = month.filter(({ user }) => user === undefined);
    return {
      rota: soundRota(rota),
      on_duty: duty.at(rota, now) ?? null,
      next: month[1] ?? null,
      shifts: await duty.shifts(rota, start, end),
      gaps,
    };
  },
});

const Override = RotaOverride.omit({ id: true });

/** Callers who may change at least some shifts; `requireOwn` checks which. */
const swaps = privilege("manage_routes", "acknowledge_alerts");

/** Lets people change their own shifts; other people's shifts need the right to manage routes. */
function requireOwn(
  { actor, services }: Pick<CommandContext, "actor" | "services">,
  { user, instead_of }: Pick<RotaOverride, "user" | "instead_of">,
) {
  if (user !== actor.id && instead_of !== actor.id)
    requireAccess(actor, { privilege: "manage_routes" }, services.lists.privileges);
}

async function requireRota({ tx }: CommandContext, id: string): Promise<ReturnType<typeof soundRota>> {
  const rota = await tx.collection(rotaCollection).get(id);
  if (!rota) throw new DomainError("rota", "unknown", `Failed to locate rota: ${id}`);
  return soundRota(rota);
}

export const addRotaOverride = defineCommand({
  name: "add_rota_override",
  summary:
    "Put a user on duty for a time, in place of all or of one; one's own shifts, or all shifts with manage_routes.",
  access: swaps,
  refuses: ["rota"],
  input: looseObject(() => ({ id: Id, override: Override })),
  output: object(() => ({ rota: Rota, override: z.string() })),
  async handler({ id, override: sent }, context) {
    const { audit, emit, ids, tx } = context;
    requireOwn(context, sent);
    const { overrides } = await requireRota(context, id);
    if (!isOverride(sent)) throw rotas.refusal("Invalid value for override");
    if (overrides.length >= MAX_OVERRIDES)
      throw rotas.refusal(`There are ${MAX_OVERRIDES} overrides already; delete some first.`, "conflict");
    const override: RotaOverride = { ...sent, id: ids.short("ov") };
    const rota = await tx
      .collection(rotaCollection)
      .update(id, (stored) => ({ ...stored, overrides: [...soundRota(stored).overrides, override] }));
    audit("rota_override", {
      description: `${rota.title}: ${override.user}`,
      rota: { id },
      keywords: [id, override.id],
    });
    emit("rota.updated", { id });
    return { rota, override: override.id };
  },
});

export const removeRotaOverride = defineCommand({
  name: "remove_rota_override",
  summary: "Remove an override of a rota; one's own, or any with manage_routes.",
  access: swaps,
  refuses: ["rota"],
  input: looseObject(() => ({ id: Id, override: WordId })),
  output: object(() => ({ rota: Rota })),
  async handler({ id, override }, context) {
    const { audit, emit, tx } = context;
    const { overrides } = await requireRota(context, id);
    const known = overrides.find((each) => each.id === override);
    if (!known) throw new DomainError("rota", "unknown", `Failed to locate override: ${override}`);
    requireOwn(context, known);
    const rota = await tx
      .collection(rotaCollection)
      .update(id, (stored) => ({ ...stored, overrides: overrides.filter((each) => each.id !== override) }));
    audit("rota_override", { description: `${rota.title}: taken back`, rota: { id }, keywords: [id, override] });
    emit("rota.updated", { id });
    return { rota };
  },
});

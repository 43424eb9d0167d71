import * as z from "zod";
import { mayAccess, requireAccess } from "../../directory/access/require-access.ts";
import { lockCategory } from "../../directory/categories/records.ts";
import { groupRecords } from "../../directory/groups/records.ts";
import type { CommandContext } from "../../kernel/calls/context.ts";
import { admin, credentials, defineCommand, defineQuery, privilege } from "../../kernel/calls/operation.ts";
import { findListed } from "../../kernel/definitions/listed.ts";
import { ListedOperations } from "../../kernel/definitions/listed-operations.ts";
import { NotFoundError } from "../../kernel/errors/errors.ts";
import { definitionsView } from "../../kernel/transactions/unit-scope.ts";
import { Id } from "../../wire/fields/fields.ts";
import { updateRecord } from "../../wire/fields/stamps.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { keyOfSubject } from "../alerts/rules/definition/subjects.ts";
import { Digits, RowLimit, SYSTEMS, TimelineColumns } from "../monitors/model.ts";
import { checkCollection } from "./collection.ts";
import { Check, CheckPlace, CheckResult, CreateCheck, type StoredCheck, UpdateCheck } from "./model.ts";
import { HERE, isAskedHere } from "./rules/places.ts";
import { checkFault, newCheck, readCheck, readChosen } from "./rules/record.ts";

const checks = new ListedOperations({
  collection: checkCollection,
  record: Check,
  name: "check",
  plural: "checks",
  prefix: "ck",
  // Each is probed as often as once a minute.
  most: 2000,
  writers: privilege("manage_checks"),
});

/**
 * Enforces the rules for every check that is stored: it must be valid, and its category within the reach of the writer.
 * Servers and groups that it already named (`before`) may be deleted by now: otherwise nobody could disable such a
 * check any more.
 */
async function checkStored(
  check: StoredCheck,
  { actor, services, tx }: CommandContext,
  before?: StoredCheck,
): Promise<void> {
  const fault = checkFault(check);
  if (fault) throw checks.refusal(fault);
  requireAccess(actor, { category: check.category });
  const missing = await lockCategory(tx, check.category);
  if (missing) throw checks.refusal(missing);
  const { id, server } = check;
  for (const entry of check.from ?? [])
    if (entry !== HERE && !before?.from?.includes(entry) && !(await isPlace({ services, tx }, entry)))
      throw checks.refusal(`Server or group not found: ${entry}`);
  if (!server || server === before?.server) return;
  if (!(await services.servers.find(tx, server))) throw checks.refusal(`Server not found: ${server}`);
  const place = keyOfSubject({ type: "check", id });
  const circle = await services.alerts.dependencyFault(tx, { place, parents: [server] });
  if (circle) throw checks.refusal(circle);
}

const isPlace = async ({ services, tx }: Pick<CommandContext, "services" | "tx">, id: string): Promise<boolean> =>
  (await definitionsView(tx).collection(groupRecords).get(id)) !== undefined ||
  (await services.servers.find(tx, id)) !== undefined;

/** Requires an administrator if the check uses secrets: a person who chooses its target and text can read them. */
function requireKeeper(id: string, { actor, services }: CommandContext): void {
  if (services.vault.assigned("checks", id).length > 0) services.gatekeeper.authorize(actor, admin);
}

/** Refuses writers who do not reach the stored check. If the check does not exist, the write itself refuses. */
async function requireStored(id: string, { actor, tx }: CommandContext): Promise<void> {
  const stored = await tx.collection(checkCollection).get(id);
  if (stored) requireAccess(actor, { category: stored.category });
}

export const getChecks = checks.list({
  summary: "List all checks: addresses that the engine asks again and again.",
  isShown: ({ category }, actor) => mayAccess(actor, { category }),
});

export const getCheck = defineQuery({
  name: "get_check",
  method: "ANY",
  summary: "Read one check, its state at each place, and its results, newest first.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({
    check: Check,
    down: z.boolean(),
    failures: z.number(),
    places: z.array(CheckPlace),
    results: z.array(CheckResult),
  })),
  async handler({ id }, { actor, definitions, services, tx }) {
    const check = await findListed(definitions, { collection: checkCollection, thing: "check" }, id);
    requireAccess(actor, { category: check.category });
    return { check, ...(await services.checks.standingOf(tx, readCheck(check))) };
  },
});

export const getCheckTimeline = defineQuery({
  name: "get_check_timeline",
  method: "ANY",
  summary:
    "Read how a check went by time: the share of good answers, their milliseconds, and days left of the certificate.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({
    id: Id,
    sys: z.enum(SYSTEMS),
    date: Digits.optional(),
    limit: RowLimit,
  })),
  output: object(() => ({ columns: TimelineColumns.optional() })),
  async handler({ id, sys: system, date, limit }, { actor, definitions, services, tx }) {
    const check = await findListed(definitions, { collection: checkCollection, thing: "check" }, id);
    requireAccess(actor, { category: check.category });
    const columns = await services.checks.timelineOf(tx, id, { system, date, limit });
    return columns ? { columns } : {};
  },
});

export const createCheck = checks.create({
  summary:
    "Create a check of an HTTP address, a port, a name or a certificate; it is asked at once, and again and again.",
  input: CreateCheck,
  async draft(input, stamp, context) {
    requireKeeper(stamp.id, context);
    const check = newCheck(input, stamp);
    await context.services.references.check(context, checkCollection, check);
    await checkStored(check, context);
    return check;
  },
});

export const updateCheck = checks.updateAndAnswer({
  summary: "Change a check; members not sent stay unchanged, and so does its type.",
  input: UpdateCheck,
  async before(input, context) {
    await requireStored(input.id, context);
    requireKeeper(input.id, context);
    await context.services.references.check(context, checkCollection, input);
  },
  change: (stored, { type: _immutable, ...sent }, { now }) => updateRecord(stored, readChosen(sent), now),
  async after(check, input, context, before) {
    await checkStored(check, context, before);
    if (input.from !== undefined) await context.services.checks.keepPlaces(context, readCheck(check));
  },
});

export const testCheck = defineCommand({
  name: "test_check",
  summary: "Ask the address of a check once now; the result is answered and not stored.",
  access: privilege("manage_checks"),
  refuses: ["check", "notfound", "rate"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ result: CheckResult })),
  async prepare({ id }, { actor, read, services, signal }) {
    const check = await read((tx) => tx.collection(checkCollection).get(id));
    if (!check) throw new NotFoundError(`Failed to locate check: ${id}`);
    requireAccess(actor, { category: check.category });
    if (!isAskedHere(check))
      throw checks.refusal("Only servers ask this check; the next answers come with their minutes.");
    return services.checks.tryOut(readCheck(check), signal);
  },
  async handler(_input, { prepared }) {
    return { result: prepared };
  },
});

export const deleteCheck = checks.delete({
  summary: "Remove a check with its results.",
  before: requireStored,
  after: ({ id }, { services, tx }) => services.checks.forget({ tx }, id),
});

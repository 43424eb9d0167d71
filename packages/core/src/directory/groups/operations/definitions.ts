import { compileRegex } from "../../../expressions/index.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { mayAccess, requireAccess } from "../../access/require-access.ts";
import { nextSortOrder } from "../../categories/rules.ts";
import { groupCollection } from "../collection.ts";
import { Group } from "../model.ts";
import { groupInputs, isMaxJobs, newGroup } from "../rules/inputs.ts";
import { REGROUP_KIND } from "../rules/work.ts";
import { requireDrawn } from "./drawn-servers.ts";

const groups = new ListedOperations({
  collection: groupCollection,
  record: Group,
  name: "group",
  plural: "groups",
  prefix: "g",
  event: "group.changed",
});

const malformedPattern = (reason: string, cause?: unknown): DomainError =>
  new DomainError("group", "malformed", `Invalid hostname match: ${reason}`, { cause });

/**
 * The input schema checks that a pattern compiles, so a bad one is refused before the caller is authorised. Whether it is fast is
 * tested only for known callers, because the test takes time.
 */
const inputs = groupInputs((pattern) => {
  try {
    compileRegex(pattern);
  } catch (error) {
    throw malformedPattern(messageOf(error), error);
  }
});

/** Stored automatic servers are regrouped in the background; one waiting item covers any number of changes. */
const regroupStored = (tx: WriteTx): Promise<void> => tx.enqueue(REGROUP_KIND, {}, { key: "all" });

/** A new pattern must be fast, and named records must exist and be within the caller's reach. */
async function checkSent(
  sent: Pick<Group, "id"> & { readonly [Name in "hostname_match" | "alert_actions"]?: Group[Name] | undefined },
  { actor, services, tx }: CommandContext,
): Promise<void> {
  const { id, hostname_match: pattern = "" } = sent;
  const stored = await tx.collection(groupCollection).get(id);
  if (pattern !== "" && pattern !== stored?.hostname_match) {
    const fault = services.monitors.patternFault(pattern);
    if (fault !== undefined) throw malformedPattern(fault);
  }
  await services.references.check({ actor, tx }, groupCollection, sent);
  await services.eventChecks.checkActions({ actor, tx }, sent.alert_actions, stored?.alert_actions);
}

export const getGroups = groups.list({
  summary: "List the server groups the caller may see.",
  isShown: ({ id }, actor) => mayAccess(actor, { group: id }),
});

export const getGroup = groups.get({
  method: "ANY",
  summary: "Read one server group.",
  check: (id, { actor }) => requireAccess(actor, { group: id }),
});

export const createGroup = groups.create({
  summary: "Create a server group; servers whose hostname it matches join it.",
  input: inputs.create,
  async draft(input, stamp, context) {
    const { actor, tx } = context;
    const sent = { ...input, id: stamp.id };
    requireAccess(actor, { group: stamp.id });
    await requireDrawn(context, sent);
    await checkSent(sent, context);
    // Two simultaneous creations must not get the same order.
    await tx.lock("groups:sort_order");
    const sortOrder = nextSortOrder(await tx.collection(groupCollection).list());
    return newGroup(input, { ...stamp, sortOrder });
  },
  after: (_group, { tx }) => regroupStored(tx),
});

export const updateGroup = groups.updateAndAnswer({
  summary: "Change a server group; members not sent stay unchanged. Servers follow a changed pattern.",
  input: inputs.update,
  async before(input, context) {
    requireAccess(context.actor, { group: input.id });
    await requireDrawn(context, input);
    await checkSent(input, context);
  },
  change(stored, input, { now }) {
    const group = updateRecord(stored, input, now);
    if (isMaxJobs(group.max_jobs_per_server)) return group;
    throw new DomainError("api", "malformed", "Malformed parameter: max_jobs_per_server");
  },
  after: (_group, _input, { tx }) => regroupStored(tx),
});

export const deleteGroup = groups.delete({
  summary: "Remove a server group; references to it stay and match nothing. Its servers are grouped again.",
  before: (id, { actor }) => requireAccess(actor, { group: id }),
  async after({ id }, { services, tx }) {
    await services.state.set(tx, `watches.groups.${id}`, undefined);
    await regroupStored(tx);
  },
});

export const multiUpdateGroup = groups.multiUpdate({
  summary: "Change several server groups at once, without stamps; meant for reordering. Unknown ids are skipped.",
  input: inputs.multiUpdate,
  async before(items, context) {
    requireAccess(context.actor, { group: "*" });
    for (const item of items) await checkSent(item, context);
  },
  async after(items, { tx }) {
    if (items.some((item) => item.hostname_match !== undefined)) await regroupStored(tx);
  },
});

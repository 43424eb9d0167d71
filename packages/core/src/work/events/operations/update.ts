import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { takingRecords } from "../../../kernel/definitions/listed-specs.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { requireRevision } from "../../../wire/fields/revision.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { eventCollection } from "../collection.ts";
import { Event, UpdateEvent } from "../model.ts";
import { keepLocked } from "../rules/record/locked.ts";
import { readEvent, withNulls } from "../rules/record/read.ts";
import { findStep, mergeEvent } from "../rules/record/write.ts";
import { keepLockedGraph } from "../services/locked-graph.ts";
import { applyState } from "../services/states.ts";

export const updateEvent = takingRecords(
  defineCommand({
    name: "update_event",
    summary: "Change an event; members not sent stay unchanged.",
    access: privilege("edit_events"),
    refuses: ["event"],
    input: UpdateEvent,
    output: object(() => ({ event: Event, warnings: z.array(z.string()).optional() })),
    async handler(input, context) {
      const { actor, services, tx } = context;
      const known = await tx.collection(eventCollection).get(input.id);
      if (!known) throw new DomainError("event", "unknown", `Event not found: ${input.id}`);
      const stored = readEvent(known);
      requireAccess(actor, { category: stored.category, targets: stored.targets });
      await services.graphs.requireAccess({ actor, tx }, stored, stored);
      const { event, warnings } = await mergeChecked(stored, input, context);
      // The lock makes the deletion of a category wait for us; a deletion that came first is seen here.
      await services.graphs.lockCategories(tx, event.category, event);
      await services.eventChecks.check({ actor, tx }, event);
      const changed = withNulls(event, { ...known, ...input });
      await services.eventRecords.replace(context, changed);
      const state = input.update_state as Readonly<Record<string, unknown>> | null | undefined;
      if (state) await applyState(tx, event.id, state);
      return { event: readEvent(changed), ...(await services.eventChecks.warnings(tx, event, warnings)) };
    },
  }),
);

interface Merged {
  readonly event: Event;
  /** Sentences about members that were sent but are not used. */
  readonly warnings: readonly string[];
}

async function mergeChecked(stored: Event, input: UpdateEvent, context: CommandContext): Promise<Merged> {
  const { actor, now, services, tx } = context;
  const step = findStep(stored, input);
  if (step !== undefined) throw new InputError(`Malformed parameter value: ${step}`);
  const merged = mergeEvent(stored, input, now);
  requireAccess(actor, { category: merged.category, targets: merged.targets });
  await services.graphs.requireAccess({ actor, tx }, merged, stored);
  await services.references.check({ actor, tx }, eventCollection, merged);
  // For an event, `revision` is a condition as well (docs/contract/events.md#writing).
  const { revision, if_revision = revision } = input;
  requireRevision({ code: "event", noun: eventCollection.noun }, stored, { if_revision });
  const graph = input.workflow === undefined ? undefined : await keepLockedGraph(merged, stored, context);
  const { event, warnings } = graph ?? { event: merged, warnings: [] };
  if (actor.privileges["admin"] || (input.params ?? null) === null) return { event, warnings };
  const definitions = await services.eventChecks.pluginParams(tx, event.plugin);
  const kept = event.plugin === stored.plugin ? stored.params : undefined;
  const { fault, params, warnings: ofParams } = keepLocked(definitions, event.params, kept);
  if (fault !== undefined) throw new InputError(`Event Plugin: ${fault}`);
  return { event: { ...event, params }, warnings: [...ofParams, ...warnings] };
}

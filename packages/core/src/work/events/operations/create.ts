import * as z from "zod";
import { isLimited, requireAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { admin, defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { insertListed } from "../../../kernel/definitions/listed.ts";
import { takingRecords } from "../../../kernel/definitions/listed-specs.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { eventCollection } from "../collection.ts";
import { CreateEvent, Event } from "../model.ts";
import { keepLocked } from "../rules/record/locked.ts";
import { newEvent } from "../rules/record/write.ts";
import { keepLockedGraph } from "../services/locked-graph.ts";
import { applyState } from "../services/states.ts";

const listed = { collection: eventCollection, code: "event", thing: "event" } as const;

export const createEvent = takingRecords(
  defineCommand({
    name: "create_event",
    summary: "Create an event; the id is generated when absent.",
    access: privilege("create_events"),
    refuses: ["event"],
    example: {
      title: "Nightly report",
      enabled: true,
      category: "general",
      targets: ["main"],
      algo: "random",
      plugin: "shellplug",
      params: { script: "#!/bin/sh\n/usr/local/bin/report.sh" },
      triggers: [{ type: "schedule", enabled: true, hours: [3], minutes: [30], timezone: "Europe/Berlin" }],
      limits: [
        { type: "time", enabled: true, duration: 3600, abort: true },
        { type: "retry", enabled: true, amount: 2, duration: 60 },
      ],
      actions: [{ type: "email", enabled: true, condition: "error", email: "ops@example.com" }],
    },
    input: CreateEvent,
    output: object(() => ({ event: Event, warnings: z.array(z.string()).optional() })),
    async handler(input, context) {
      const { actor, audit, emit, ids, now, services, tx } = context;
      const drafted = newEvent(input, { id: input.id ?? ids.short("e"), username: actor.id, now });
      requireAccess(actor, { category: drafted.category, targets: drafted.targets });
      requireKeeper(drafted.id, context);
      await services.graphs.requireAccess({ actor, tx }, drafted);
      await services.references.check({ actor, tx }, eventCollection, drafted);
      const definitions = actor.privileges["admin"] ? [] : await services.eventChecks.pluginParams(tx, drafted.plugin);
      const { fault, params, warnings } = keepLocked(definitions, drafted.params, undefined);
      if (fault !== undefined) throw new InputError(`Event Plugin: ${fault}`);
      const kept = await keepLockedGraph(drafted, undefined, context);
      const event: Event = { ...kept.event, params };
      // The lock makes the deletion of a category wait for us; a deletion that came first is seen here.
      await services.graphs.lockCategories(tx, event.category, event);
      await services.eventChecks.check({ actor, tx }, event);
      await insertListed(tx, listed, event);
      const state = input.update_state as Readonly<Record<string, unknown>> | null | undefined;
      if (state) await applyState(tx, event.id, state);
      audit("event_create", { event });
      emit("event.created", { id: event.id });
      return { event, ...(await services.eventChecks.warnings(tx, event, [...warnings, ...kept.warnings])) };
    },
  }),
);

/**
 * Lets only administrators, and callers without limits, take an id that secrets name already: the jobs of the new event get their
 * values.
 */
function requireKeeper(id: string, { actor, services }: CommandContext): void {
  if (isLimited(actor) && services.vault.assigned("events", id).length > 0) services.gatekeeper.authorize(actor, admin);
}

import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { pageNumber } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { eventCollection } from "../collection.ts";
import { Event } from "../model.ts";
import { matchesCriteria } from "../rules/filter.ts";
import { readEvent } from "../rules/record/read.ts";

export const getEvents = defineQuery({
  name: "get_events",
  summary: "List the events that the caller may see; any other parameter filters by equality.",
  access: credentials,
  accepts: [Event],
  input: looseObject(() => ({ offset: pageNumber(0).optional(), limit: pageNumber(0).optional() })),
  output: object(() => ({ ...listOf(Event).shape, warnings: z.array(z.string()).optional() })),
  async handler({ offset = 0, limit = 0, ...criteria }, { actor, definitions, services }) {
    const stored = (await definitions.all(eventCollection)).filter(
      (event) =>
        mayAccess(actor, { category: event.category, targets: event.targets }) && matchesCriteria(event, criteria),
    );
    const rows = stored.map(readEvent);
    const lost = services.eventChecks.lostWarning(rows);
    const page = asList(rows.slice(offset, limit > 0 ? offset + limit : undefined));
    return lost === undefined ? page : { ...page, warnings: [lost] };
  },
});

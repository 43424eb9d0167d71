import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import { Id, pageNumber } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { activeJobCollection } from "../../jobs/collection.ts";
import { Job } from "../../jobs/model.ts";
import { eventCollection } from "../collection.ts";
import { Event } from "../model.ts";
import { matchesCriteria } from "../rules/filter.ts";

export const getEvents = defineQuery({
  name: "get_events",
  method: "GET",
  summary: "List the events that the caller may see; any other parameter filters by equality.",
  access: credentials,
  accepts: [Event],
  input: z.looseObject({ offset: pageNumber(0).optional(), limit: pageNumber(0).optional() }),
  output: listOf(Event),
  handler: ({ offset = 0, limit = 0, ...criteria }, { actor, definitions }) =>
    andThen(definitions.all(eventCollection), (events) => {
      const rows = events.filter(
        (event) =>
          mayAccess(actor, { category: event.category, targets: event.targets }) && matchesCriteria(event, criteria),
      );
      return asList(rows.slice(offset, limit > 0 ? offset + limit : undefined));
    }),
});

export const getEvent = defineQuery({
  name: "get_event",
  method: "GET",
  summary: "Read one event with its running jobs and the number of queued ones.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ event: Event, jobs: z.array(Job), queued: z.int() }),
  async handler({ id }, { actor, services, tx }) {
    const event = await tx.collection(eventCollection).get(id);
    if (!event) throw new NotFoundError(`Failed to locate event: ${id}`);
    requireAccess(actor, { category: event.category, targets: event.targets });
    const active = tx.collection(activeJobCollection);
    const inState = (state: string) =>
      ({
        kind: "and",
        nodes: [
          { kind: "term", field: "event", words: [id] },
          { kind: "term", field: "state", words: [state] },
        ],
      }) as const;
    const { rows } = await active.find(inState("active"));
    const { total } = await active.find(inState("queued"), { limit: 0 });
    const jobs = rows.map((record) => services.jobs.desk.live.view(record).job);
    const visible = jobs.filter(({ category, targets = [] }) =>
      mayAccess(actor, { category: category ?? event.category, targets }),
    );
    return { event, jobs: visible, queued: total };
  },
});

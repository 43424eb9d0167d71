import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { Event } from "../../events/model.ts";
import { requireEvent } from "../../events/records.ts";
import { withoutHiddenParts } from "../../jobs/access/hidden-parts.ts";
import { readingOf } from "../../jobs/access/rules/restriction.ts";
import { Job } from "../../jobs/model.ts";
import { activeJobRecords } from "../../jobs/records.ts";

export const getEvent = defineQuery({
  name: "get_event",
  summary: "Read one event with its running jobs and the number of queued ones.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ event: Event, jobs: z.array(Job), queued: z.int() })),
  async handler({ id }, context) {
    const { actor, services, tx } = context;
    const event = await requireEvent(id, context);
    const active = tx.collection(activeJobRecords);
    const inState = (state: string) => allOf([hasWord("event", id), hasWord("state", state)]);
    const { rows } = await active.find(inState("active"));
    const { total } = await active.find(inState("queued"), { limit: 0 });
    const jobs = rows.map((record) => services.jobs.desk.live.view(record).job);
    const visible = jobs.filter((job) =>
      mayAccess(actor, readingOf({ ...job, category: job.category ?? event.category })),
    );
    const shown = await Promise.all(visible.map((job) => withoutHiddenParts(services, context, job)));
    return { event, jobs: shown, queued: total };
  },
});

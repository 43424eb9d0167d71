import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { AccessError } from "../../../kernel/errors/errors.ts";
import { bulkQuery, wholeCondition } from "../../../kernel/searches/search-page.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { jobCollection, jobSearch } from "../collection.ts";

const RESUMED_SEC = 60;

export const bulkSearchDeleteJobs = defineCommand({
  name: "bulk_search_delete_jobs",
  summary: "Delete all finished jobs that match a query, in the background; `*` means all of them.",
  access: privilege("delete_jobs"),
  refuses: ["db"],
  input: looseObject(() => ({ query: bulkQuery })),
  output: object(() => ({ id: z.string() })),
  async handler({ query }, { actor, audit, clock, config, now, services, tx }) {
    if (!mayAccess(actor, { category: "*", group: "*" }))
      throw new AccessError("You do not have the required account privileges to use this API.");
    wholeCondition({ now, config }, query, { collection: jobCollection, table: jobSearch });
    const { deletion } = services.jobs;
    const what = { query, now: clock.now() };
    // Another node continues if this one ends before it is done.
    await deletion.enqueue(tx, what, { runAt: what.now + RESUMED_SEC });
    const spec = { title: "Bulk deletion of jobs", type: "db", username: actor.id, params: { query } } as const;
    return services.internalJobs.startAfter({ audit, tx }, spec, ({ signal, stat }) =>
      deletion.removeMatching(what, { signal, tell: (removed) => stat("deleted", removed) }),
    );
  },
});

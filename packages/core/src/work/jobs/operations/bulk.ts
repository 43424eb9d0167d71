import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { AccessError, DomainError } from "../../../kernel/errors.ts";
import { defineCommand, privilege } from "../../../kernel/operation.ts";
import { bulkQuery, searchCondition } from "../../../kernel/search-page.ts";
import { Done } from "../../../wire/lists.ts";
import { jobCollection, jobSearch } from "../collection.ts";

export const bulkSearchDeleteJobs = defineCommand({
  name: "bulk_search_delete_jobs",
  method: "POST",
  summary: "Delete all finished jobs that match a query, in the background; `*` means all of them.",
  access: privilege("delete_jobs"),
  input: z.looseObject({ query: bulkQuery }),
  output: Done,
  async handler({ query }, { actor, audit, clock, config, now, services, tx }) {
    if (!mayAccess(actor, { category: "*", group: "*" }))
      throw new AccessError("You do not have the required account privileges to use this API.");
    const { dropped } = searchCondition({ now, config }, query, { collection: jobCollection, table: jobSearch });
    // What the parser left out would make the deletion larger than it was meant to be.
    if (dropped !== undefined) throw new DomainError("db", "malformed", `Failed DB search: ${dropped}`);
    await services.jobs.deletion.enqueue(tx, { query, now: clock.now() });
    audit("internal_job", { description: "Bulk deletion of jobs", params: { query } });
    return {};
  },
});

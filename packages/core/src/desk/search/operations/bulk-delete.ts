import * as z from "zod";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { bulkQuery, wholeCondition } from "../../../kernel/searches/search-page.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";

export const bulkSearchDelete = defineCommand({
  name: "bulk_search_delete",
  summary: "Delete all records of an index that match a query, `*` for all, in the background; connected servers stay.",
  access: admin,
  refuses: ["db", "ticket"],
  input: looseObject(() => ({ query: bulkQuery, index: z.string().regex(/^\w+$/) })),
  output: object(() => ({ id: z.string() })),
  async handler({ index, query }, { actor, audit, client, config, now, services, tx }) {
    const target = services.search.tables.get(index);
    if (!target?.remove) throw new InputError(`Index not found: ${index}`);
    const where = wholeCondition({ now, config }, query, target);
    const spec = {
      title: `Bulk deletion of ${index}`,
      type: "db",
      username: actor.id,
      params: { index, query },
    } as const;
    return services.internalJobs.startAfter({ audit, tx }, spec, (job) =>
      services.search.removeAll({ index, where, order: { actor, client, signal: job.signal } }, job),
    );
  },
});

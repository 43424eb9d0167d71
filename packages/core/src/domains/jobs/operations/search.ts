import * as z from "zod";
import { InputError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { searchPage, searchParameters } from "../../../kernel/search-page.ts";
import { flag } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { jobCollection, jobSearch } from "../collection.ts";
import type { FinalJob } from "../model.ts";
import { pruned } from "../rules/filters.ts";
import { visibleJobs } from "../rules/visible-jobs.ts";

/** Names of members, as a list or separated by commas; anything else is refused in the contract's words. */
const Select = z
  .preprocess((value) => {
    const names = typeof value === "string" ? value.split(/,\s*/).filter((name) => name !== "") : value;
    if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
    throw new InputError("Select parameter must be an array.");
  }, z.array(z.string()))
  .meta({ type: "array", items: { type: "string" } });

/** Jobs that are read at once; each may hold a log. */
const BATCH = 100;
/** Characters of one answer: a page ends with the row that reaches it, and the next page goes on from there. */
const MAX_SIZE = 33_554_432;

export const searchJobs = defineQuery({
  name: "search_jobs",
  method: "ANY",
  summary:
    "Search finished jobs; without `verbose` or `select` their large members are left out. A page over 32 MiB ends early.",
  access: credentials,
  input: z.looseObject({ ...searchParameters, verbose: flag().optional(), select: Select.optional() }),
  output: listOf(z.looseObject({})),
  async handler({ verbose = false, select, ...input }, context) {
    context.services.jobs.stats.count(["search"]);
    const show = (job: FinalJob): Record<string, unknown> => {
      if (select) return pick(job, select);
      return verbose ? job : pruned(job);
    };
    const target = { collection: jobCollection, table: jobSearch, restriction: visibleJobs(context.actor) };
    const limit = Math.max(1, input.limit ?? 1);
    const rows: Record<string, unknown>[] = [];
    for (let size = 0; ; ) {
      const offset = (input.offset ?? 0) + rows.length;
      const page = await searchPage(context, { ...input, offset, limit: Math.min(BATCH, limit - rows.length) }, target);
      for (const job of page.rows) {
        // Shown at once, so that no page of whole jobs is held in memory.
        const row = show(job);
        rows.push(row);
        size += sizeOf(row);
        if (size >= MAX_SIZE || rows.length === limit) return asList(rows, page.total);
      }
      if (page.rows.length < BATCH) return asList(rows, page.total);
    }
  },
});

/** What can be large in a row: content, output and data. The rest is a few hundred characters. */
function sizeOf({ output, data, table, html, activity, timelines, input }: Record<string, unknown>): number {
  const large = [data, table, html, activity, timelines, input].filter((member) => member !== undefined);
  return (typeof output === "string" ? output.length : 0) + (large.length > 0 ? JSON.stringify(large).length : 0);
}

const pick = (job: FinalJob, members: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(members.flatMap((member) => (Object.hasOwn(job, member) ? [[member, job[member]]] : [])));

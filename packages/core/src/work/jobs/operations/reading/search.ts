import * as z from "zod";
import { isLimited } from "../../../../directory/access/require-access.ts";
import { credentials, defineQuery } from "../../../../kernel/calls/operation.ts";
import { InputError } from "../../../../kernel/errors/errors.ts";
import { searchParameters } from "../../../../kernel/searches/search-page.ts";
import { searchRows } from "../../../../kernel/searches/search-rows.ts";
import { lenient, optionalFlag } from "../../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../../wire/schemas/lists.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import { shownRecord } from "../../../../wire/schemas/shown-members.ts";
import { withoutHiddenParts } from "../../access/hidden-parts.ts";
import { visibleJobs } from "../../access/rules/visible-jobs.ts";
import { jobCollection, jobSearch } from "../../collection.ts";
import type { FinalJob } from "../../model.ts";
import { pruned, prunedText } from "../../rules/filters.ts";
import { ShownJob } from "../../shown-job.ts";

/**
 * Names of members, as a list or separated by commas; a blank counts as absent. Anything else is refused with the contract's
 * text.
 */
const Select = lenient((value) => {
  if (value === null || value === "") return undefined;
  const names = typeof value === "string" ? value.split(/,\s*/).filter((name) => name !== "") : value;
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  throw new InputError("Select parameter must be an array.");
}, z.array(z.string()).optional()).meta({ type: "array", items: { type: "string" } });

/** A job that was found; with `select`, it has only the selected members. */
const FoundJob = looseObject(() => ShownJob.partial().shape);

export const searchJobs = defineQuery({
  name: "search_jobs",
  method: "ANY",
  summary:
    "Search finished jobs; without `verbose` or `select` their large members are left out. A page over 16 MiB ends early.",
  access: credentials,
  refuses: ["db"],
  input: looseObject(() => ({ ...searchParameters, verbose: optionalFlag(), select: Select.optional() })),
  output: listOf(shownRecord(FoundJob)),
  async handler({ verbose = false, select, ...input }, context) {
    context.services.jobs.stats.count(["search"]);
    const show = async (found: FinalJob): Promise<z.infer<typeof FoundJob>> => {
      const job = await withoutHiddenParts(context.services, context, found);
      if (select) return pick(job, select);
      return (verbose ? job : pruned(job)) as z.infer<typeof FoundJob>;
    };
    // Callers with limits need each sub-job checked, so the records must be parsed.
    const asText = select === undefined && !isLimited(context.actor);
    const all = { collection: jobCollection, table: jobSearch, restriction: visibleJobs(context.actor) };
    const asked = await context.services.references.search(context, { input, target: all });
    const showText = verbose ? (json: string) => json : prunedText;
    const { rows, total } = await searchRows(
      context,
      asked.input,
      asked.target,
      asText ? { show, showText } : { show },
    );
    return asList(rows, total);
  },
});

const pick = (job: FinalJob, members: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(members.flatMap((member) => (Object.hasOwn(job, member) ? [[member, job[member]]] : [])));

import { isLimited } from "../../directory/access/require-access.ts";
import type { QueryContext } from "../../kernel/calls/context.ts";
import { type SearchInput, type SearchTarget, searchCondition } from "../../kernel/searches/search-page.ts";
import type { StoredRecord } from "../../ports/storage/collection.ts";
import { hasAnyOf, withTerms } from "../../search/ast.ts";
import type { References } from "./service.ts";

/** Search fields that name records of another kind. */
const NAMED: Readonly<Record<string, "job" | "ticket">> = { jobs: "job", tickets: "ticket" };

export interface Search<T extends StoredRecord> {
  readonly input: SearchInput;
  readonly target: SearchTarget<T>;
}

/**
 * Restricts a search to what a limited caller may ask: names of jobs and tickets that the caller may not read match nothing.
 * Otherwise the presence of a row would reveal links that the row itself leaves out.
 */
export async function searchWithin<T extends StoredRecord>(
  visible: References["visible"],
  context: Pick<QueryContext, "actor" | "config" | "now" | "tx">,
  { input, target }: Search<T>,
): Promise<Search<T>> {
  if (!isLimited(context.actor)) return { input, target };
  const { where } = searchCondition(context, input.query, target);
  const restriction = await withTerms(where, async (term) => {
    const kind = NAMED[term.field];
    return kind ? hasAnyOf(term.field, [...(await visible(context, kind, term.words))]) : term;
  });
  return { input: { ...input, query: "*" }, target: { ...target, restriction } };
}

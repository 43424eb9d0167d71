import { type Caller, isLimited, mayAccess } from "../../../directory/access/require-access.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { SearchInput } from "../../../kernel/search-page.ts";
import { searchRows } from "../../../kernel/search-rows.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { invocationCollection, invocationSearch } from "../collection.ts";
import { Invocation } from "../model.ts";
import { overlayLive } from "../services/overlay.ts";

/** Invocations on servers that share a group with the caller, and on what is of one of the caller's categories. */
function visibleTo(actor: Caller): SearchNode | undefined {
  if (!isLimited(actor)) return undefined;
  const isOther: SearchNode = { kind: "term", field: "other", words: ["yes"] };
  const servers: SearchNode = mayAccess(actor, { group: "*" })
    ? { kind: "not", node: isOther }
    : { kind: "term", field: "groups", words: actor.groups };
  const others: SearchNode = mayAccess(actor, { category: "*" })
    ? isOther
    : { kind: "term", field: "category", words: actor.categories };
  return { kind: "or", nodes: [servers, others] };
}

export const searchAlerts = defineQuery({
  name: "search_alerts",
  method: "ANY",
  summary: "Search alert invocations, the newest first.",
  access: credentials,
  refuses: ["db"],
  input: SearchInput,
  output: listOf(Invocation),
  async handler(input, context) {
    context.services.jobs.stats.count(["search"]);
    const restriction = visibleTo(context.actor);
    const target = { collection: invocationCollection, table: invocationSearch, restriction };
    const { rows, total } = await searchRows(context, input, target, { show: (row) => row });
    return asList(await overlayLive(context.tx, rows), total);
  },
});

import { type Caller, mayAccess } from "../../../directory/access/require-access.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { SearchInput } from "../../../kernel/search-page.ts";
import { searchRows } from "../../../kernel/search-rows.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { invocationCollection, invocationSearch } from "../collection.ts";
import { Invocation } from "../model.ts";
import { overlayLive } from "../services/overlay.ts";

/** Invocations that share a group with the caller. */
const visibleTo = (actor: Caller): SearchNode | undefined =>
  mayAccess(actor, { group: "*" }) ? undefined : { kind: "term", field: "groups", words: actor.groups };

export const searchAlerts = defineQuery({
  name: "search_alerts",
  method: "ANY",
  summary: "Search alert invocations, the newest first.",
  access: credentials,
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

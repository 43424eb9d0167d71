import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { SearchInput } from "../../../kernel/searches/search-page.ts";
import { searchRows } from "../../../kernel/searches/search-rows.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { invocationCollection, invocationSearch } from "../collection.ts";
import { Invocation } from "../model.ts";
import { visibleFirings } from "../rules/visible.ts";
import { overlayLive } from "../services/shown/overlay.ts";

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
    const restriction = visibleFirings(context.actor, "category");
    const { services, tx } = context;
    const all = { collection: invocationCollection, table: invocationSearch, restriction };
    const asked = await services.references.search(context, { input, target: all });
    const { rows, total } = await searchRows(context, asked.input, asked.target, { show: (row) => row });
    const told = await services.problems.overlay(tx, await overlayLive(tx, rows));
    return asList([...(await services.references.firings(context, told))], total);
  },
});

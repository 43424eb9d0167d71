import * as z from "zod";
import { admin, credentials, defineQuery } from "../../kernel/calls/operation.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { SearchInput, searchCondition, searchParameters } from "../../kernel/searches/search-page.ts";
import { searchRows } from "../../kernel/searches/search-rows.ts";
import { hasWord, nothing } from "../../search/ast.ts";
import { asList, listOf } from "../../wire/schemas/lists.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { mayAccess } from "../access/require-access.ts";
import { activityCollection, activityTable } from "./collection.ts";
import { Activity, HistoryRow } from "./model.ts";
import { historyActions, refusedHistoryQuery, withoutAddresses, withoutNetwork } from "./rules/history.ts";
import { describeUserAgent } from "./rules/user-agent.ts";

const target = { collection: activityCollection, table: activityTable };

export const searchActivity = defineQuery({
  name: "search_activity",
  method: "ANY",
  summary:
    "Search the activity log, newest first; one row unless `limit` says otherwise. A page over 16 MiB ends early.",
  access: admin,
  refuses: ["db"],
  input: SearchInput,
  output: listOf(Activity),
  async handler(input, context) {
    context.services.jobs.stats.count(["search"]);
    const { rows, total } = await searchRows(context, input, target, { show: readable });
    return asList(rows, total);
  },
});

export const searchRevisionHistory = defineQuery({
  name: "search_revision_history",
  method: "ANY",
  summary: "Search the changes of one type of objects; callers limited to categories or groups find nothing.",
  access: credentials,
  refuses: ["search"],
  input: looseObject(() => ({ type: z.string(), ...searchParameters })),
  output: listOf(HistoryRow),
  async handler(input, context) {
    const actions = historyActions(input.type);
    if (!actions) throw new DomainError("search", "malformed", "Invalid search type.");
    const refusal = refusedHistoryQuery(input.query ?? "");
    if (refusal !== undefined) throw new DomainError("search", "malformed", refusal);
    context.services.jobs.stats.count(["search"]);
    const isLimited = !mayAccess(context.actor, { category: "*", group: "*" });
    const ofType = { ...target, restriction: isLimited ? nothing : hasWord("action", actions) };
    const restriction = await withoutAddresses(searchCondition(context, input.query, ofType).where);
    const whole = { ...input, query: "*" };
    const { rows, total } = await searchRows(context, whole, { ...target, restriction }, { show: withoutNetwork });
    return asList(rows as z.input<typeof HistoryRow>[], total);
  },
});

/** Describes the user agent of rows from earlier versions, which hold the raw header. */
function readable(row: Activity): Activity {
  const header = row.headers["user-agent"];
  return header === undefined ? row : { ...row, useragent: describeUserAgent(header) };
}

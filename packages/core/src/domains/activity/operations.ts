import * as z from "zod";
import { DomainError } from "../../kernel/errors.ts";
import { admin, credentials, defineQuery } from "../../kernel/operation.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { nothing, type SearchNode } from "../../search/ast.ts";
import { pageNumber } from "../../wire/fields.ts";
import { asList, listOf } from "../../wire/lists.ts";
import { mayAccess } from "../auth/require-access.ts";
import { activityCollection } from "./collection.ts";
import { Activity } from "./model.ts";
import { historyActions, refusedHistoryQuery, withoutNetwork } from "./rules/history.ts";
import { describeUserAgent } from "./rules/user-agent.ts";

/** Part 10 §12. Rows are found newest first: ids grow with time. */
const searchParameters = {
  query: z.string().nullish(),
  offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: pageNumber(1).optional(),
  sort_by: z.string().default("_id"),
  sort_dir: z.unknown().optional(),
};
const Search = z.looseObject(searchParameters);
type Search = z.output<typeof Search>;

export const searchActivity = defineQuery({
  name: "search_activity",
  method: "ANY",
  summary: "Search the activity log, newest first; one row unless `limit` says otherwise.",
  access: admin,
  input: Search,
  output: listOf(Activity),
  async handler(input, { services, tx }) {
    const { rows, total } = await find(tx, services.activityArchive.conditionOf(input.query ?? ""), input);
    return asList(rows.map(readable), total);
  },
});

const HistoryRow = Activity.omit({ ip: true, ips: true, headers: true, useragent: true });

export const searchRevisionHistory = defineQuery({
  name: "search_revision_history",
  method: "ANY",
  summary: "Search the changes of one type of objects; callers limited to categories or groups find nothing.",
  access: credentials,
  input: z.looseObject({ type: z.string(), ...searchParameters }),
  output: listOf(HistoryRow),
  async handler(input, { actor, services, tx }) {
    const query = input.query ?? "";
    const actions = historyActions(input.type);
    if (!actions) throw new DomainError("search", "malformed", "Invalid search type.");
    const refusal = refusedHistoryQuery(query);
    if (refusal !== undefined) throw new DomainError("search", "malformed", refusal);
    const where = services.activityArchive.conditionOf(query);
    const ofType: SearchNode = { kind: "term", field: "action", words: actions };
    const isLimited = !mayAccess(actor, { category: "*", group: "*" });
    const condition: SearchNode = isLimited ? nothing : { kind: "and", nodes: [ofType, where] };
    const { rows, total } = await find(tx, condition, input);
    return asList(rows.map(withoutNetwork) as z.input<typeof HistoryRow>[], total);
  },
});

function find(tx: ReadTx, where: SearchNode, search: Search): Promise<{ rows: Activity[]; total: number }> {
  if (search.sort_by !== "_id")
    throw new DomainError("db", "malformed", `Failed DB search: Error: Cannot find sorter: ${search.sort_by}`);
  return tx.collection(activityCollection).find(where, {
    sortBy: "id",
    descending: !(Number(search.sort_dir) > 0),
    offset: search.offset ?? 0,
    limit: Math.max(1, search.limit ?? 1),
  });
}

/** Rows of earlier versions hold the header as it came. */
function readable(row: Activity): Activity {
  const header = row.headers["user-agent"];
  return header === undefined ? row : { ...row, useragent: describeUserAgent(header) };
}

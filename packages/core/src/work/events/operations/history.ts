import type * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { type Activity, HistoryRow } from "../../../directory/activity/model.ts";
import { activityRecords } from "../../../directory/activity/records.ts";
import { historyActions, withoutNetwork } from "../../../directory/activity/rules/history.ts";
import type { Actor, QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { searchParameters } from "../../../kernel/searches/search-page.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { analyseWords } from "../../../search/text/analyse.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { eventCollection } from "../collection.ts";
import type { Event } from "../model.ts";

const { offset, limit, sort_by, sort_dir } = searchParameters;

/** Most rows about one event that are read; older ones cannot be reached. */
const MAX_ROWS = 10_000;
const BATCH = 200;

export const getEventHistory = defineQuery({
  name: "get_event_history",
  method: "ANY",
  summary:
    "The changes of an event, newest first, each with the whole event of that moment; one unless `limit` says more.",
  access: credentials,
  refuses: ["db", "event"],
  input: looseObject(() => ({ id: Id, offset, limit, sort_by, sort_dir })),
  output: listOf(HistoryRow),
  async handler(input, context) {
    const { id, offset = 0, limit = 1 } = input;
    const event = await context.tx.collection(eventCollection).get(id);
    if (!event) throw new DomainError("event", "unknown", `Event not found: ${id}`);
    requireAccess(context.actor, { category: event.category, targets: event.targets });
    if (input.sort_by !== "_id")
      throw new DomainError("db", "malformed", `Failed DB search: Error: Cannot find sorter: ${input.sort_by}`);
    const rows = await readRows(id, !isAscending(input.sort_dir), context);
    const page = rows.slice(offset, offset + Math.max(1, limit));
    return asList(page.map(withoutNetwork) as z.input<typeof HistoryRow>[], rows.length);
  },
});

/** An object may throw when it is converted to a number. */
const isAscending = (direction: unknown): boolean => typeof direction !== "object" && Number(direction) > 0;

/** The index only knows words, so rows that name the id for another reason are filtered out here. */
async function readRows(id: string, descending: boolean, { actor, tx }: QueryContext): Promise<Activity[]> {
  const where = allOf([
    hasWord("action", historyActions("events") ?? []),
    ...analyseWords(id).map((word) => hasWord("keywords", word)),
  ]);
  const found: Activity[] = [];
  for (let start = 0; start < MAX_ROWS; start += BATCH) {
    const page = { sortBy: "id", descending, offset: start, limit: BATCH };
    const { rows } = await tx.collection(activityRecords).find(where, page);
    for (const row of rows) if (isShown(row, id, actor)) found.push(row);
    if (rows.length < BATCH) break;
  }
  return found;
}

/**
 * True for a row about this event that the caller could read at that moment: it may have been in another category, or a deleted
 * event of the same id.
 */
function isShown({ event }: Activity, id: string, actor: Actor): boolean {
  if (!isObject(event) || event["id"] !== id) return false;
  const { category, targets } = event as Partial<Event>;
  return mayAccess(actor, { category: category ?? "", targets: targets ?? [] });
}

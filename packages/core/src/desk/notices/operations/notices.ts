import * as z from "zod";
import { isLimited, mayAccess } from "../../../directory/access/require-access.ts";
import { visibleFirings } from "../../../fleet/alerts/rules/visible.ts";
import type { Actor } from "../../../kernel/context.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { SearchInput } from "../../../kernel/search-page.ts";
import { searchRows } from "../../../kernel/search-rows.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { noticeCollection, noticeSearch } from "../collection.ts";
import { Notice } from "../model.ts";
import { refuseAll, visible } from "./problems.ts";

/** As operations answer it: firings that the caller may not see are only counted, and then the text is left out. */
const ShownNotice = Notice.extend({ hidden: z.number() });
type ShownNotice = z.infer<typeof ShownNotice>;

async function shownNotice(tx: ReadTx, actor: Actor, notice: Notice): Promise<ShownNotice> {
  if (!isLimited(actor)) return { ...notice, hidden: 0 };
  const all = [...notice.new, ...notice.repeated, ...notice.over, ...notice.still];
  const seen = await visible(tx, actor, all);
  const own = (ids: readonly string[]): string[] => ids.filter((id) => seen.has(id));
  const lists = {
    new: own(notice.new),
    repeated: own(notice.repeated),
    over: own(notice.over),
    still: own(notice.still),
  };
  const hidden = all.filter((id) => !seen.has(id)).length;
  const groups = notice.groups.filter((group) => mayAccess(actor, { group }));
  const categories = (notice.categories ?? []).filter((category) => mayAccess(actor, { category }));
  return { ...notice, ...lists, groups, categories, hidden, text: hidden > 0 ? "" : notice.text };
}

export const searchNotices = defineQuery({
  name: "search_notices",
  method: "ANY",
  summary: "Search notices, the newest first: who was told of what, and whether it arrived.",
  access: credentials,
  refuses: ["db"],
  input: SearchInput,
  output: listOf(ShownNotice),
  async handler(input, context) {
    const { actor, tx } = context;
    const target = {
      collection: noticeCollection,
      table: noticeSearch,
      restriction: visibleFirings(actor, "categories"),
    };
    const { rows, total } = await searchRows(context, input, target, { show: (row) => row });
    return asList(await Promise.all(rows.map((row) => shownNotice(tx, actor, row as Notice))), total);
  },
});

export const getNotice = defineQuery({
  name: "get_notice",
  method: "ANY",
  summary: "Read one notice.",
  access: credentials,
  refuses: ["notfound"],
  input: z.looseObject({ id: Id }),
  output: z.object({ notice: ShownNotice }),
  async handler({ id }, { actor, tx }) {
    const notice = await tx.collection(noticeCollection).get(id);
    if (!notice) throw new NotFoundError(`Failed to locate notice: ${id}`);
    const { categories = [] } = notice;
    const groups = categories.length === 0 ? [...notice.groups, "*"] : notice.groups;
    const isVisible =
      groups.some((group) => mayAccess(actor, { group })) ||
      categories.some((category) => mayAccess(actor, { category }));
    if (!isVisible) await refuseAll(tx, actor, [...notice.new, ...notice.repeated, ...notice.over][0]);
    return { notice: await shownNotice(tx, actor, notice) };
  },
});

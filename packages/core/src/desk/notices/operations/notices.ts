import * as z from "zod";
import { isLimited, mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { visibleFirings } from "../../../fleet/alerts/rules/visible.ts";
import type { Actor, QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { SearchInput, searchCondition } from "../../../kernel/searches/search-page.ts";
import { searchRows } from "../../../kernel/searches/search-rows.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord, type SearchNode } from "../../../search/ast.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { noticeCollection, noticeSearch, problemCollection, receiverCollection } from "../collection.ts";
import { Notice } from "../model.ts";
import { DELIVER_KIND } from "../rules/delivery/delivery.ts";
import { whyOf } from "../rules/texts/content.ts";
import { visible, withinReach } from "../services/own-firings.ts";
import { refuseAll } from "./problems.ts";

const STATES = ["new", "repeated", "over", "still"] as const;

/** A notice in answers. Firings that the caller may not see are only counted, and then the text is left out. */
const ShownNotice = looseObject(() => ({
  ...Notice.shape,
  hidden: z.number(),
  /** The reason of the notice, in a sentence. */
  why: z.string(),
  /** Same value as `in_place_of`. */
  also_by: z.string().optional(),
  /** Only when a single notice is read: its firings in the order of the list, each with its state at that time. */
  members: z.array(z.object({ invocation: z.string(), state: z.enum(STATES) })).optional(),
}));
type ShownNotice = z.infer<typeof ShownNotice>;

async function shownNotice(tx: ReadTx, actor: Actor, stored: Notice): Promise<ShownNotice> {
  const { in_place_of: instead } = stored;
  const notice = { ...stored, ...(instead === undefined ? {} : { also_by: instead }) };
  const why = whyOf(notice);
  if (!isLimited(actor)) return { ...notice, hidden: 0, why };
  const { brief, acknowledged } = notice;
  const taken = acknowledged?.invocations ?? [];
  const all = [...notice.new, ...notice.repeated, ...notice.over, ...notice.still, ...(brief ?? []), ...taken];
  const seen = await visible(tx, actor, all);
  const own = (ids: readonly string[]): string[] => ids.filter((id) => seen.has(id));
  const lists = {
    new: own(notice.new),
    repeated: own(notice.repeated),
    over: own(notice.over),
    still: own(notice.still),
    ...(brief ? { brief: own(brief) } : {}),
    ...(acknowledged ? { acknowledged: { ...acknowledged, invocations: own(taken) } } : {}),
  };
  const hidden = all.filter((id) => !seen.has(id)).length;
  const groups = notice.groups.filter((group) => mayAccess(actor, { group }));
  const categories = (notice.categories ?? []).filter((category) => mayAccess(actor, { category }));
  // Titles of firings that are held back could disclose servers outside the caller's reach.
  const count = notice.holds_back?.count;
  const held = count === undefined ? {} : { holds_back: { count, titles: [] } };
  const text = hidden > 0 || count !== undefined ? "" : notice.text;
  // Leaves out the subjects when firings are hidden, since they would be disclosed.
  const { alerts: _alerts, subjects: _subjects, ...others } = notice;
  const about = hidden > 0 ? others : notice;
  return { ...about, ...lists, ...held, groups, categories, hidden, why, text };
}

export const searchNotices = defineQuery({
  name: "search_notices",
  method: "ANY",
  summary: "Search notices, the newest first: who was notified of what, and whether it arrived.",
  access: credentials,
  refuses: ["db"],
  input: SearchInput,
  output: listOf(ShownNotice),
  async handler(input, context) {
    const { actor, tx } = context;
    const all = { collection: noticeCollection, table: noticeSearch };
    const restriction = await restrictionOf(context, input);
    const [asked, target] = restriction
      ? [
          { ...input, query: "*" },
          { ...all, restriction },
        ]
      : [input, all];
    const { rows, total } = await searchRows(context, asked, target, { show: (row) => row });
    return asList(await Promise.all(rows.map((row) => shownNotice(tx, actor, row as Notice))), total);
  },
});

/** Notices about receivers, which name no firings. */
const ofReceivers = hasWord("kind", ["receiver_dead", "receiver_back"]);

/** Condition for the notices that a limited caller searches and may see; undefined = the caller has no limits. */
async function restrictionOf(
  { actor, config, now, tx }: Pick<QueryContext, "actor" | "config" | "now" | "tx">,
  { query }: Pick<SearchInput, "query">,
): Promise<SearchNode | undefined> {
  const own = visibleFirings(actor, "categories");
  if (!own) return undefined;
  const { where } = searchCondition({ now, config }, query, { collection: noticeCollection, table: noticeSearch });
  return allOf([await withinReach(tx, actor, where), own, { kind: "not", node: ofReceivers }]);
}

export const getNotice = defineQuery({
  name: "get_notice",
  method: "ANY",
  summary: "Read one notice.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ notice: ShownNotice })),
  async handler({ id }, { actor, tx }) {
    const notice = await tx.collection(noticeCollection).get(id);
    if (!notice) throw new NotFoundError(`Failed to locate notice: ${id}`);
    const { categories = [] } = notice;
    const groups = categories.length === 0 ? [...notice.groups, "*"] : notice.groups;
    const isVisible =
      !(notice.turned && isLimited(actor)) &&
      (groups.some((group) => mayAccess(actor, { group })) ||
        categories.some((category) => mayAccess(actor, { category })));
    if (!isVisible)
      await refuseAll(tx, actor, [...notice.new, ...notice.repeated, ...notice.over, ...(notice.brief ?? [])][0]);
    const shown = await shownNotice(tx, actor, notice);
    const members = STATES.flatMap((state) => shown[state].map((invocation) => ({ invocation, state })));
    return { notice: { ...shown, members } };
  },
});

export const resendNotice = defineCommand({
  name: "resend_notice",
  summary: "Send a notice again to its receiver, whatever its result; no other decision changes.",
  access: privilege("manage_routes"),
  refuses: ["notice", "notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ notice: Notice })),
  async handler({ id }, { actor, audit, emit, ids, now, tx }) {
    requireAccess(actor, { category: "*", group: "*" });
    const stored = await tx.collection(noticeCollection).get(id);
    if (!stored) throw new NotFoundError(`Failed to locate notice: ${id}`);
    if (stored.outcome === "pending") throw new DomainError("notice", "conflict", `The notice is on its way: ${id}`);
    const { problem, receiver, kind } = stored;
    const title = (await tx.collection(receiverCollection).get(receiver))?.title;
    if (title === undefined) throw new DomainError("notice", "malformed", `Receiver not found: ${receiver}`);
    const { result: _none, in_place_of: _instead, last: _last, begun: _begun, sent_to: _places, ...known } = stored;
    // Attempts at the original do not count for this notice, so that open pages show it again.
    const { deliveries: _past, ref: _ref, ...content } = known;
    const notice: Notice = {
      ...content,
      id: ids.short("no"),
      seq: await nextSeq(tx, stored),
      date: now,
      next: now,
      outcome: "pending",
      attempts: 0,
      resent: id,
    };
    await tx.collection(noticeCollection).insert(notice);
    await tx.enqueue(DELIVER_KIND, { receiver }, { key: receiver });
    audit("notice_resend", {
      description: title,
      notice: { id: notice.id, problem, receiver },
      keywords: [id, problem],
    });
    emit("notice.decided", { id: notice.id, problem, receiver, kind });
    return { notice };
  },
});

/** The next `seq` for a notice, even if the problem was deleted already. Leaves the time of the last notice unchanged. */
async function nextSeq(tx: WriteTx, { problem: id, receiver, seq }: Notice): Promise<number> {
  await tx.lock(`notices:problem:${id}`);
  const problem = await tx.collection(problemCollection).get(id);
  const side = problem?.sides[receiver];
  if (!problem || !side) return seq + 1;
  const next = { ...side, seq: side.seq + 1 };
  await tx
    .collection(problemCollection)
    .update(id, () => ({ ...problem, sides: { ...problem.sides, [receiver]: next } }));
  return next.seq;
}

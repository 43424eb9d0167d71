import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import type { QuietTime } from "../../../../fleet/alerts/rules/backtest/holds.ts";
import { whoAcknowledged } from "../../../../fleet/alerts/rules/telling/suppression.ts";
import type { SilencedBy } from "../../../../fleet/silences/model.ts";
import { pagesById } from "../../../../kernel/searches/pages-by-id.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { allOf, anyOf, hasWord, type SearchNode } from "../../../../search/ast.ts";
import { decisionCollection, noticeCollection } from "../../collection.ts";
import type { Decision, Notice, NoticeHold } from "../../model.ts";
import type { Happened } from "./happenings.ts";

/** Runs a function in a short snapshot. */
export type Read = <T>(run: (tx: ReadTx) => Promise<T>) => Promise<T>;

/** A span of the past, in Unix seconds. */
export interface PastSpan {
  readonly from: number;
  readonly to: number;
}

const PAGE = 200;

/** Records by id; stops once `most` are read, which may be exceeded by part of a page. */
async function take<T extends { id: string }>(pages: AsyncIterable<readonly T[]>, most: number): Promise<T[]> {
  const all: T[] = [];
  for await (const rows of pages) {
    all.push(...rows);
    if (all.length >= most) break;
  }
  return all;
}

const within = (field: string, operator: "gte" | "lte", value: number): SearchNode => ({
  kind: "compare",
  field,
  operator,
  value,
});

/** Firings that were live at some time of the span; stops at `most`, which may be exceeded by part of a page. */
export async function pastInvocations(read: Read, { from, to }: PastSpan, most: number): Promise<Invocation[]> {
  const ended: SearchNode = within("end", "gte", from);
  const live = hasWord("active", "true");
  const where = allOf([within("start", "lte", to), anyOf([ended, live])]);
  return take(pagesById(read, invocationRecords, { where, size: PAGE }), most);
}

/**
 * Notices of the span; stops at `most`, which may be exceeded by part of a page. `restriction`: condition for the caller's
 * rights.
 */
export async function pastNotices(
  read: Read,
  { from, to }: PastSpan,
  restriction: SearchNode | undefined,
  most: number,
): Promise<Notice[]> {
  const nodes = [within("date", "gte", from), within("date", "lte", to), ...(restriction ? [restriction] : [])];
  return take(pagesById(read, noticeCollection, { where: allOf(nodes), size: PAGE }), most);
}

/** Kinds of holds that cannot be derived from minutes or definitions. */
const RECORDED: ReadonlySet<NoticeHold["kind"]> = new Set(["snooze", "job"]);
const MAX_DECISIONS = 5000;

/** Snoozes and jobs that held firings, as far as they were recorded, by invocation. */
export async function recordedHolds(read: Read, ids: readonly string[]): Promise<Map<string, QuietTime[]>> {
  const found = new Map<string, QuietTime[]>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const words = ids.slice(at, at + PAGE);
    const where = hasWord("invocation", words);
    const { rows } = await read((tx) =>
      tx.collection(decisionCollection).find(where, { sortBy: "from", limit: MAX_DECISIONS }),
    );
    for (const row of rows) note(found, row);
  }
  return found;
}

function note(found: Map<string, QuietTime[]>, { invocation, verdict, by, also, from, to }: Decision): void {
  if (verdict !== "held") return;
  const times = [by, ...(also ?? [])].flatMap((hold) =>
    hold && RECORDED.has(hold.kind)
      ? [{ from: Math.floor(from), to: to === null ? undefined : Math.floor(to), by: hold as SilencedBy }]
      : [],
  );
  if (times.length > 0) found.set(invocation, [...(found.get(invocation) ?? []), ...times]);
}

interface Taken {
  readonly time: QuietTime;
  /** True when the end of the firing would not be reported. */
  readonly isFinal: boolean;
}

type Takeable = Pick<Happened, "fired" | "to" | "real">;

/** The acknowledgement of a firing while it is live: `after` minutes, or as recorded if `after` is undefined. */
export function acknowledgedIn({ fired, to = NEVER, real }: Takeable, after: number | undefined): Taken | undefined {
  const taken = takenOf(real, after, fired);
  return taken && taken.time.from < to ? taken : undefined;
}

const NEVER = Number.POSITIVE_INFINITY;

function takenOf(real: Invocation | undefined, after: number | undefined, from: number): Taken | undefined {
  const kind = "acknowledgement" as const;
  if (after !== undefined) return { time: { from: from + after * 60, by: { kind, id: "", title: "" } }, isFinal: true };
  if (!real?.acknowledged) return undefined;
  const { comment, date, notify_cleared, expires } = real.acknowledged;
  const by = { kind, id: whoAcknowledged(real.acknowledged), title: comment };
  return { time: { from: Math.floor(date), to: expires, by }, isFinal: !notify_cleared };
}

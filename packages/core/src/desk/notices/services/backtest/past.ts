import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { firedAt, flapRuleOf } from "../../../../fleet/alerts/rules/episodes.ts";
import { severityOf } from "../../../../fleet/alerts/rules/severity.ts";
import { whoAcknowledged } from "../../../../fleet/alerts/rules/suppression.ts";
import type { ReadTx } from "../../../../ports/storage.ts";
import type { SearchNode } from "../../../../search/ast.ts";
import { decisionCollection, noticeCollection } from "../../collection.ts";
import type { Decision, Notice, NoticeHold } from "../../model.ts";
import type { PastFiring, PastHold } from "../../rules/backtest/replay.ts";
import type { Firing } from "../../rules/routing/match.ts";

/** Opens a short snapshot. */
export type Read = <T>(run: (tx: ReadTx) => Promise<T>) => Promise<T>;

/** A time of the past. Unix seconds. */
export interface PastSpan {
  readonly from: number;
  readonly to: number;
}

const PAGE = 200;

/** Pages of a collection by id, under a condition, until there is no more or `most` were read. */
async function* pages<T extends { readonly id: string }>(
  find: (where: SearchNode) => Promise<readonly T[]>,
  where: SearchNode,
  most: number,
): AsyncGenerator<readonly T[]> {
  let count = 0;
  for (let after: string | undefined = ""; after !== undefined && count < most; ) {
    const rest: SearchNode = { kind: "compare", field: "id", operator: "gt", value: after };
    const rows: readonly T[] = await find({ kind: "and", nodes: [where, rest] });
    count += rows.length;
    yield rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}

const BY_ID = { sortBy: "id", limit: PAGE } as const;
const within = (field: string, operator: "gte" | "lte", value: number): SearchNode => ({
  ...{ kind: "compare", field, operator, value },
});

/** Firings that were live at some time of the span, `most` and a few more at most. */
export async function pastInvocations(read: Read, { from, to }: PastSpan, most: number): Promise<Invocation[]> {
  const ended: SearchNode = within("end", "gte", from);
  const live: SearchNode = { kind: "term", field: "active", words: ["true"] };
  const where: SearchNode = { kind: "and", nodes: [within("start", "lte", to), { kind: "or", nodes: [ended, live] }] };
  const all: Invocation[] = [];
  const find = (node: SearchNode) =>
    read(async (tx) => (await tx.collection(invocationRecords).find(node, BY_ID)).rows);
  for await (const rows of pages(find, where, most)) all.push(...rows);
  return all;
}

/** Notices of the span, `most` and a few more at most. `restriction`: what the caller may see. */
export async function pastNotices(
  read: Read,
  { from, to }: PastSpan,
  restriction: SearchNode | undefined,
  most: number,
): Promise<Notice[]> {
  const nodes = [within("date", "gte", from), within("date", "lte", to), ...(restriction ? [restriction] : [])];
  const all: Notice[] = [];
  const find = (node: SearchNode) => read(async (tx) => (await tx.collection(noticeCollection).find(node, BY_ID)).rows);
  for await (const rows of pages(find, { kind: "and", nodes }, most)) all.push(...rows);
  return all;
}

/** What other rules decide than those that are tried out. */
const RECORDED: ReadonlySet<NoticeHold["kind"]> = new Set(["dependency", "inhibition", "snooze", "silence", "job"]);
const MAX_DECISIONS = 5000;

/** What held firings then, as far as it is on record, by invocation. */
export async function pastHolds(read: Read, invocations: readonly Invocation[]): Promise<Map<string, PastHold[]>> {
  const found = new Map<string, PastHold[]>();
  for (let at = 0; at < invocations.length; at += PAGE) {
    const words = invocations.slice(at, at + PAGE).map(({ id }) => id);
    const where = { kind: "term", field: "invocation", words } as const;
    const { rows } = await read((tx) =>
      tx.collection(decisionCollection).find(where, { sortBy: "from", limit: MAX_DECISIONS }),
    );
    for (const row of rows) note(found, row);
  }
  return found;
}

function note(found: Map<string, PastHold[]>, { invocation, verdict, by, from, to }: Decision): void {
  if (verdict !== "held" || !by || !RECORDED.has(by.kind)) return;
  const hold: PastHold = { from: Math.floor(from), to: to === null ? undefined : Math.floor(to), hold: by };
  found.set(invocation, [...(found.get(invocation) ?? []), hold]);
}

interface Facts {
  /** As it is tried out. */
  readonly alert: Pick<Alert, "id" | "severity" | "tags" | "notice_after" | "flap_count" | "flap_window">;
  readonly firing: Firing;
  readonly holds: readonly PastHold[];
  /** Minutes after which each firing is acknowledged; undefined = as it was. */
  readonly acknowledgeAfter: number | undefined;
}

/** A stored firing as the rules that are tried out see it. */
export function pastFiring(invocation: Invocation, { alert, firing, holds, acknowledgeAfter }: Facts): PastFiring {
  const from = Math.floor(firedAt(invocation));
  const to = invocation.active ? undefined : Math.max(Math.floor(invocation.modified), from + 1);
  const taken = takenOf(invocation, acknowledgeAfter, from);
  const acknowledged = taken && (to === undefined || taken.at < to) ? taken : undefined;
  const after = alert.notice_after ?? 0;
  return {
    ...{ invocation: invocation.id, from, to, flapRule: flapRuleOf(alert) },
    firing: { ...firing, severity: severityOf(alert), tags: alert.tags ?? [] },
    holds: [
      ...(after > 0
        ? [{ from, to: from + after, hold: { kind: "delay", id: alert.id, title: `${after} s` } as const }]
        : []),
      ...(acknowledged ? [{ from: acknowledged.at, hold: acknowledged.hold }] : []),
      ...holds,
    ],
    ...(acknowledged?.isFinal ? { endsUntold: acknowledged.hold } : {}),
  };
}

function takenOf({ acknowledged }: Invocation, after: number | undefined, from: number) {
  const kind = "acknowledgement" as const;
  if (after !== undefined) return { at: from + after * 60, isFinal: true, hold: { kind, id: "", title: "" } };
  if (!acknowledged) return undefined;
  const { comment, date, notify_cleared } = acknowledged;
  const hold = { kind, id: whoAcknowledged(acknowledged), title: comment };
  return { at: Math.floor(date), isFinal: !notify_cleared, hold };
}

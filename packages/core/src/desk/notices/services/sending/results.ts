import * as z from "zod";
import type { NoticeResult } from "../../../../fleet/alerts/rules/telling/by-problem.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { Notice } from "../../model.ts";
import type { Carried } from "./service-call.ts";

/** Kind of the queued work that records results in the firings of a large notice. */
export const RESULTS_KIND = "notices.results";

/** Firings per transaction. */
const PAGE = 100;

const Page = z.object({
  notice: z.string(),
  action: Action,
  /** Ids of invocations. */
  news: z.array(z.string()),
  over: z.array(z.string()),
});
type Page = z.infer<typeof Page>;

interface Noted {
  readonly notice: Notice;
  readonly lead: string;
  readonly outcome: Carried;
  readonly elapsedMs: number;
  /** Unix seconds. */
  readonly date: number;
}

type Deps = Pick<Cradle, "alerts">;

/** Records the result of an action's notice in the `actions` of the firings that it named; only the lead gets the details. */
export async function noteResults(unit: Unit, deps: Deps, noted: Noted): Promise<void> {
  const { notice, lead, outcome, elapsedMs: elapsed_ms, date } = noted;
  if (!notice.action) return;
  const { code, description, details = "", loc } = outcome;
  const place = loc === undefined ? {} : { loc };
  const result: Action = { ...notice.action, date, code, description, elapsed_ms, ...place };
  const news = [...notice.new, ...notice.repeated].toSorted((a, b) => Number(b === lead) - Number(a === lead));
  await notePage(unit, deps, { notice: notice.id, action: result, news, over: notice.over }, { lead, details });
}

async function notePage(
  unit: Unit,
  { alerts }: Deps,
  { notice, action, news, over }: Page,
  { lead, details }: { readonly lead: string; readonly details: string },
): Promise<void> {
  const ended = new Set(over);
  const all = [...news, ...over];
  const resultOf = (id: string): NoticeResult => ({
    notice,
    condition: ended.has(id) ? "alert_cleared" : "alert_new",
    action: { ...action, details: id === lead ? details : "" },
  });
  await alerts.byProblem.note(unit, all.slice(0, PAGE), resultOf);
  if (all.length <= PAGE) return;
  const rest: Page = { notice, action, news: news.slice(PAGE), over: over.slice(Math.max(0, PAGE - news.length)) };
  await unit.tx.enqueue(RESULTS_KIND, rest, { key: `${notice}:${rest.news.length + rest.over.length}` });
}

/** Queued work: records results in the next page of firings. */
export const resultsWorker: WorkHandler = async (item, { alerts, transact }) => {
  const page = Page.parse(item.payload);
  await transact((unit) => notePage(unit, { alerts }, page, { lead: "", details: "" }));
};

import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import type { JobStatsRow } from "../../model.ts";
import { cutsId, dayOfRow, inPeriod, TRAFFIC, treeOf } from "./periods.ts";

type Members = Readonly<Record<string, unknown>>;
type Counts = Readonly<Record<string, number>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NAME = /^\w{1,64}$/;
const SECTIONS = ["events", "categories", "plugins", "servers", "groups", "alerts", "channels", "web_hooks"];
/** Far more than the number of times that a day is cut. */
const MOST_PERIODS = 9999;

/** The rows of one local day as entries of the history, one per period; a single entry if the day was never cut. */
export function dayEntries(rows: readonly JobStatsRow[]): Members[] {
  const day = dayOfRow(rows[0]?.id ?? "");
  const cuts = rows.find(({ id }) => id === cutsId(day))?.counts["cuts"] ?? 0;
  const entries: Members[] = [];
  for (let period = 0; period <= cuts; period++) {
    const root = inPeriod(`${day}/`, period);
    const own = rows.filter(({ id }) => id.startsWith(root));
    // The last period shows how often the day was cut, even before anything is counted in it.
    if (own.length > 0 || (cuts > 0 && period === cuts)) entries.push(entryOf({ day, period, root }, own));
  }
  return entries;
}

interface Period {
  readonly day: string;
  readonly period: number;
  /** Id of its first row, which is the prefix of the ids of the others. */
  readonly root: string;
}

function entryOf({ day, period, root }: Period, rows: readonly JobStatsRow[]): Members {
  return {
    date: day,
    epoch: rows.find(({ id }) => id === root)?.epoch ?? Date.parse(`${day}T00:00:00Z`) / 1000,
    ...(period > 0 ? { period } : {}),
    data: treeOf(rows.map(({ id, counts }) => [id.slice(root.length), counts])),
  };
}

/** The rows of an entry; members that are not counters are skipped. Throws `Error` for an invalid day. */
export function dayRows(entry: Members): JobStatsRow[] {
  const day = dayOf(entry);
  const { epoch } = entry;
  const period = periodIn(entry);
  const data = membersOf(entry["data"]);
  const row = (section: string, counts: Counts) => ({ id: inPeriod(`${day}/${section}`, period), counts });
  const traffic = Object.fromEntries(TRAFFIC.map((name) => [name, data[name]]));
  const sums = row("", { ...countsIn(data["transactions"]), ...countsIn(traffic) });
  const sections = SECTIONS.flatMap((section) =>
    Object.entries(membersOf(data[section]))
      .filter(([name]) => NAME.test(name))
      .map(([name, counts]) => row(`${section}/${name}`, countsIn(counts))),
  );
  const counted = sections.filter(({ counts }) => Object.keys(counts).length > 0);
  const isEmpty = counted.length === 0 && Object.keys(sums.counts).length === 0;
  return [
    ...(period > 0 ? [{ id: cutsId(day), counts: { cuts: period } }] : []),
    ...(isEmpty ? [] : [typeof epoch === "number" ? { ...sums, epoch } : sums]),
    ...counted,
  ];
}

const periodIn = ({ period }: Members): number =>
  typeof period === "number" && Number.isInteger(period) && period > 0 && period <= MOST_PERIODS ? period : 0;

/** Other systems may write days with slashes. */
function dayOf({ date, epoch }: Members): string {
  const text = typeof date === "string" ? date.replaceAll("/", "-") : "";
  if (DAY.test(text)) return text;
  if (typeof epoch === "number" && epoch >= 0 && epoch < 1e11) return new Date(epoch * 1000).toISOString().slice(0, 10);
  throw new Error("An entry of the counters has no day");
}

function countsIn(value: unknown): Counts {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, number] =>
        NAME.test(entry[0]) && Number.isFinite(entry[1]) && typeof entry[1] === "number",
    ),
  );
}

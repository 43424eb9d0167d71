import { isObject } from "../../../../lib/is-object.ts";
import type { JobStatsRow } from "../../model.ts";

type Members = Readonly<Record<string, unknown>>;
type Counts = Readonly<Record<string, number>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NAME = /^\w{1,64}$/;
const SECTIONS: ReadonlySet<string> = new Set(["events", "categories", "plugins", "servers", "groups"]);

/** The counters of one local day as one entry of the history: `transactions`, and a tree for each kind of thing. */
export function dayEntry(day: string, rows: readonly JobStatsRow[]): Members {
  const data: Record<string, Record<string, unknown>> = { transactions: {} };
  for (const { id, counts } of rows) {
    const [section = "", name] = id.slice(day.length + 1).split("/");
    if (name === undefined) data["transactions"] = { ...counts };
    else data[section] = { ...data[section], [name]: counts };
  }
  return { date: day, epoch: Date.parse(`${day}T00:00:00Z`) / 1000, data };
}

/** The rows of an entry. Throws `Error` for a day that is none; what no counter is is left out. */
export function dayRows(entry: Members): JobStatsRow[] {
  const day = dayOf(entry);
  const data = isObject(entry["data"]) ? entry["data"] : {};
  const rows = [{ id: `${day}/`, counts: countsIn(data["transactions"]) }];
  for (const [section, things] of Object.entries(data)) {
    if (!SECTIONS.has(section) || !isObject(things)) continue;
    for (const [name, counts] of Object.entries(things))
      if (NAME.test(name)) rows.push({ id: `${day}/${section}/${name}`, counts: countsIn(counts) });
  }
  return rows.filter(({ counts }) => Object.keys(counts).length > 0);
}

/** Days of other systems may be written with slashes. */
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

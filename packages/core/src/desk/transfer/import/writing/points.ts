import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import type { TimelinePoint } from "../../../../ports/storage/timeline.ts";
import { isReservedWord } from "../../../../wire/fields/reserved.ts";
import type { Target } from "../../rules/format/keys.ts";
import { type ImportTools, LineError, type Place } from "../tools.ts";

type Members = Readonly<Record<string, unknown>>;
type SeriesTarget = Extract<Target, { kind: "series" }>;

/** A page of a server's history. Resolutions that are derived from others are skipped. */
export async function takePoints(tools: ImportTools, target: SeriesTarget, value: unknown, at: Place): Promise<void> {
  const { extra, server, resolution, page } = target;
  const known = tools.cradle.registry.transfer.series.get(extra)?.resolutions[resolution];
  if (page === undefined || !known) return;
  const { items } = membersOf(value);
  if (!Array.isArray(items)) throw new LineError("A page of a list has no items");
  if (known.derived) return tools.tally.skip(`points that follow from others (${resolution})`);
  for (const item of items) {
    const point = pointOf(item, known.seconds);
    const entry = { server, system: resolution, point };
    await tools.batch.add(tools.sinks.points, entry, { line: at.line, size: at.size / items.length });
  }
}

const MAX_DATE = 1e11;

/** A point of history with its numbers checked, because the storage packs them. */
function pointOf(item: unknown, seconds: number): TimelinePoint {
  if (!isObject(item)) throw new LineError("A point of history is no object");
  const { date, count = 1 } = item;
  const isDate = typeof date === "number" && date >= 0 && date < MAX_DATE;
  if (!isDate || !Number.isInteger(count) || (count as number) < 1)
    throw new LineError("A point of history has no time or no count");
  const bucket = Math.floor(date / seconds);
  return {
    epoch_div: bucket,
    date: bucket * seconds,
    count: count as number,
    totals: numbersIn(item["totals"]),
    ...(isObject(item["deltas"]) ? { deltas: numbersIn(item["deltas"]) } : {}),
    ...(isObject(item["counts"]) ? { counts: numbersIn(item["counts"]) } : {}),
    ...(isObject(item["alerts"]) ? { alerts: marksIn(item["alerts"]) } : {}),
  };
}

const namesOf = (value: Members): string[] => Object.keys(value).filter((name) => !isReservedWord(name));

function numbersIn(value: unknown): Record<string, number> {
  if (!isObject(value)) return {};
  const numbers = namesOf(value).map((name) => [name, value[name]] as const);
  return Object.fromEntries(numbers.filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
}

const marksIn = (value: Members): Record<string, true> =>
  Object.fromEntries(namesOf(value).flatMap((name) => (value[name] ? [[name, true as const]] : [])));

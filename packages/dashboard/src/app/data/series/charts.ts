import type { Line } from "../../parts/plot/geometry/drawing.ts";
import type { Unit } from "../../parts/plot/unit.ts";
import { capital } from "../../texts/format.ts";
import { readingsOf, type Timeline, unitOf } from "./timeline.ts";

/** Members of a monitor that charts use. */
interface Drawn {
  readonly id: string;
  readonly title: string;
  readonly data_type: string;
  readonly suffix?: unknown;
  readonly min_vert_scale?: unknown;
  readonly enabled?: unknown;
  readonly display?: unknown;
  readonly groups?: readonly string[] | null | undefined;
}

export interface ChartOf {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
  readonly monitors: readonly Drawn[];
  /** Names of the lines. */
  readonly names: readonly string[];
  readonly atLeast?: number | undefined;
}

/** Monitors that share a chart, because they are two sides of one thing. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["cpu_usage", "io_wait"],
  ["mem_used", "mem_free"],
  ["disk_read_sec", "disk_write_sec"],
  ["os_bytes_in_sec", "os_bytes_out_sec"],
];

/** The charts of a server in the order of its monitors, pairs together; only monitors for its groups. */
export function chartsOf(monitors: readonly Drawn[], groups: readonly string[]): ChartOf[] {
  const shown = monitors.filter(
    ({ enabled, display, groups: scope }) =>
      enabled && display !== false && (!scope?.length || scope.some((group) => groups.includes(group))),
  );
  const byId = new Map(shown.map((monitor) => [monitor.id, monitor]));
  const second = new Set(
    PAIRS.filter(([first, other]) => byId.has(first) && byId.has(other)).map(([, other]) => other),
  );
  return shown
    .filter(({ id }) => !second.has(id))
    .map((monitor) => {
      const other = byId.get(PAIRS.find(([first]) => first === monitor.id)?.[1] ?? "");
      const least = Number(monitor.min_vert_scale);
      const monitors = other ? [monitor, other] : [monitor];
      return {
        key: monitor.id,
        unit: unitOf(monitor),
        monitors,
        ...namesOf(monitors.map(({ title }) => plainTitle(title))),
        atLeast: Number.isFinite(least) ? least : undefined,
      };
    });
}

/** A title without its unit, which the head of the chart names. */
export const plainTitle = (title: string): string => title.replace(/ %(?= |$)/, "").replace(/ \(Bytes\)$/, "") || title;

/** One chart for each monitor, for pages that compare its line with others. */
export const singly = (charts: readonly ChartOf[]): ChartOf[] =>
  charts.flatMap((chart) =>
    chart.monitors.map((monitor) => {
      const title = plainTitle(monitor.title);
      return { ...chart, key: monitor.id, title, names: [title], monitors: [monitor], unit: unitOf(monitor) };
    }),
  );

/**
 * "Disk Read" and "Disk Write" become "Disk" with the lines "Read" and "Write", which begin with a capital as all names of lines
 * do. Titles stay as they are when they share no word, or when one has no word beyond the shared ones.
 */
export function namesOf([first = "", second]: readonly string[]): Pick<ChartOf, "title" | "names"> {
  if (second === undefined) return { title: first, names: [first] };
  const [left, right] = [first.split(" "), second.split(" ")];
  const shared = left.filter((word) => right.includes(word));
  const names = [left, right].map((words) => capital(words.filter((word) => !shared.includes(word)).join(" ")));
  if (shared.length === 0 || names.includes("")) return { title: first, names: [first, second] };
  return { title: shared.join(" "), names };
}

export const linesOf = ({ monitors, names }: ChartOf, timeline: Timeline): Line[] =>
  monitors.map(({ id }, at) => ({ name: names[at] ?? id, values: readingsOf(timeline, id) }));

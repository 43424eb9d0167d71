import { useMemo } from "preact/hooks";
import { type ChartOf, chartsOf, linesOf } from "../../data/charts.ts";
import { usePolling } from "../../data/fresh-jobs.ts";
import { listed } from "../../data/lists.ts";
import { useLoad } from "../../data/load.ts";
import { listFor, readTimeline, type Timeline } from "../../data/timeline.ts";
import { Chart } from "../../parts/chart.tsx";
import type { TimeCursor } from "../../parts/plot/cursor.ts";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { setQuery } from "../../router/router.ts";
import { duration, now } from "../../texts/format.ts";
import { limitIn } from "../alerts/state.ts";
import type { Range } from "./range.ts";
import { t } from "./texts.ts";

interface ChartsProps {
  readonly server: string;
  readonly groups: readonly string[];
  readonly range: Range;
  readonly cursor: TimeCursor;
  /** Times at which something fired, for the ground of the charts. */
  readonly firing: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

export const zoom = (from: number, to: number): void =>
  setQuery({ from: String(from), to: String(to) }, { push: true });
export const unzoom = (): void => setQuery({ from: undefined, to: undefined });

/** Averages say so, with how long they go on. */
export const stepNote = (step: number): string | undefined =>
  step > 60 ? t("averageOf", { time: duration(step) }) : undefined;

/** The bound of the first enabled rule about a monitor, and which rule that is. */
export function boundOf(monitor: string): { readonly alert: string; readonly limit: number } | undefined {
  for (const { id, enabled, expression } of listed("alerts") ?? []) {
    const limit = enabled ? limitIn(expression, monitor) : undefined;
    if (limit !== undefined) return { alert: id, limit };
  }
  return undefined;
}

/** A chart for each quantity, all on one time and with one cursor. */
export function Charts({ server, groups, range, cursor, firing }: ChartsProps) {
  const charts = useMemo(() => chartsOf(listed("monitors") ?? [], groups), [listed("monitors"), groups.join()]);
  const { from, to, name } = range;
  const found = useLoad(`charts ${server} ${name ?? `${from} ${to}`}`, (signal) =>
    readTimeline(name ? { server, from: now.peek() - (to - from), to: now.peek() } : { server, from, to }, { signal }),
  );
  usePolling(name && Math.max(60, listFor(from, to).step), found.reload);
  if (listed("monitors") && charts.length === 0) return <Empty>{t("noMonitors")}</Empty>;
  return (
    <WhenLoaded of={found} rows={10}>
      {(timeline) => (
        <div class="grid wide3">
          {charts.map((chart) => (
            <div key={chart.key} class="c6">
              <One {...{ chart, timeline, range, cursor, firing }} />
            </div>
          ))}
        </div>
      )}
    </WhenLoaded>
  );
}

interface OneProps extends Pick<ChartsProps, "range" | "cursor" | "firing"> {
  readonly chart: ChartOf;
  readonly timeline: Timeline;
}

function One({ chart, timeline, range: { from, to }, cursor, firing }: OneProps) {
  const series = useMemo(() => linesOf(chart, timeline), [chart, timeline]);
  const bound = boundOf(chart.key);
  const { step, times } = timeline;
  return (
    <Chart
      {...{ title: chart.title, unit: chart.unit, series, times, step, from, to, cursor, atLeast: chart.atLeast }}
      limit={bound?.limit}
      firing={bound ? firing[bound.alert] : undefined}
      note={stepNote(step)}
      onZoom={zoom}
      onReset={unzoom}
    />
  );
}

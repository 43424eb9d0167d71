import { useEffect, useMemo, useState } from "preact/hooks";
import { type Loaded, useLoad } from "../../../data/calls/load.ts";
import { usePolling } from "../../../data/jobs/fresh-jobs.ts";
import { listed } from "../../../data/records/lists.ts";
import { type ChartOf, chartsOf, linesOf } from "../../../data/series/charts.ts";
import { listFor, readTimeline, type Timeline } from "../../../data/series/timeline.ts";
import { afterPicture, PAINTING_MS } from "../../../parts/after-picture.ts";
import { Empty, Failed, Outline } from "../../../parts/basic/states.tsx";
import { Chart } from "../../../parts/charts/chart.tsx";
import type { TimeCursor } from "../../../parts/plot/cursor.ts";
import type { Fired } from "../../../parts/plot/geometry/drawing.ts";
import { setQuery } from "../../../router/router.ts";
import { duration, now } from "../../../texts/format.ts";
import { boundIn } from "../../alerts/state.ts";
import { t } from "../texts.ts";
import type { Range } from "./range.ts";

/** Reads the timeline of a range; undefined for the last minute, which no timeline contains. */
export function useTimeline(server: string, { from, to, name }: Range): Loaded<Timeline | undefined> {
  const found = useLoad(`charts ${server} ${name ?? `${from} ${to}`}`, async (signal) => {
    if (name === "minute") return undefined;
    const end = name ? now.peek() : to;
    return readTimeline({ server, from: end - (to - from), to: end }, { signal });
  });
  usePolling(name && name !== "minute" ? Math.max(60, listFor(from, to).step) : undefined, found.reload);
  return found;
}

interface ChartsProps {
  readonly groups: readonly string[];
  readonly timeline: Loaded<Timeline | undefined>;
  readonly range: Range;
  readonly cursor: TimeCursor;
  /** Ranges in which an alert fired, shown as the background of the charts. */
  readonly firing: Readonly<Record<string, readonly Fired[]>>;
}

export const zoom = (from: number, to: number): void =>
  setQuery({ from: String(from), to: String(to) }, { push: true });
export const unzoom = (): void => setQuery({ from: undefined, to: undefined });

/** States the interval that each value averages; undefined where values are not averages. */
export const stepNote = (step: number): string | undefined =>
  step > 60 ? t("averageOf", { time: duration(step) }) : undefined;

/** The threshold of the first rule on a monitor that applies to all given servers. Each server is given as its list of groups. */
export const boundOf = (monitor: string, ...servers: readonly (readonly string[])[]): ReturnType<typeof boundIn> =>
  boundIn(listed("alerts") ?? [], monitor, servers);

/** Pixels: the page above the charts, and the part of the window that each chart takes. */
const [ABOVE, TALL, WIDE] = [400, 220, 640];

/** Number of charts that the window has room for. An estimate, because measuring would lay out the page again. */
const chartsInWindow = (): number =>
  Math.ceil(innerWidth / WIDE) * Math.ceil(Math.max(TALL, innerHeight - ABOVE) / TALL);

/** Number of charts to draw: those in the window first, and the others once the browser has painted these. */
function useTurns(isThere: boolean): number {
  const [most, setMost] = useState(chartsInWindow);
  const drawAll = (): void => setMost(Number.POSITIVE_INFINITY);
  useEffect(() => (isThere ? afterPicture(drawAll, PAINTING_MS) : undefined), [isThere]);
  return most;
}

/**
 * One chart per quantity, with a shared time axis and cursor. While loading, each chart already has its title and
 * space, so that only the lines remain to be drawn.
 */
export function Charts({ groups, timeline, range, cursor, firing }: ChartsProps) {
  const monitors = listed("monitors");
  const charts = useMemo(() => chartsOf(monitors ?? [], groups), [monitors, groups.join()]);
  const read = timeline.data.value;
  const most = useTurns(read !== undefined);
  if (monitors && charts.length === 0) return <Empty>{t("noMonitors")}</Empty>;
  const error = read ? undefined : timeline.error.value;
  if (error) return <Failed error={error} onRetry={timeline.reload} />;
  if (!monitors) return <Outline rows={10} />;
  return (
    <div class="grid wide3" aria-busy={!read || most < charts.length}>
      {charts.map((chart, at) => (
        <div key={chart.key} class="c6">
          <One
            chart={chart}
            groups={groups}
            timeline={at < most ? read : undefined}
            range={range}
            cursor={cursor}
            firing={firing}
          />
        </div>
      ))}
    </div>
  );
}

interface OneProps extends Pick<ChartsProps, "groups" | "range" | "cursor" | "firing"> {
  readonly chart: ChartOf;
  readonly timeline: Timeline | undefined;
}

const NOTHING_YET: Timeline = { times: [], step: 0, monitors: {} };

function One({ chart, groups, timeline = NOTHING_YET, range: { from, to }, cursor, firing }: OneProps) {
  const series = useMemo(() => linesOf(chart, timeline), [chart, timeline]);
  const isWaiting = timeline === NOTHING_YET;
  // A chart without a line has no limit, and need not be rendered again for the answer of the rules.
  const rules = isWaiting ? undefined : listed("alerts");
  const bound = useMemo(() => rules && boundOf(chart.key, groups), [chart.key, groups.join(), rules]);
  const { step, times } = timeline;
  return (
    <Chart
      title={chart.title}
      unit={chart.unit}
      series={series}
      times={times}
      step={step}
      from={from}
      to={to}
      cursor={cursor}
      atLeast={chart.atLeast}
      isWaiting={isWaiting}
      limit={bound?.limit}
      firing={bound ? firing[bound.alert] : undefined}
      note={stepNote(step)}
      onZoom={zoom}
      onReset={unzoom}
    />
  );
}

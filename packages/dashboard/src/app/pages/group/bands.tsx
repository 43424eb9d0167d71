import { useMemo } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { createQueue } from "../../data/calls/queue.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { listed } from "../../data/records/lists.ts";
import { type ChartOf, chartsOf, singly } from "../../data/series/charts.ts";
import { listFor, readingsOf, readTimeline, type Timeline } from "../../data/series/timeline.ts";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Chart } from "../../parts/charts/chart.tsx";
import { createTimeCursor, type TimeCursor } from "../../parts/plot/cursor.ts";
import { now } from "../../texts/format.ts";
import { t } from "../groups/texts.ts";
import { boundOf, stepNote, unzoom, zoom } from "../server/charts/charts.tsx";
import type { Range } from "../server/charts/range.ts";
import type { Member } from "./grid.tsx";
import { spreadOf } from "./spread.ts";

/** Maximum number of servers whose timelines are read for the charts of a group. */
const MOST = 60;
const AT_ONCE = 4;

interface BandsProps {
  readonly group: string;
  readonly members: readonly Member[];
  readonly range: Range;
}

/** One chart per quantity over all servers: the average, with a band from the lowest to the highest. */
export function Bands({ group, members, range }: BandsProps) {
  const { from, to, name } = range;
  const ids = members.slice(0, MOST).map(({ id }) => id);
  const cursor = useMemo(createTimeCursor, []);
  const groups = useMemo(() => [...new Set(members.flatMap((member) => member.groups))], [members]);
  const charts = useMemo(() => singly(chartsOf(listed("monitors") ?? [], groups)), [listed("monitors"), groups]);
  const found = useLoad(`bands ${ids.join()} ${name ?? `${from} ${to}`}`, (signal) => {
    const ask = name ? { from: now.peek() - (to - from), to: now.peek() } : { from, to };
    const queue = createQueue(AT_ONCE);
    return Promise.all(ids.map((server) => queue(() => readTimeline({ server, ...ask }, { signal }))));
  });
  usePolling(name && Math.max(60, listFor(from, to).step), found.reload);
  const whole = members.length > MOST ? t("firstOf", { shown: MOST, n: members.length }) : "";
  return (
    <WhenLoaded of={found} rows={10}>
      {(timelines) => (
        <div class="grid wide3 bands">
          {charts.map((chart) => (
            <div key={chart.key} class="c6">
              <Band group={group} chart={chart} timelines={timelines} range={range} cursor={cursor} whole={whole} />
            </div>
          ))}
        </div>
      )}
    </WhenLoaded>
  );
}

interface BandProps extends Pick<BandsProps, "group"> {
  readonly chart: ChartOf;
  readonly timelines: readonly Timeline[];
  readonly range: Range;
  readonly cursor: TimeCursor;
  /** Says how many of the servers are included; empty if all are. */
  readonly whole: string;
}

function Band({ group, chart, timelines, range: { from, to }, cursor, whole }: BandProps) {
  const drawn = useMemo(() => {
    const parts = timelines.map((timeline) => ({ times: timeline.times, values: readingsOf(timeline, chart.key) }));
    const { times, average, low, high } = spreadOf(parts, timelines[0]?.step ?? 60);
    return { times, series: [{ name: t("average"), values: average }], band: { name: t("spread"), low, high } };
  }, [timelines, chart.key]);
  const step = timelines[0]?.step ?? 60;
  return (
    <Chart
      {...{ ...drawn, title: chart.title, unit: chart.unit, step, from, to, cursor, atLeast: chart.atLeast }}
      limit={boundOf(chart.key, [group])?.limit}
      note={[whole, stepNote(step)].filter(Boolean).join(", ")}
      onZoom={zoom}
      onReset={unzoom}
    />
  );
}

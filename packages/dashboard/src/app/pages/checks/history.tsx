import { useMemo, useState } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { listFor, readCheckTimeline, readingsOf, type Timeline } from "../../data/series/timeline.ts";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Chart } from "../../parts/charts/chart.tsx";
import { createTimeCursor, type TimeCursor } from "../../parts/plot/cursor.ts";
import type { Values } from "../../parts/plot/geometry/drawing.ts";
import type { Unit } from "../../parts/plot/unit.ts";
import { duration, now } from "../../texts/format.ts";
import type { Definition } from "../definitions/kind.ts";
import { t } from "./texts.ts";

const DAY = 86_400;
const MS: Unit = { kind: "milliseconds" };
const PERCENT: Unit = { kind: "float", suffix: "%" };
const DAYS: Unit = { kind: "integer" };

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Results of a check in the last day, or in a range selected in its chart. */
export function History({ check }: { readonly check: Definition }) {
  const { id, revision } = check;
  const every = Number(check["every"]);
  const [chosen, choose] = useState<Stretch>();
  const cursor = useMemo(createTimeCursor, [id]);
  const found = useLoad(`check timeline ${id} ${revision} ${chosen?.from} ${chosen?.to}`, async (signal) => {
    const end = now.peek();
    const stretch = chosen ?? { from: end - DAY, to: end };
    return { stretch, timeline: await readCheckTimeline({ check: { id, every }, ...stretch }, { signal }) };
  });
  usePolling(chosen ? undefined : listFor(0, DAY, every).step, found.reload);
  return (
    <WhenLoaded of={found} rows={4}>
      {(read) => <Charts {...{ ...read, cursor, choose }} />}
    </WhenLoaded>
  );
}

interface ChartsProps {
  readonly stretch: Stretch;
  readonly timeline: Timeline;
  readonly cursor: TimeCursor;
  choose(stretch: Stretch | undefined): void;
}

/** Converts shares (0 to 1) to percent. */
const percents = (values: Values): Values => values.map((value) => (value === null ? null : value * 100));

function Charts({ stretch, timeline, cursor, choose }: ChartsProps) {
  const { times, step } = timeline;
  const drawn = useMemo(
    () => [
      { title: t("timeOf"), unit: MS, values: readingsOf(timeline, "ms"), atLeast: 10 },
      { title: t("shareOf"), unit: PERCENT, values: percents(readingsOf(timeline, "up")), atLeast: 100 },
      { title: t("daysOf"), unit: DAYS, values: readingsOf(timeline, "days_left"), atLeast: 30 },
    ],
    [timeline],
  );
  // Leaves out the series of days until expiry if it is empty: most addresses have no certificate.
  const shown = drawn.filter(({ unit, values }) => unit !== DAYS || values.some((value) => value !== null));
  return (
    <>
      {shown.map(({ title, unit, values, atLeast }) => (
        <Chart
          key={title}
          {...{ ...stretch, title, unit, times, step, cursor, atLeast, series: [{ name: title, values }] }}
          note={step > 60 ? t("averageOf", { time: duration(step) }) : undefined}
          onZoom={(from, to) => choose({ from, to })}
          onReset={() => choose(undefined)}
        />
      ))}
    </>
  );
}

import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { listedOne } from "../../data/records/lists.ts";
import { plainTitle } from "../../data/series/charts.ts";
import { readingsOf, readTimeline, type Timeline, unitOf } from "../../data/series/timeline.ts";
import { TONES } from "../../parts/basic/basic.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Chart } from "../../parts/charts/chart.tsx";
import { createTimeCursor } from "../../parts/plot/cursor.ts";
import { duration, now } from "../../texts/format.ts";
import { limitIn, monitorIn, severityState } from "../alerts/state.ts";
import { t } from "../alerts/texts.ts";

const LEAD = 3 * 3600;
const LONGEST = 3 * 86_400;

/** The charted span: from some hours before the firing began until now, or until shortly after it ended. */
function windowOf({ date, active, modified }: Invocation, at: number): { from: number; to: number } {
  const to = active ? at : Math.min(at, modified + 1800);
  return { from: Math.max(date - LEAD, to - LONGEST), to };
}

/** Series for the chart; undefined until both the timeline and the monitor are loaded. */
const drawnOf = (timeline: Timeline | undefined, monitor: ReturnType<typeof listedOne<"monitors">>) =>
  timeline && monitor
    ? {
        times: timeline.times,
        step: timeline.step,
        series: [{ name: plainTitle(monitor.title), values: readingsOf(timeline, monitor.id) }],
      }
    : undefined;

/** Readings that the rule compares, with its threshold as a dashed line and the firing as a band. */
export function AlertChart({ invocation }: { readonly invocation: Invocation }) {
  const { alert, server, exp, date, active, modified, severity } = invocation;
  const rule = listedOne("alerts", alert);
  const monitor = listedOne("monitors", monitorIn(rule?.expression ?? exp, rule?.monitor_id));
  const minute = useComputed(() => Math.floor(now.value / 60) * 60);
  const { from, to } = windowOf(invocation, minute.value);
  const cursor = useMemo(createTimeCursor, []);
  const found = useLoad(`alert chart ${invocation.id} ${monitor?.id}`, (signal) =>
    monitor
      ? readTimeline({ server, monitors: [monitor.id], ...windowOf(invocation, now.peek()) }, { signal })
      : Promise.resolve(undefined),
  );
  usePolling(active ? 60 : undefined, found.reload);
  const drawn = useMemo(() => drawnOf(found.data.value, monitor), [found.data.value, monitor]);
  if (!monitor) return null;
  return (
    <div class="blk">
      <WhenLoaded of={found} rows={4}>
        {() =>
          drawn && (
            <Chart
              {...drawn}
              title={plainTitle(monitor.title)}
              cursor={cursor}
              from={from}
              to={to}
              isFlush
              isClose
              height={132}
              unit={unitOf(monitor)}
              note={t("chartNote", { time: duration(Math.round((to - from) / 600) * 600) })}
              limit={limitIn(exp, monitor.id)}
              firing={[[date, active ? to : modified, TONES[severityState(severity)]]]}
            />
          )
        }
      </WhenLoaded>
    </div>
  );
}

import { useMemo } from "preact/hooks";
import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { usePolling } from "../../../data/jobs/fresh-jobs.ts";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { Chart } from "../../../parts/charts/chart.tsx";
import type { TimeCursor } from "../../../parts/plot/cursor.ts";
import type { Unit } from "../../../parts/plot/unit.ts";
import { t } from "../texts.ts";
import { type Sample, secondsOf } from "./seconds.ts";

interface LiveChart {
  readonly key: "liveCpu" | "liveLoad" | "liveMemory" | "liveDisk" | "liveNetwork";
  readonly unit: Unit;
  readonly lines: readonly {
    readonly id: string;
    readonly name: "used" | "free" | "load" | "read" | "written" | "in" | "out";
  }[];
  readonly atLeast?: number;
}

const perSecond: Unit = { kind: "bytes", suffix: "/sec" };

const CHARTS: readonly LiveChart[] = [
  {
    key: "liveCpu",
    unit: { kind: "float", suffix: "%" },
    atLeast: 100,
    lines: [{ id: "_qm_cpu_usage", name: "used" }],
  },
  { key: "liveLoad", unit: { kind: "float" }, atLeast: 1, lines: [{ id: "_qm_cpu_load", name: "load" }] },
  {
    key: "liveMemory",
    unit: { kind: "bytes" },
    lines: [
      { id: "_qm_mem_used", name: "used" },
      { id: "_qm_mem_avail", name: "free" },
    ],
  },
  {
    key: "liveDisk",
    unit: perSecond,
    lines: [
      { id: "_qm_disk_read_sec", name: "read" },
      { id: "_qm_disk_write_sec", name: "written" },
    ],
  },
  {
    key: "liveNetwork",
    unit: perSecond,
    lines: [
      { id: "_qm_net_in_sec", name: "in" },
      { id: "_qm_net_out_sec", name: "out" },
    ],
  },
];

const EVERY_SEC = 2;

/** Charts of the last minute, second by second. */
export function LiveCharts({ server, cursor }: { readonly server: string; readonly cursor: TimeCursor }) {
  const found = useLoad(`live ${server}`, async (signal) => {
    const { servers } = await api.getQuickmonData({ server, shape: "samples" }, { signal });
    return (servers[server] ?? []) as unknown as readonly Sample[];
  });
  usePolling(EVERY_SEC, found.reload);
  return (
    <WhenLoaded of={found} rows={8}>
      {(samples) =>
        samples.length === 0 ? <Empty>{t("noSeconds")}</Empty> : <Drawn samples={samples} cursor={cursor} />
      }
    </WhenLoaded>
  );
}

interface DrawnProps {
  readonly samples: readonly Sample[];
  readonly cursor: TimeCursor;
}

function Drawn({ samples, cursor }: DrawnProps) {
  const drawn = useMemo(() => {
    const times = samples.map(({ date = 0 }) => date);
    const to = times.at(-1) ?? 0;
    const charts = CHARTS.map((chart) => ({
      ...chart,
      series: chart.lines.map(({ id, name }) => ({
        name: t(name),
        values: secondsOf(samples, id, chart.unit === perSecond),
      })),
    }));
    return { times, to, from: to - 60, charts };
  }, [samples]);
  const { times, from, to } = drawn;
  return (
    <div class="grid wide3">
      {drawn.charts.map(({ key, unit, series, atLeast }) => (
        <div key={key} class="c6">
          <Chart
            title={t(key)}
            unit={unit}
            times={times}
            series={series}
            from={from}
            to={to}
            step={1}
            cursor={cursor}
            atLeast={atLeast}
          />
        </div>
      ))}
    </div>
  );
}

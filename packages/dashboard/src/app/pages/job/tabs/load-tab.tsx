import { Panel } from "../../../parts/basic/basic.tsx";
import { Empty } from "../../../parts/basic/states.tsx";
import { Spark } from "../../../parts/charts/gauges.tsx";
import { bytes, percent } from "../../../texts/format.ts";
import type { ShownJob } from "../index.tsx";
import { t } from "../texts.ts";

interface Sample {
  readonly cpu?: number;
  readonly mem?: number;
}

interface Use {
  readonly min?: number;
  readonly max?: number;
  readonly total?: number;
  readonly count?: number;
}

const averageOf = ({ total = 0, count = 0 }: Use): number => (count > 0 ? total / count : 0);

/** The load that the job caused on its server: figures, and a chart over time. */
export function LoadTab({ job }: { readonly job: ShownJob }) {
  const timelines = job["timelines"] as { second?: readonly Sample[]; minute?: readonly Sample[] } | undefined;
  const minutes = timelines?.minute ?? [];
  const samples = minutes.length > 2 ? minutes : (timelines?.second ?? []);
  const [cpu, memory] = [job["cpu"] as Use | undefined, job["mem"] as Use | undefined];
  if (!cpu?.count && !memory?.count && samples.length === 0)
    return (
      <Panel title={t("load")}>
        <Empty>{t("noLoad")}</Empty>
      </Panel>
    );
  return (
    <div class="stack">
      <Shape title={t("cpu")} use={cpu} values={samples.map((one) => one.cpu ?? null)} text={percent} />
      <Shape title={t("memory")} use={memory} values={samples.map((one) => one.mem ?? null)} text={bytes} />
    </div>
  );
}

interface ShapeProps {
  readonly title: string;
  readonly use: Use | undefined;
  readonly values: readonly (number | null)[];
  readonly text: (value: number) => string;
}

const Shape = ({ title, use, values, text }: ShapeProps) => (
  <Panel
    title={title}
    note={use?.count ? t("loadIs", { average: text(averageOf(use)), most: text(use.max ?? 0) }) : undefined}
  >
    <div class="shape">{values.length > 1 ? <Spark values={values} tone="line" /> : <Empty>{t("noLoad")}</Empty>}</div>
  </Panel>
);

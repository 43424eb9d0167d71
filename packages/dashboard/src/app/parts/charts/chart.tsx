import { untracked } from "@preact/signals";
import { useId, useMemo, useState } from "preact/hooks";
import { language } from "../../texts/catalogue.ts";
import { timeZone } from "../../texts/format.ts";
import { Button } from "../basic/button.tsx";
import { type Extent, extentOf, linesOf } from "../plot/geometry/drawing.ts";
import { ChartKey, ChartTable, textOfChart } from "../plot/numbers.tsx";
import { Plot, type PlotProps } from "../plot/plot.tsx";
import { t } from "../plot/texts.ts";
import { scaledUnit, type Unit } from "../plot/unit.ts";

export interface ChartProps extends Omit<PlotProps, "unit" | "extents" | "says" | "height"> {
  /** After the unit in the head: "last 6 hours", "average of 1 h". */
  readonly note?: string | undefined;
  readonly unit: Unit;
  /** Pixels. */
  readonly height?: number;
  /** Drawn inside a panel, without its own frame. */
  readonly isFlush?: boolean;
  /** The numbers are loading: only the title and the space are there. */
  readonly isWaiting?: boolean;
}

const HEIGHT = 150;

/** Quantities over time with a shared cursor, also in words and as a table. */
export function Chart(props: ChartProps) {
  const { title, note, series, band, limit, height = HEIGHT, isFlush = false, isWaiting = false } = props;
  const [isTable, setTable] = useState(false);
  const id = useId();
  const extents = useMemo(() => linesOf(props).map(({ values }) => extentOf(values)), [series, band]);
  const unit = scaledUnit(props.unit, largestOf(extents, limit));
  const says = useMemo(
    () => () => untracked(() => textOfChart({ ...props, unit, extents })),
    [extents, props.times, unit.label, language.value, timeZone.value],
  );
  const hasValues = extents.some((extent) => extent !== undefined);
  return (
    <figure class={isFlush ? "chart flush" : "panel chart"} aria-labelledby={id}>
      <div class="ttl">
        <h2 id={id} dir="auto" title={title}>
          {title}
        </h2>
        {!isWaiting && <span class="unit">{[unit.label, note].filter(Boolean).join(", ")}</span>}
        {hasValues && <ChartKey {...props} unit={unit} />}
        {hasValues && (
          <Button
            kind="bare"
            icon={isTable ? "rule" : "table"}
            label={`${isTable ? t("asChart") : t("asTable")}: ${title}`}
            title={isTable ? t("asChart") : t("asTable")}
            isPressed={isTable}
            onClick={() => setTable(!isTable)}
          />
        )}
      </div>
      {isWaiting && <div style={{ height: `${height}px` }} />}
      {!hasValues && !isWaiting && <p class="chart-none dim sm">{t("nothing")}</p>}
      {hasValues && isTable && <ChartTable {...props} unit={unit} />}
      {hasValues && !isTable && <Plot {...props} height={height} unit={unit} extents={extents} says={says} />}
    </figure>
  );
}

function largestOf(extents: readonly (Extent | undefined)[], limit = 0): number {
  const known = extents.flatMap((extent) => (extent ? [Math.abs(extent.low), Math.abs(extent.high)] : []));
  return Math.max(Math.abs(limit), ...known);
}

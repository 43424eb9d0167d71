import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { language } from "../texts/catalogue.ts";
import { timeZone } from "../texts/format.ts";
import { Button } from "./button.tsx";
import type { TimeCursor } from "./plot/cursor.ts";
import type { Drawing, Plot } from "./plot/drawing.ts";
import { loadPlot } from "./plot/load.ts";
import { whenNear } from "./plot/near.ts";
import { ChartKey, ChartTable, nearest, textOfChart } from "./plot/numbers.tsx";
import { t } from "./plot/texts.ts";
import { turn } from "./plot/turn.ts";
import { type Scaled, scaledUnit, type Unit } from "./plot/unit.ts";
import { watchTheme } from "./plot/watch.ts";

export interface ChartProps extends Omit<Drawing, "text"> {
  readonly title: string;
  /** Behind the unit in the head: "last 6 hours", "average of 1 h". */
  readonly note?: string | undefined;
  readonly unit: Unit;
  readonly cursor: TimeCursor;
  readonly onZoom?: (from: number, to: number) => void;
  readonly onReset?: () => void;
  readonly height?: number;
  /** Without a frame of its own, inside of a panel. */
  readonly isFlush?: boolean;
}

/** Quantities over time with a shared cursor, the same in words and as a table. */
export function Chart(props: ChartProps) {
  const { title, note, isFlush = false } = props;
  const [isTable, setTable] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const id = useId();
  const unit = scaledUnit(props.unit, largestOf(props));
  const hasValues = [...props.series.map(({ values }) => values), props.band?.high ?? []].some((values) =>
    values.some((value) => value !== null),
  );
  return (
    <figure class={isFlush ? "chart flush" : "panel chart"} aria-labelledby={id}>
      <div class="ttl">
        <h2 id={id} dir="auto">
          {title}
        </h2>
        <span class="unit">{[unit.label, note].filter(Boolean).join(", ")}</span>
        <ChartKey {...props} unit={unit} />
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
      {isBroken && <p class="dim sm">{t("noChart")}</p>}
      {!hasValues && <p class="chart-none dim sm">{t("nothing")}</p>}
      {hasValues && (isTable || isBroken) && <ChartTable {...props} unit={unit} />}
      {hasValues && !isTable && !isBroken && <Canvas {...props} scaled={unit} onBroken={() => setBroken(true)} />}
    </figure>
  );
}

function largestOf({ series, band, limit }: ChartProps): number {
  let largest = Math.abs(limit ?? 0);
  for (const values of [...series.map((line) => line.values), band?.high ?? []])
    for (const value of values) if (value !== null) largest = Math.max(largest, Math.abs(value));
  return largest;
}

interface CanvasProps extends ChartProps {
  readonly scaled: Scaled;
  readonly onBroken: () => void;
}

/** The drawing itself: begun when it comes near the screen, drawn anew in another theme, zone or language. */
function Canvas(props: CanvasProps) {
  const { cursor, height = 150, series, scaled } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const look = `${language.value} ${timeZone.value} ${series.map(({ name }) => name).join()} ${props.band?.name ?? ""}`;
  useLayoutEffect(() => startPlot(box.current as HTMLElement, newest, plot), [look, height]);
  useLayoutEffect(
    () => plot.current?.update(drawingOf(props)),
    [props.times, props.series, props.band, props.from, props.to],
  );
  const says = useMemo(() => textOfChart({ ...props, unit: scaled }), [props.times, props.series, look]);
  return (
    <div
      ref={box}
      class="plot"
      role="img"
      tabIndex={0}
      aria-label={says}
      style={{ "--tall": `${height}px` }}
      onKeyDown={(event) => step(event, newest.current, plot.current)}
      onMouseLeave={() => {
        cursor.at.value = undefined;
      }}
    />
  );
}

const drawingOf = (props: CanvasProps): Drawing => ({ ...props, text: props.scaled.text });

function startPlot(
  box: HTMLElement,
  newest: { current: CanvasProps },
  plot: { current: Plot | undefined },
): () => void {
  let isOver = false;
  const draw = async (width: number): Promise<void> => {
    try {
      const { createPlot } = await loadPlot();
      await turn();
      if (isOver) return;
      plot.current?.destroy();
      const { cursor, height = 150 } = newest.current;
      plot.current = createPlot(box, drawingOf(newest.current), {
        ...{ sync: cursor.key, width, height },
        onCursor: (index) => {
          cursor.at.value = index === undefined ? undefined : newest.current.times[index];
        },
        onZoom: (from, to) => newest.current.onZoom?.(from, to),
        onReset: () => newest.current.onReset?.(),
      });
    } catch {
      // A browser without what the drawing needs still shows the numbers.
      newest.current.onBroken();
    }
  };
  const stopWaiting = whenNear(box, (width) => void draw(width));
  const stopWatching = watchTheme(() => plot.current && draw(box.clientWidth));
  return () => {
    isOver = true;
    stopWaiting();
    stopWatching();
    plot.current?.destroy();
    plot.current = undefined;
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

function step(event: KeyboardEvent, { times, cursor, onReset }: CanvasProps, plot: Plot | undefined): void {
  if (event.key === "Escape") {
    plot?.point(undefined);
    onReset?.();
  }
  const by = STEPS[event.key];
  if (by === undefined || times.length === 0) return;
  event.preventDefault();
  const at = cursor.at.peek();
  const from = at === undefined ? times.length : nearest(times, at);
  plot?.point(Math.max(0, Math.min(times.length - 1, from + by)));
}

import uPlot from "uplot";
import { clock, clockSeconds, dayMonth, monthYear, timeZone, zonedClock } from "../../texts/format.ts";
import { DASHES } from "./dashes.ts";
import type { Drawing, Plot, PlotHandlers } from "./drawing.ts";
import { faded, type Look, lookNow, paintGround, paintLimit } from "./paint.ts";
import { heightOf, timeLabels } from "./scale.ts";

const dataOf = ({ times, series, band }: Drawing): uPlot.AlignedData =>
  [times, ...series.map(({ values }) => values), ...(band ? [band.high, band.low] : [])] as uPlot.AlignedData;

function boundsOf({ series, band }: Drawing): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of [...series.map((line) => line.values), ...(band ? [band.low, band.high] : [])])
    for (const value of values)
      if (value !== null) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
  return low <= high ? { low, high } : { low: 0, high: 1 };
}

function linesOf({ series, band }: Drawing, color: (name: string) => string): uPlot.Series[] {
  const plain = { points: { show: false }, spanGaps: false };
  const lines = series.map((_line, at): uPlot.Series => {
    const stroke = color(`c${(at % 6) + 1}`);
    const isAlone = series.length === 1 && !band;
    return {
      ...plain,
      stroke,
      width: 1.5,
      dash: [...(DASHES[at % 6] ?? [])],
      ...(isAlone ? { fill: faded(stroke, 0.09) } : {}),
    };
  });
  const edge = { ...plain, stroke: faded(color("c1"), 0.35), width: 1 };
  return [{}, ...lines, ...(band ? [edge, edge] : [])];
}

const words = { clock, seconds: clockSeconds, day: dayMonth, month: monthYear, zoned: zonedClock };

function axesOf(current: () => Drawing, { color, font }: Look): uPlot.Axis[] {
  const axis = { stroke: color("text-3"), font, grid: { stroke: color("grid"), width: 1 }, ticks: { show: false } };
  return [
    { ...axis, size: 22, gap: 4, space: 72, values: (_plot, at) => timeLabels(at, words) },
    { ...axis, size: 46, gap: 6, space: 32, values: (_plot, at) => at.map((value) => current().text(value)) },
  ];
}

function cursorOf({ sync, onReset }: Omit<PlotHandlers, "width">): uPlot.Cursor {
  return {
    sync: { key: sync, setSeries: false, scales: ["x", null] },
    y: false,
    points: { size: 6, width: 1.5 },
    drag: { x: true, y: false, setScale: false },
    bind: {
      dblclick: () => () => {
        onReset();
        return null;
      },
    },
  };
}

/** Draws into a box of a width, in the zone and the theme of the page. */
export function createPlot(box: HTMLElement, given: Drawing, { width, ...handlers }: PlotHandlers): Plot {
  let drawing = given;
  const current = (): Drawing => drawing;
  const look = lookNow();
  const { color } = look;
  const plot = new uPlot(
    {
      ...{
        width: Math.max(80, Math.round(width)),
        height: handlers.height,
        legend: { show: false },
        padding: [6, 18, 0, 0],
      },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), timeZone.peek()),
      cursor: cursorOf(handlers),
      scales: {
        x: { time: true, range: () => [drawing.from, drawing.to] },
        y: { range: () => heightOf({ ...drawing, ...boundsOf(drawing) }) },
      },
      axes: axesOf(current, look),
      series: linesOf(given, color),
      ...(given.band
        ? { bands: [{ series: [given.series.length + 1, given.series.length + 2], fill: faded(color("c1"), 0.14) }] }
        : {}),
      hooks: {
        drawClear: [(self) => paintGround(self, drawing, color)],
        drawAxes: [(self) => paintLimit(self, drawing.limit, color)],
        setCursor: [(self) => handlers.onCursor(self.cursor.idx ?? undefined)],
        setSelect: [(self) => select(self, handlers)],
      },
    },
    dataOf(given),
    box,
  );
  plot.over.setAttribute("aria-hidden", "true");
  const stopSizing = followWidth(box, plot, handlers.height);
  return {
    update(next) {
      drawing = next;
      plot.setData(dataOf(next));
    },
    point(index) {
      const at = index === undefined ? undefined : drawing.times[index];
      plot.setCursor(at === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(at, "x"), top: 10 });
    },
    destroy() {
      stopSizing();
      plot.destroy();
    },
  };
}

function select(plot: uPlot, { onZoom }: Pick<PlotHandlers, "onZoom">): void {
  const { left, width } = plot.select;
  if (width < 6) return;
  onZoom(Math.floor(plot.posToVal(left, "x")), Math.ceil(plot.posToVal(left + width, "x")));
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function followWidth(box: HTMLElement, plot: uPlot, height: number): () => void {
  const observer = new ResizeObserver(([entry]) => {
    // As it was measured: asking the box again would have the whole page laid out anew for each chart.
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width > 0 && width !== plot.width) requestAnimationFrame(() => plot.setSize({ width, height }));
  });
  observer.observe(box);
  return () => observer.disconnect();
}

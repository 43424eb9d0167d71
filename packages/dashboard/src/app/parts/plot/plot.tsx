import { useEffect, useMemo, useRef } from "preact/hooks";
import { language } from "../../texts/catalogue.ts";
import { clock, clockSeconds, dayMonth, monthYear, timeZone, zonedClock } from "../../texts/format.ts";
import { afterPicture, PAINTING_MS } from "../after-picture.ts";
import type { TimeCursor } from "./cursor.ts";
import { dashOf } from "./dashes.ts";
import type { Drawing, Extent } from "./geometry/drawing.ts";
import { timeMarks, valueMarks } from "./geometry/marks.ts";
import { areaPath, bandPath, type Frame, gapsOf, linePath, TALL, WIDE, waysOf, xOf, yOf } from "./geometry/path.ts";
import { heightOf, timeLabels } from "./geometry/scale.ts";
import { useHand } from "./hand.ts";
import { nearest } from "./numbers.tsx";
import type { Scaled } from "./unit.ts";

export interface PlotProps extends Drawing {
  readonly unit: Scaled;
  readonly extents: readonly (Extent | undefined)[];
  readonly title: string;
  /** The chart in words, for screen readers. A new function means that the words have changed. */
  readonly says: () => string;
  /** Pixels. */
  readonly height: number;
  readonly cursor: TimeCursor;
  readonly onZoom?: ((from: number, to: number) => void) | undefined;
  readonly onReset?: (() => void) | undefined;
}

/** Pixels reserved for labels above and below. */
const RIM = 28;
const MARK_PX = 30;
const MOST_TIMES = 6;
/** Units below zero for the lower half of a line at zero; the style sheet makes the box taller by the same share. */
const BELOW = TALL * 0.008;
const percent = (units: number, of: number): string => `${(units / of) * 100}%`;

/**
 * Lines over time. Shapes are SVG and stretch with their box, and labels are placed by percentages, so nothing measures the
 * width; the style sheet does the themes, and the browser paints off the main thread.
 */
export function Plot(props: PlotProps) {
  const { times, series, band, from, to, limit, firing, unit, height, title, says } = props;
  const [low, high] = heightOf({ ...props, ...boundsOf(props.extents) });
  const frame: Frame = { from, to, low, high };
  const drawn = useMemo(
    () => drawing({ ...props, frame }),
    [times, series, band, low, high, from, to, limit, firing, height, unit.label, language.value, timeZone.value],
  );
  const { chosen, pointer, onKeyDown } = useHand(props);
  const node = useRef<HTMLDivElement>(null);
  // Formatting dates in words takes as long as drawing the lines, so it runs after the paint; until then the title is the label.
  useEffect(() => afterPicture(() => node.current?.setAttribute("aria-label", says()), PAINTING_MS), [says]);
  return (
    <div
      ref={node}
      class="plot"
      role="img"
      aria-label={title}
      tabIndex={0}
      style={{ height: `${height}px` }}
      onKeyDown={onKeyDown}
    >
      <div class="area" {...pointer}>
        {drawn}
        <Pointed {...props} frame={frame} />
        <Chosen stretch={chosen} />
      </div>
    </div>
  );
}

function Chosen({ stretch }: { readonly stretch: readonly number[] | undefined }) {
  const [left = 0, right = 0] = stretch ?? [];
  return stretch ? <i class="chosen" style={{ left: percent(left, 1), width: percent(right - left, 1) }} /> : null;
}

function boundsOf(extents: PlotProps["extents"]): { low: number; high: number } {
  const known = extents.filter((extent) => extent !== undefined);
  if (known.length === 0) return { low: 0, high: 1 };
  return { low: Math.min(...known.map(({ low }) => low)), high: Math.max(...known.map(({ high }) => high)) };
}

interface FrameProps extends PlotProps {
  readonly frame: Frame;
}

const words = { clock, seconds: clockSeconds, day: dayMonth, month: monthYear, zoned: zonedClock };

/** The charts of a page share a time axis, so its marks and labels are cached. */
let axis = { key: "", times: [] as readonly number[], labels: [] as readonly string[] };

function axisOf({ from, to }: Frame): typeof axis {
  const key = [from, to, timeZone.value, language.value].join();
  if (key === axis.key) return axis;
  const times = timeMarks({ from, to, most: MOST_TIMES }, timeZone.value);
  axis = { key, times, labels: timeLabels(times, words) };
  return axis;
}

/**
 * Everything that does not move with the cursor. It and its parts are plain functions: as components, a page with fifteen charts
 * would have 45 more of them.
 */
function drawing(props: FrameProps) {
  const { frame, height, unit, series } = props;
  const { factor, isWhole, mark } = unit;
  const most = Math.max(1, Math.floor((height - RIM) / MARK_PX));
  const values = valueMarks(frame.low / factor, frame.high / factor, { most, isWhole }).map((value) => value * factor);
  const { times, labels } = axisOf(frame);
  const ways = series.map((line) => waysOf(props, line.values, frame));
  const [tops, lefts] = [values.map((value) => yOf(value, frame)), times.map((at) => xOf(at, frame))];
  return (
    <>
      {ground(props, ways[0])}
      {shapes(props, ways, [...tops.map((y) => `M0 ${y}H${WIDE}`), ...lefts.map((x) => `M${x} 0V${TALL}`)].join(""))}
      {values.map((value, at) => (
        <span key={value} class="y" style={{ top: percent(tops[at] ?? 0, TALL) }}>
          {mark(value)}
        </span>
      ))}
      {times.map((time, at) => (
        <span key={time} class={at % 2 === 0 ? "x" : "x odd"} style={{ left: percent(lefts[at] ?? 0, WIDE) }}>
          {labels[at]}
        </span>
      ))}
    </>
  );
}

type Ways = ReturnType<typeof waysOf>;

/** Behind the lines: when the alert fired, and hatching where nothing was reported. */
function ground({ firing = [], from, to }: FrameProps, ways: Ways = []) {
  const between = (kind: string, begin: number, end: number) => {
    const [left = 0, right = 0] = [begin, end].map((at) => Math.min(1, Math.max(0, (at - from) / (to - from))));
    return (
      <i key={`${kind} ${begin}`} class={kind} style={{ left: percent(left, 1), width: percent(right - left, 1) }} />
    );
  };
  return (
    <>
      {firing.map(([begin, end, tone]) => between(`fired t-${tone}`, begin, end))}
      {gapsOf(ways).map(([begin, end]) => between("gap", begin, end))}
    </>
  );
}

function shapes({ times, step, series, isAlike, band, limit, frame }: FrameProps, ways: readonly Ways[], grid: string) {
  // The height of a filled area is meaningful only when the axis begins at zero.
  const alone = series.length === 1 && !band && frame.low <= 0 ? ways[0] : undefined;
  return (
    <svg viewBox={`0 0 ${WIDE} ${TALL + BELOW}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="grid" d={grid} />
      {band && <path class="spread" d={bandPath({ times, step }, band, frame)} />}
      {alone && <path class="under" d={areaPath(alone, frame)} />}
      {series.map(({ name }, at) => (
        <path
          key={name}
          stroke={`var(--c${(at % 6) + 1})`}
          stroke-dasharray={dashOf(at, isAlike)}
          d={linePath(ways[at] ?? [])}
        />
      ))}
      {limit !== undefined && <path class="limit" d={`M0 ${yOf(limit, frame)}H${WIDE}`} />}
    </svg>
  );
}

/** Marks the cursor's time on the lines. */
function Pointed({ cursor, times, series, frame }: FrameProps) {
  const at = cursor.at.value;
  if (at === undefined || at < frame.from || at > frame.to) return null;
  const index = nearest(times, at);
  const left = percent(xOf(at, frame), WIDE);
  return (
    <>
      <i class="pointed" style={{ left }} />
      {series.map(({ name, values }, line) => {
        const value = values[index] ?? null;
        if (value === null) return null;
        const top = percent(yOf(value, frame), TALL);
        return <i key={name} class="dot" style={{ left, top, background: `var(--c${(line % 6) + 1})` }} />;
      })}
    </>
  );
}

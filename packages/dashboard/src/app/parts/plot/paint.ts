import type uPlot from "uplot";
import type { Drawing } from "./drawing.ts";
import { gapsOf } from "./scale.ts";
import { themeNumber } from "./watch.ts";

/** What a canvas draws with: colours by the names of their tokens, and the font of the page. */
export interface Look {
  color(name: string): string;
  readonly font: string;
}

const NAMES = ["c1", "c2", "c3", "c4", "c5", "c6", "grid", "text-3", "crit", "crit-bg", "gap"];

let read: { readonly theme: number; readonly look: Look } | undefined;

/** Canvas knows no `var()`: a probe tells what the tokens are, once for all charts of a theme, since asking is dear. */
export function lookNow(): Look {
  const theme = themeNumber();
  if (read?.theme !== theme) read = { theme, look: readLook() };
  return read.look;
}

function readLook(): Look {
  const probe = document.createElement("i");
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const known = new Map<string, string>();
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    known.set(name, style.color);
  }
  const font = `11px ${style.fontFamily}`;
  probe.remove();
  return { font, color: (name) => known.get(name) ?? "gray" };
}

export const faded = (color: string, share: number): string =>
  color.replace(/^rgba?\(([^)]+)\)$/, (_all, parts: string) => `rgba(${parts.split(",").slice(0, 3).join()},${share})`);

const across = (plot: uPlot, at: number): number => {
  const { left, width } = plot.bbox;
  return Math.min(left + width, Math.max(left, plot.valToPos(at, "x", true)));
};

/** Below the lines: when the alert fired, and hatching where nothing was reported. */
export function paintGround(
  plot: uPlot,
  { times, series, band, step, firing = [] }: Drawing,
  color: (name: string) => string,
) {
  const { ctx } = plot;
  const { top, height } = plot.bbox;
  ctx.save();
  ctx.fillStyle = color("crit-bg");
  for (const [from, to] of firing)
    ctx.fillRect(
      across(plot, from),
      top,
      Math.max(devicePixelRatio * 2, across(plot, to) - across(plot, from)),
      height,
    );
  ctx.strokeStyle = color("gap");
  ctx.lineWidth = devicePixelRatio;
  const shown = series[0]?.values ?? band?.high ?? [];
  for (const [from, to] of gapsOf(times, shown, step)) hatch(plot, across(plot, from), across(plot, to));
  ctx.restore();
}

function hatch({ ctx, bbox: { top, height } }: uPlot, from: number, to: number): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(from, top, to - from, height);
  ctx.clip();
  ctx.beginPath();
  for (let at = from - height; at < to; at += 7 * devicePixelRatio) {
    ctx.moveTo(at, top + height);
    ctx.lineTo(at + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** Above the lines: the limit, dashed. */
export function paintLimit(plot: uPlot, limit: number | undefined, color: (name: string) => string): void {
  if (limit === undefined) return;
  const { ctx } = plot;
  const { left, width } = plot.bbox;
  const y = Math.round(plot.valToPos(limit, "y", true));
  ctx.save();
  ctx.strokeStyle = color("crit");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.restore();
}

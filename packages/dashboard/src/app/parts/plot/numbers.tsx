import { useMemo } from "preact/hooks";
import { when } from "../../texts/format.ts";
import { type Column, Table } from "../lists/table.tsx";
import { Time } from "../time.tsx";
import type { TimeCursor } from "./cursor.ts";
import { dashNameOf } from "./dashes.ts";
import { type Drawing, type Extent, type Line, linesOf } from "./geometry/drawing.ts";
import { t } from "./texts.ts";
import type { Scaled } from "./unit.ts";

interface NumbersProps extends Pick<Drawing, "times" | "series" | "isAlike" | "band" | "limit"> {
  readonly title: string;
  readonly unit: Scaled;
}

/** Index of the nearest time in a sorted list. */
export function nearest(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  const isBefore = low > 0 && at - (times[low - 1] as number) < (times[low] as number) - at;
  return isBefore ? low - 1 : low;
}

const lastOf = (values: Line["values"]): number | null => values.findLast((value) => value !== null) ?? null;

interface KeyProps extends NumbersProps {
  readonly cursor: TimeCursor;
}

/** Names of the lines with their values at the cursor, or else the newest ones. */
export function ChartKey({ title, times, series, isAlike, band, limit, unit, cursor }: KeyProps) {
  const at = cursor.at.value;
  const index = at === undefined ? undefined : nearest(times, at);
  const shownOf = (values: Line["values"]): string => {
    const value = index === undefined ? lastOf(values) : (values[index] ?? null);
    return value === null ? t("noData") : unit.text(value);
  };
  return (
    <div class="key">
      {series.map(({ name, values }, line) => (
        <span key={name} style={{ "--k": `var(--c${(line % 6) + 1})`, "--dash": dashNameOf(line, isAlike) }}>
          <bdi>{name === title ? t("now") : name}</bdi> <b>{shownOf(values)}</b>
        </span>
      ))}
      {band && (
        <span class="band" style={{ "--k": "var(--c1)" }}>
          {band.name} <b>{[...new Set([band.low, band.high].map(shownOf))].join("–")}</b>
        </span>
      )}
      {limit !== undefined && (
        <span style={{ "--k": "var(--crit)", "--dash": "dashed" }}>
          {t("limit")} <b>{unit.text(limit)}</b>
        </span>
      )}
    </div>
  );
}

/** The same numbers as a table, newest first. */
export function ChartTable({ title, times, series, band, unit }: NumbersProps) {
  const columns = useMemo((): Column<number>[] => {
    const lines = linesOf({ series, band });
    const cell = (value: number | null | undefined): string => (value == null ? t("noData") : unit.text(value));
    return [
      { key: "time", title: () => t("time"), cell: (at) => <Time at={times[at] as number} /> },
      ...lines.map(
        ({ name, values }): Column<number> => ({
          key: name,
          title: unit.label ? `${name} (${unit.label})` : name,
          isNumber: true,
          cell: (at) => cell(values[at]),
        }),
      ),
    ];
  }, [times, series, band]);
  const rows = useMemo(() => times.map((_time, at) => at).reverse(), [times]);
  return (
    <div class="chart-table">
      <Table label={t("tableOf", { title })} columns={columns} rows={rows} keyOf={String} />
    </div>
  );
}

interface TextProps extends NumbersProps {
  readonly extents: readonly (Extent | undefined)[];
}

/** Describes the chart in a sentence. */
export function textOfChart({ title, times, series, band, unit: { text, label }, extents }: TextProps): string {
  const unit = label ? ` ${label}` : "";
  const parts = linesOf({ series, band }).map(({ name }, line) => {
    const extent = extents[line];
    if (!extent) return t("partNone", { name });
    const { low, lowAt, high, highAt, last } = extent;
    const at = (value: number, index: number): string => `${text(value)} (${when(times[index] ?? 0)})`;
    return t("part", { name, last: text(last) + unit, low: at(low, lowAt), high: at(high, highAt) });
  });
  return t("says", { title, parts: parts.join("; ") });
}

import { clock, clockSeconds, dayMonth } from "../../texts/format.ts";
import type { TimeCursor } from "../plot/cursor.ts";

/** Something that lasted for a while, in Unix seconds. */
export interface Happening {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly tone: "ok" | "warn" | "crit" | "run" | "hush" | "none";
  readonly href: string;
}

export interface Lane {
  readonly name: string;
  readonly items: readonly Happening[];
}

interface LanesProps {
  readonly label: string;
  readonly lanes: readonly Lane[];
  readonly from: number;
  readonly to: number;
  readonly cursor: TimeCursor;
}

/** Share of the width that a name needs. */
const ROOM = 0.13;
const MOST_ROWS = 4;

/** Distributes items over rows without overlap; in the last row, items may overlap. */
function stacked(items: readonly Happening[]): Happening[][] {
  const rows: Happening[][] = [];
  for (const item of items.toSorted((left, right) => left.from - right.from)) {
    const free = rows.find((row) => (row.at(-1)?.to ?? 0) < item.from);
    if (free) free.push(item);
    else if (rows.length < MOST_ROWS) rows.push([item]);
    else rows.at(-1)?.push(item);
  }
  return rows.length > 0 ? rows : [[]];
}

/** Alerts and jobs above the charts, on the same time axis. The time under the cursor is shown below. */
export function Lanes({ label, lanes, from, to, cursor }: LanesProps) {
  const share = (at: number): number => Math.max(0, Math.min(1, (at - from) / (to - from)));
  return (
    <section class="panel lanes" aria-label={label}>
      {lanes.flatMap(({ name, items }) =>
        stacked(items).map((row, at) => [
          <span key={`${name} ${at} name`}>{at === 0 ? name : ""}</span>,
          <div key={`${name} ${at}`} class="lane">
            {row.map((item, index) => (
              <Bar key={item.key} item={item} share={share} next={row[index + 1]} />
            ))}
          </div>,
        ]),
      )}
      <span />
      <Axis from={from} to={to} cursor={cursor} share={share} />
    </section>
  );
}

interface BarProps {
  readonly item: Happening;
  readonly share: (at: number) => number;
  /** The next item in the row: the name is written only if it fits before it. */
  readonly next: Happening | undefined;
}

function Bar({ item: { from, to, title, tone, href }, share, next }: BarProps) {
  const a = share(from);
  const b = share(to) - a;
  const name = `${title}, ${clock(from)} – ${clock(to)}`;
  const isInside = b > ROOM;
  const hasRoom = isInside || a + b + ROOM < (next ? share(next.from) : 1);
  return (
    <a
      class={`t-${tone}${isInside ? " in" : ""}`}
      href={href}
      title={name}
      aria-label={name}
      style={{ "--a": a, "--b": b }}
    >
      {hasRoom && <span dir="auto">{title}</span>}
    </a>
  );
}

interface AxisProps extends Pick<LanesProps, "from" | "to" | "cursor"> {
  readonly share: (at: number) => number;
}

const MARKS = [0, 0.25, 0.5, 0.75, 1];

function Axis({ from, to, cursor, share }: AxisProps) {
  const at = cursor.at.value;
  const span = to - from;
  const word = span <= 600 ? clockSeconds : span <= 2 * 86_400 ? clock : dayMonth;
  return (
    <div class="at" aria-hidden="true">
      {at !== undefined && (
        <div class="tag" style={{ "--x": share(at) }}>
          <i />
          <b>{span > 2 * 86_400 ? `${dayMonth(at)} ${clock(at)}` : word(at)}</b>
        </div>
      )}
      <div class="axis">
        {MARKS.map((mark) => (
          <span key={mark}>{word(from + span * mark)}</span>
        ))}
      </div>
    </div>
  );
}

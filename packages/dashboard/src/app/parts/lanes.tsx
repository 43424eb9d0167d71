import type { ComponentChildren } from "preact";
import { clock, clockSeconds, dayMonth } from "../texts/format.ts";
import type { TimeCursor } from "./plot/cursor.ts";

/** Something that happened for a while. */
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
  readonly children?: ComponentChildren;
}

/** Share of the width that a name needs beside its bar. */
const ROOM = 0.13;

/** What happened, above the charts and on the same time; the time that is pointed at is written below it. */
export function Lanes({ label, lanes, from, to, cursor }: LanesProps) {
  const share = (at: number): number => Math.max(0, Math.min(1, (at - from) / (to - from)));
  return (
    <section class="panel lanes" aria-label={label}>
      {lanes.map(({ name, items }) => (
        <>
          <span key={`${name} name`}>{name}</span>
          <div key={name} class="lane">
            {items.map((item, index) => (
              <Bar key={item.key} item={item} share={share} hasRoom={hasRoom(items, index, share)} />
            ))}
          </div>
        </>
      ))}
      <span />
      <Axis from={from} to={to} cursor={cursor} share={share} />
    </section>
  );
}

/** A name is written only where the next bar leaves place for it. */
function hasRoom(items: readonly Happening[], index: number, share: (at: number) => number): boolean {
  const item = items[index] as Happening;
  const [start, end] = [share(item.from), share(item.to)];
  const isEnd = end > 0.8;
  return items.every((other, at) => {
    if (at === index) return true;
    const [left, right] = [share(other.from), share(other.to)];
    return isEnd ? right < start - ROOM || left > end : left > end + ROOM || right < start - ROOM;
  });
}

interface BarProps {
  readonly item: Happening;
  readonly share: (at: number) => number;
  readonly hasRoom: boolean;
}

function Bar({ item: { from, to, title, tone, href }, share, hasRoom: isNamed }: BarProps) {
  const a = share(from);
  const b = share(to) - a;
  const name = `${title}, ${clock(from)} – ${clock(to)}`;
  return (
    <a
      class={`t-${tone}${a + b > 0.8 ? " end" : ""}`}
      href={href}
      title={name}
      aria-label={name}
      style={{ "--a": a, "--b": b }}
    >
      {isNamed && <span dir="auto">{title}</span>}
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

import { useMemo, useRef } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { usePage } from "../../data/live.ts";
import { listed } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Empty } from "../../parts/basic/states.tsx";
import { Segments } from "../../parts/forms/fields.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { language } from "../../texts/catalogue.ts";
import { now, number, percent } from "../../texts/format.ts";
import { t } from "../groups/texts.ts";
import { isDisk } from "../servers/machines.ts";
import { asLoad, type Columns, clear, type Face, inPercent, type Shown, write } from "./cells.ts";
import { useInView } from "./in-view.ts";

export type Member = NonNullable<ReturnType<typeof listed<"machines">>>[number];

const QUANTITIES = ["cpu", "memory", "load", "disk"] as const;
type Quantity = (typeof QUANTITIES)[number];

interface Read {
  /** Reads the value of a quick monitor. */
  readonly quick: (monitor: string) => number | undefined;
  /** Ids of the monitors of disks. */
  readonly disks: readonly string[];
}

/** The quick monitors of a quantity, and how to compute a server's cell content; undefined without a reading. */
interface Measure {
  readonly monitors: readonly string[];
  readonly of: (member: Member, read: Read) => Shown | undefined;
  readonly say: (value: number) => string;
}

const MEASURES: Readonly<Record<Quantity, Measure>> = {
  cpu: { monitors: ["_qm_cpu_usage"], say: percent, of: (_member, { quick }) => shareOf(quick("_qm_cpu_usage"), 100) },
  memory: {
    monitors: ["_qm_mem_used", "_qm_mem_avail"],
    say: percent,
    of(_member, { quick }) {
      const used = quick("_qm_mem_used");
      return shareOf(used, (used ?? 0) + (quick("_qm_mem_avail") ?? 0));
    },
  },
  load: {
    monitors: ["_qm_cpu_load"],
    say: (value) => number(value, 2),
    of({ info: { cpu } }, { quick }) {
      const load = quick("_qm_cpu_load");
      return load === undefined ? undefined : asLoad(load, (cpu as { cores?: number } | undefined)?.cores || 1);
    },
  },
  disk: {
    monitors: [],
    say: percent,
    of({ info: { monitors } }, { disks }) {
      const values = (monitors ?? {}) as Readonly<Record<string, number>>;
      const used = disks.flatMap((id) => values[id] ?? []);
      return used.length > 0 ? inPercent(Math.max(...used) / 100) : undefined;
    },
  },
};

const shareOf = (value: number | undefined, whole: number): Shown | undefined =>
  value === undefined || whole === 0 ? undefined : inPercent(value / whole);

const EVERY_SEC = 2;
/** The live channel sends readings every two seconds. After this many seconds without one, the page polls. */
const SILENT_SEC = 5;
/** Every so many readings, cells outside the window are written as well, for text search and screen readers. */
const ALL_AFTER = 15;

interface GridProps {
  readonly group: string;
  readonly members: readonly Member[];
}

/** A cell for each server, showing the selected quantity. */
export function Grid({ group, members }: GridProps) {
  const asked = place.value.query["by"] as Quantity;
  const quantity = QUANTITIES.includes(asked) ? asked : "cpu";
  const { say } = MEASURES[quantity];
  const list = useRef<HTMLUListElement>(null);
  const drawn = useMemo((): Drawn => new Map(), [group, quantity, language.value]);
  const cells = useMemo(
    () => members.map((member) => <CellView key={member.id} member={member} drawn={drawn} say={say} />),
    [members, drawn, say],
  );
  useReadings({ group, members, list, cells, drawn, quantity });
  return (
    <Panel
      title={t("servers")}
      count={members.length}
      more={
        <Segments
          label={t("quantity")}
          choices={QUANTITIES.map((value) => ({ value, title: t(value) }))}
          value={quantity}
          onInput={(by) => setQuery({ by: by === "cpu" ? undefined : by })}
        />
      }
    >
      {members.length === 0 ? (
        <Empty>{t("noServers")}</Empty>
      ) : (
        <ul ref={list} class={members.length > 60 ? "cells dense" : "cells"}>
          {cells}
        </ul>
      )}
    </Panel>
  );
}

/** Cells as drawn, with their elements, by server id. */
type Drawn = Map<string, DrawnCell>;

interface DrawnCell {
  readonly face: Face;
  readonly shown: Shown;
}

interface Drawing {
  readonly list: { readonly current: HTMLUListElement | null };
  /** In the order of the cells. */
  readonly members: readonly Member[];
  readonly drawn: Drawn;
  readonly quantity: Quantity;
}

interface Answer {
  readonly servers: readonly string[];
  readonly monitors: Columns;
}

/** Writes the newest readings into the cells: first the loaded ones, then those from the live channel. */
function useReadings({
  group,
  cells,
  ...drawing
}: Drawing & Pick<GridProps, "group"> & { readonly cells: unknown }): void {
  const { list, quantity } = drawing;
  const newest = useRef(drawing);
  newest.current = drawing;
  const answer = useRef<Answer | undefined>(undefined);
  const heard = useRef({ at: now.peek(), count: 0 });
  const show = (wanted: Iterable<number> | undefined): void => {
    const { elements } = inView.current;
    if (answer.current) draw(newest.current, answer.current, { elements, wanted: wanted ?? elements.keys() });
  };
  const inView = useInView({ list, children: cells, onEnter: show });
  const hear = (told: Answer): void => {
    const count = heard.current.count + 1;
    heard.current = { at: now.peek(), count };
    answer.current = told;
    show(count % ALL_AFTER === 0 ? undefined : inView.current.near);
  };
  const { monitors } = MEASURES[quantity];
  const found = useLoad(`grid ${group} ${quantity}`, async (signal) => {
    const { columns } = await api.getQuickmonData({ group, shape: "columns", monitors: [...monitors] }, { signal });
    answer.current = columns;
    show(undefined);
    return true;
  });
  usePage(
    monitors.length > 0 ? pageOf(group, monitors.join()) : "",
    (cmd, data) => cmd === "quickmon_columns" && hear(data as never),
  );
  usePolling(EVERY_SEC, () => now.peek() - heard.current.at > SILENT_SEC && found.reload());
}

const pageOf = (group: string, monitors: string): string => `Readings?${new URLSearchParams({ group, monitors })}`;

/**
 * Writes directly into the given cells, bypassing Preact's diffing: a signal and two effects for each cell would cost
 * more than all of this.
 */
function draw(
  { members, drawn, quantity }: Drawing,
  { servers, monitors }: Answer,
  { elements, wanted }: { readonly elements: readonly Element[]; readonly wanted: Iterable<number> },
): void {
  const { of, say } = MEASURES[quantity];
  const places = new Map(servers.map((id, at) => [id, at]));
  const disks = (listed("monitors") ?? []).filter(isDisk).map(({ id }) => id);
  for (const at of wanted) {
    const [cell, member] = [elements[at], members[at]];
    // Servers that have joined or left get their cells on the next render.
    if (!cell || !member) continue;
    const place = places.get(member.id) ?? -1;
    const next = of(member, { disks, quick: (monitor) => monitors[monitor]?.[place] ?? undefined });
    const known = drawn.get(member.id);
    if (next) drawn.set(member.id, shownIn(cell, next, { known, say }));
    // Clears the cell, so that an old number is not taken for a current one.
    else if (known && drawn.delete(member.id)) clear(known.face);
  }
}

interface Before {
  readonly known: DrawnCell | undefined;
  readonly say: (value: number) => string;
}

function shownIn(cell: Element, next: Shown, { known, say }: Before): DrawnCell {
  // The cells of a newly rendered list are still empty.
  const before = known?.face.cell === cell ? known : undefined;
  const face = before?.face ?? faceOf(cell);
  return { face, shown: write(face, next, before?.shown, say) };
}

/** The changing parts of a cell that `CellView` rendered. */
const faceOf = (cell: Element): Face => ({
  cell,
  bar: cell.querySelector("i") as HTMLElement,
  text: cell.querySelector("b")?.firstChild as Text,
});

interface CellProps {
  readonly member: Member;
  readonly drawn: Drawn;
  readonly say: (value: number) => string;
}

/** Rendered once; `draw` writes into it. */
function CellView({ member: { id, title, hostname }, drawn, say }: CellProps) {
  const server = title || hostname;
  const tell = (event: { currentTarget: HTMLElement }): void => {
    const shown = drawn.get(id)?.shown;
    event.currentTarget.title = t("cell", { server, value: shown ? say(shown.value) : t("noReading") });
  };
  return (
    <li class="t-line">
      <a href={href(`/servers/${id}`)} onMouseEnter={tell}>
        <span class="cut" dir="auto">
          {server}
        </span>
        <b>–</b>
      </a>
      <i aria-hidden="true" />
    </li>
  );
}

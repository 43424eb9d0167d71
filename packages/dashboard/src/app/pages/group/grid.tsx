import { useMemo, useRef } from "preact/hooks";
import { usePolling } from "../../data/fresh-jobs.ts";
import { listed } from "../../data/lists.ts";
import { useLoad } from "../../data/load.ts";
import { api } from "../../data/session.ts";
import { Panel } from "../../parts/basic.tsx";
import { Segments } from "../../parts/fields.tsx";
import { Empty } from "../../parts/states.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { language } from "../../texts/catalogue.ts";
import { number, percent } from "../../texts/format.ts";
import { t } from "../groups/texts.ts";
import { isDisk } from "../servers/machines.ts";
import { asLoad, type Columns, type Face, inPercent, type Shown, write } from "./cells.ts";

export type Member = NonNullable<ReturnType<typeof listed<"machines">>>[number];

const QUANTITIES = ["cpu", "memory", "load", "disk"] as const;
type Quantity = (typeof QUANTITIES)[number];

interface Read {
  /** Value of a quick monitor. */
  readonly quick: (monitor: string) => number | undefined;
  /** Monitors of disks. */
  readonly disks: readonly string[];
}

/** Quick monitors of a quantity, and its content for a server; undefined without a reading. */
interface Measure {
  readonly monitors: readonly string[];
  readonly of: (member: Member, read: Read) => Shown | undefined;
  readonly say: (value: number) => string;
}

const MEASURES: Readonly<Record<Quantity, Measure>> = {
  cpu: {
    ...{ monitors: ["_qm_cpu_usage"], say: percent },
    of: (_member, { quick }) => shareOf(quick("_qm_cpu_usage"), 100),
  },
  memory: {
    ...{ monitors: ["_qm_mem_used", "_qm_mem_avail"], say: percent },
    of(_member, { quick }) {
      const used = quick("_qm_mem_used");
      return shareOf(used, (used ?? 0) + (quick("_qm_mem_avail") ?? 0));
    },
  },
  load: {
    ...{ monitors: ["_qm_cpu_load"], say: (value) => number(value, 2) },
    of({ info: { cpu } }, { quick }) {
      const load = quick("_qm_cpu_load");
      return load === undefined ? undefined : asLoad(load, (cpu as { cores?: number } | undefined)?.cores || 1);
    },
  },
  disk: {
    ...{ monitors: [], say: percent },
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

interface GridProps {
  readonly group: string;
  readonly members: readonly Member[];
}

/** A cell for each server, by what the viewer has chosen. */
export function Grid({ group, members }: GridProps) {
  const asked = place.value.query["by"] as Quantity;
  const quantity = QUANTITIES.includes(asked) ? asked : "cpu";
  const { say } = MEASURES[quantity];
  const list = useRef<HTMLUListElement>(null);
  const drawn = useMemo((): Drawn => new Map(), [group, quantity, language.value]);
  useReadings({ group, members, list, drawn, quantity });
  const cells = useMemo(
    () => members.map((member) => <CellView key={member.id} {...{ member, drawn, say }} />),
    [members, drawn, say],
  );
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

/** Cells as drawn, with their elements, by their server. */
type Drawn = Map<string, { readonly face: Face; readonly shown: Shown }>;

interface Drawing {
  readonly list: { readonly current: HTMLUListElement | null };
  /** In the order of the cells. */
  readonly members: readonly Member[];
  readonly drawn: Drawn;
  readonly quantity: Quantity;
}

/** Asks for the newest readings every other second, and writes them into the cells. */
function useReadings(drawing: Drawing & Pick<GridProps, "group">): void {
  const { group, members, quantity } = drawing;
  const newest = useRef(drawing);
  newest.current = drawing;
  const all = useMemo(() => members.map(({ id }) => id).join(), [members]);
  const found = useLoad(`grid ${group} ${quantity} ${all}`, async (signal) => {
    const monitors = [...MEASURES[quantity].monitors];
    const { columns } = await api.getQuickmonData({ group, shape: "columns", monitors }, { signal });
    if (columns) draw(newest.current, columns);
    return true;
  });
  usePolling(EVERY_SEC, found.reload);
}

interface Answer {
  readonly servers: readonly string[];
  readonly monitors: Columns;
}

/** Writes into the cells past the comparison of elements: a signal and two effects of each cost more than all of this. */
function draw({ list, members, drawn, quantity }: Drawing, { servers, monitors }: Answer): void {
  const { of, say } = MEASURES[quantity];
  const places = new Map(servers.map((id, at) => [id, at]));
  const disks = (listed("monitors") ?? []).filter(isDisk).map(({ id }) => id);
  let element = list.current?.firstElementChild;
  for (const member of members) {
    if (!element) return;
    const place = places.get(member.id) ?? -1;
    const next = of(member, { disks, quick: (monitor) => monitors[monitor]?.[place] ?? undefined });
    const known = drawn.get(member.id);
    // The cells of a list that was drawn anew are still empty.
    const before = known?.face.cell === element ? known : undefined;
    const face = before?.face ?? faceOf(element);
    if (next) drawn.set(member.id, { face, shown: write(face, next, before?.shown, say) });
    element = element.nextElementSibling;
  }
}

/** Of a cell as `CellView` draws it. */
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

/** Drawn once; `draw` writes into it. */
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

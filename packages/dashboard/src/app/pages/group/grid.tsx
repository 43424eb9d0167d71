import { useMemo, useRef } from "preact/hooks";
import { usePolling } from "../../data/fresh-jobs.ts";
import { listed } from "../../data/lists.ts";
import { useLoad } from "../../data/load.ts";
import { api } from "../../data/session.ts";
import { Panel } from "../../parts/basic.tsx";
import { Segments } from "../../parts/fields.tsx";
import { Empty } from "../../parts/states.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { number, percent } from "../../texts/format.ts";
import { t } from "../groups/texts.ts";
import { isDisk } from "../servers/machines.ts";

export type Member = NonNullable<ReturnType<typeof listed<"machines">>>[number];

const QUANTITIES = ["cpu", "memory", "load", "disk"] as const;
type Quantity = (typeof QUANTITIES)[number];

/** Content of the cell of one server. */
interface Cell {
  readonly share: number;
  readonly text: string;
  readonly tone: "line" | "warn" | "crit";
}

type Reading = readonly { readonly id: string; readonly value: number }[];

const read = (reading: Reading, name: string): number | undefined => reading.find(({ id }) => id === name)?.value;

const toneOf = (share: number): Cell["tone"] => (share >= 0.95 ? "crit" : share >= 0.85 ? "warn" : "line");

/** Share of a server that a quantity takes, from 0 to 1, and in words. */
function cellOf(quantity: Quantity, { info }: Member, reading: Reading): Cell | undefined {
  const share = SHARES[quantity](info, reading);
  if (share === undefined) return undefined;
  const text = quantity === "load" ? number(read(reading, "_qm_cpu_load") ?? 0, 2) : percent(share * 100);
  return { share: Math.min(1, share), text, tone: toneOf(share) };
}

/** Each quantity as a share of what the server has; undefined where nothing was read. */
const SHARES: Readonly<Record<Quantity, (info: Member["info"], reading: Reading) => number | undefined>> = {
  cpu: (_info, reading) => divided(read(reading, "_qm_cpu_usage"), 100),
  memory: (_info, reading) => {
    const used = read(reading, "_qm_mem_used");
    return divided(used, (used ?? 0) + (read(reading, "_qm_mem_avail") ?? 0));
  },
  load: ({ cpu }, reading) =>
    divided(read(reading, "_qm_cpu_load"), (cpu as { cores?: number } | undefined)?.cores || 1),
  disk: ({ monitors }) => {
    const values = (monitors ?? {}) as Readonly<Record<string, number>>;
    const disks = (listed("monitors") ?? []).filter(isDisk).flatMap(({ id }) => values[id] ?? []);
    return disks.length > 0 ? Math.max(...disks) / 100 : undefined;
  },
};

const divided = (value: number | undefined, whole: number): number | undefined =>
  value === undefined || whole === 0 ? undefined : value / whole;

const EVERY_SEC = 2;

interface GridProps {
  readonly group: string;
  readonly members: readonly Member[];
}

/** A cell for each server, by what the viewer has chosen. */
export function Grid({ group, members }: GridProps) {
  const asked = place.value.query["by"] as Quantity;
  const quantity = QUANTITIES.includes(asked) ? asked : "cpu";
  const list = useRef<HTMLUListElement>(null);
  const drawn = useMemo((): Drawn => new Map(), [group, quantity]);
  const all = useMemo(() => members.map(({ id }) => id).join(), [members]);
  const found = useLoad(`grid ${group} ${quantity} ${all}`, async (signal) => {
    const { servers } = await api.getQuickmonData({ group, shape: "values" }, { signal });
    if (list.current) draw({ list: list.current, members, drawn, quantity }, servers as Readings);
    return true;
  });
  usePolling(EVERY_SEC, found.reload);
  const cells = useMemo(
    () => members.map((member) => <CellView key={member.id} member={member} drawn={drawn} />),
    [members, drawn],
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

type Readings = Readonly<Record<string, Reading>>;
/** Cells as drawn, by their server. */
type Drawn = Map<string, Cell>;

interface Drawing {
  readonly list: HTMLUListElement;
  /** In the order of the cells. */
  readonly members: readonly Member[];
  readonly drawn: Drawn;
  readonly quantity: Quantity;
}

/**
 * Writes what has changed into the cells, past the comparison of elements: 500 servers change every other second, and a
 * signal and two effects of each cost more than all of this.
 */
function draw({ list, members, drawn, quantity }: Drawing, readings: Readings): void {
  let element = list.firstElementChild as HTMLElement | null;
  for (const member of members) {
    if (!element) return;
    const cell = cellOf(quantity, member, readings[member.id] ?? []);
    if (cell) write(element, cell, drawn.get(member.id));
    if (cell) drawn.set(member.id, cell);
    element = element.nextElementSibling as HTMLElement | null;
  }
}

function write(element: HTMLElement, cell: Cell, before: Cell | undefined): void {
  if (before?.text === cell.text && before.tone === cell.tone) return;
  if (before?.tone !== cell.tone) element.className = `t-${cell.tone}`;
  element.style.setProperty("--v", cell.share.toFixed(3));
  const value = element.querySelector("b")?.firstChild;
  if (value) value.nodeValue = cell.text;
}

interface CellProps {
  readonly member: Member;
  readonly drawn: Drawn;
}

/** Drawn once; `draw` writes into it. */
function CellView({ member: { id, title, hostname }, drawn }: CellProps) {
  const server = title || hostname;
  const tell = (event: { currentTarget: HTMLElement }): void => {
    event.currentTarget.title = t("cell", { server, value: drawn.get(id)?.text ?? t("noReading") });
  };
  return (
    <li class="t-line" style={{ "--v": 0 }}>
      <a href={href(`/servers/${id}`)} onMouseEnter={tell}>
        <span class="cut" dir="auto">
          {server}
        </span>
        <b>–</b>
      </a>
    </li>
  );
}

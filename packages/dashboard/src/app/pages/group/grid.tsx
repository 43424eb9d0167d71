import { computed, effect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { usePolling } from "../../data/fresh-jobs.ts";
import { listed } from "../../data/lists.ts";
import { useLoad } from "../../data/load.ts";
import { createRecords, type Records } from "../../data/records.ts";
import { api } from "../../data/session.ts";
import { Panel } from "../../parts/basic.tsx";
import { Segments } from "../../parts/fields.tsx";
import { Empty } from "../../parts/states.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { now, number, percent } from "../../texts/format.ts";
import { t } from "../groups/texts.ts";
import { isDisk } from "../servers/machines.ts";

export type Member = NonNullable<ReturnType<typeof listed<"servers">>>[number];

const QUANTITIES = ["cpu", "memory", "load", "disk"] as const;
type Quantity = (typeof QUANTITIES)[number];

/** One server in the grid; its cell alone is drawn when it changes. */
interface Cell {
  readonly id: string;
  readonly share: number;
  readonly text: string;
  readonly tone: "line" | "warn" | "crit";
}

type Reading = ReadonlyMap<string, number>;

const toneOf = (share: number): Cell["tone"] => (share >= 0.95 ? "crit" : share >= 0.85 ? "warn" : "line");

/** How much of a server a quantity takes, from 0 to 1, and in words. */
function cellOf(quantity: Quantity, { id, info }: Member, reading: Reading): Cell | undefined {
  const share = SHARES[quantity](info, reading);
  if (share === undefined) return undefined;
  const text = quantity === "load" ? number(reading.get("_qm_cpu_load") ?? 0, 2) : percent(share * 100);
  return { id, share: Math.min(1, share), text, tone: toneOf(share) };
}

/** Each quantity as a share of what the server has; undefined where nothing was read. */
const SHARES: Readonly<Record<Quantity, (info: Member["info"], reading: Reading) => number | undefined>> = {
  cpu: (_info, reading) => divided(reading.get("_qm_cpu_usage"), 100),
  memory: (_info, reading) => {
    const used = reading.get("_qm_mem_used");
    return divided(used, (used ?? 0) + (reading.get("_qm_mem_avail") ?? 0));
  },
  load: ({ cpu }, reading) => divided(reading.get("_qm_cpu_load"), (cpu as { cores?: number } | undefined)?.cores || 1),
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
  const cells = useMemo(() => createRecords<Cell>(), [group, quantity]);
  const found = useLoad(`grid ${group} ${quantity} ${members.map(({ id }) => id).join()}`, async (signal) => {
    const { servers } = await api.getQuickmonData({ group, shape: "values" }, { signal });
    const readings = servers as Record<string, readonly { readonly id: string; readonly value: number }[]>;
    for (const member of members) {
      const cell = cellOf(quantity, member, new Map((readings[member.id] ?? []).map(({ id, value }) => [id, value])));
      if (cell) update(cells, cell);
    }
    return true;
  });
  usePolling(Math.floor(now.value / EVERY_SEC), found.reload);
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
      {members.length === 0 ? <Empty>{t("noServers")}</Empty> : <Cells members={members} cells={cells} />}
    </Panel>
  );
}

/** A part of its own: the grid is drawn each second for its clock, and this list only when cells come or go. */
const Cells = ({ members, cells }: { readonly members: readonly Member[]; readonly cells: Records<Cell> }) => (
  <ul class={members.length > 60 ? "cells dense" : "cells"}>
    {members.map((member) => (
      <CellView key={member.id} member={member} cells={cells} known={cells.ids.value.length} />
    ))}
  </ul>
);

/** What has not changed is not told, so that it is not drawn. */
function update(cells: Records<Cell>, cell: Cell): void {
  const known = cells.get(cell.id)?.peek();
  if (known?.text !== cell.text || known.tone !== cell.tone) cells.put(cell);
}

interface CellProps {
  readonly member: Member;
  readonly cells: Records<Cell>;
  /** Another number of cells: this one may have got its first reading. */
  readonly known: number;
}

/** Drawn once: what changes each second is written into its text and its style, past the comparison of elements. */
function CellView({ member: { id, title, hostname }, cells, known }: CellProps) {
  const element = useRef<HTMLLIElement>(null);
  const cell = cells.get(id);
  const text = useMemo(() => computed(() => cell?.value.text ?? "–"), [cell]);
  useEffect(
    () =>
      effect(() => {
        const { tone = "line", share = 0 } = cell?.value ?? {};
        element.current?.style.setProperty("--v", share.toFixed(3));
        if (element.current?.className !== `t-${tone}`) element.current?.setAttribute("class", `t-${tone}`);
      }),
    [cell, known],
  );
  const server = title || hostname;
  const tell = (event: { currentTarget: HTMLElement }): void => {
    event.currentTarget.title = t("cell", { server, value: cell?.peek().text ?? t("noReading") });
  };
  return (
    <li ref={element}>
      <a href={href(`/servers/${id}`)} onMouseEnter={tell}>
        <span class="cut" dir="auto">
          {server}
        </span>
        <b>{text}</b>
      </a>
    </li>
  );
}

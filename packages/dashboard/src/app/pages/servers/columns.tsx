import type { ReadonlySignal } from "@preact/signals";
import { titleOf } from "../../data/records/lists.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { Meter } from "../../parts/charts/gauges.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { Age } from "../../parts/time.tsx";
import { href } from "../../router/router.ts";
import { duration, exact, list, now, number } from "../../texts/format.ts";
import { diskOf, type Machine, nameOf, type Quick } from "./machines.ts";
import { t } from "./texts.ts";

interface Sources {
  /** Node of each server; empty if there is only one node. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly quick: Quick;
  readonly full: ReadonlySignal<ReadonlyMap<string, number>>;
}

interface LiveProps {
  readonly machine: Machine;
  readonly quick: Quick;
}

const read = ({ machine, quick }: LiveProps, id: string): number | undefined => quick.value[machine.record.id]?.get(id);

function Cpu(props: LiveProps) {
  const value = read(props, "_qm_cpu_usage");
  return value === undefined ? null : <Meter label={`${nameOf(props.machine)}: ${t("cpu")}`} value={value} />;
}

function Memory(props: LiveProps) {
  const used = read(props, "_qm_mem_used");
  const free = read(props, "_qm_mem_avail");
  if (used === undefined || free === undefined || used + free === 0) return null;
  return <Meter label={`${nameOf(props.machine)}: ${t("memory")}`} value={(used / (used + free)) * 100} />;
}

function Load(props: LiveProps) {
  const value = read(props, "_qm_cpu_load");
  return <>{value === undefined ? "" : number(value, 2)}</>;
}

function Disk({ machine }: Pick<LiveProps, "machine">) {
  const value = diskOf(machine);
  return value === undefined ? null : (
    <Meter label={`${nameOf(machine)}: ${t("disk")}`} value={value} warn={85} crit={90} />
  );
}

const WEEK = 7 * 86_400;

/** How long until the disk is full, highlighted if it is a week or less. */
function FullIn({ id, full }: { readonly id: string; readonly full: Sources["full"] }) {
  const at = full.value.get(id);
  if (at === undefined) return <span class="dimmer">–</span>;
  const left = at - now.value;
  const text = left < 3600 ? t("fullNow") : duration(left - (left % 60));
  return (
    <span class={left < WEEK ? "soon" : "dim"} title={exact(at)}>
      {text}
    </span>
  );
}

function Name({ machine }: Pick<LiveProps, "machine">) {
  const { isOnline, record } = machine;
  return (
    <span class="cell">
      <Mark
        state={!isOnline ? "gone" : record.enabled ? "ok" : "abort"}
        label={isOnline ? (record.enabled ? t("online") : t("off")) : t("offline")}
      />
      <a class="whole cut" href={href(`/servers/${record.id}`)} dir="auto">
        <b>{nameOf(machine)}</b>
      </a>
    </span>
  );
}

const nodeColumn = (nodes: Sources["nodes"]): Column<Machine> => ({
  key: "node",
  title: () => t("node"),
  rank: 3,
  width: "10%",
  sort: "node",
  cell: ({ record: { node = "" } }) => <span class="dim cut">{nodes.get(node) ?? "–"}</span>,
});

/** Cells read their signals themselves, so that a new value renders only its cell. */
export const columns = ({ nodes, quick, full }: Sources): readonly Column<Machine>[] => [
  { key: "name", title: () => t("server"), width: "24%", sort: "name", cell: (machine) => <Name machine={machine} /> },
  {
    key: "groups",
    title: () => t("groups"),
    rank: 2,
    width: "12%",
    cell: ({ record }) => <span class="dim cut">{list(record.groups.map((id) => titleOf("groups", id)))}</span>,
  },
  ...(nodes.size > 0 ? [nodeColumn(nodes)] : []),
  { key: "cpu", title: () => t("cpu"), width: "7rem", cell: (machine) => <Cpu machine={machine} quick={quick} /> },
  {
    key: "memory",
    title: () => t("memory"),
    width: "13%",
    rank: 3,
    cell: (machine) => <Memory machine={machine} quick={quick} />,
  },
  {
    key: "load",
    title: () => t("load"),
    width: "4.5rem",
    rank: 2,
    isNumber: true,
    cell: (machine) => <Load machine={machine} quick={quick} />,
  },
  {
    key: "disk",
    title: () => t("disk"),
    width: "15%",
    rank: 3,
    sort: "disk",
    cell: (machine) => <Disk machine={machine} />,
  },
  {
    key: "full",
    title: () => t("fullIn"),
    width: "6.75rem",
    isNumber: true,
    sort: "full",
    cell: ({ record }) => <FullIn id={record.id} full={full} />,
  },
  {
    key: "seen",
    title: () => t("seen"),
    width: "7.5rem",
    rank: 3,
    isNumber: true,
    sort: "seen",
    cell: ({ record, isOnline }) => (isOnline ? <span class="dim">{t("now")}</span> : <Age at={record.modified} />),
  },
];

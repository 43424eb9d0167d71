import { Panel } from "../../parts/basic/basic.tsx";
import { Empty } from "../../parts/basic/states.tsx";
import { Meter } from "../../parts/charts/gauges.tsx";
import { type Column, sorted, Table } from "../../parts/lists/table.tsx";
import { Age } from "../../parts/time.tsx";
import { place, setQuery } from "../../router/router.ts";
import { bytes, number } from "../../texts/format.ts";
import { t } from "./texts.ts";

interface Process {
  readonly pid: number;
  readonly command: string;
  readonly user?: string;
  readonly cpu?: number;
  readonly memRss?: number;
  readonly started?: number;
}

interface Connection {
  readonly type?: string;
  readonly state?: string;
  readonly local_addr?: string;
  readonly remote_addr?: string;
  readonly pid?: number;
}

interface Mount {
  readonly mount: string;
  readonly fs?: string;
  readonly type?: string;
  readonly size?: number;
  readonly available?: number;
  readonly use?: number;
}

interface Interface {
  readonly iface: string;
  readonly ip4?: string;
  readonly operstate?: string;
  readonly speed?: number | null;
  readonly rx_sec?: number;
  readonly tx_sec?: number;
}

/** Members of an agent's minute that the page shows. */
export interface MinuteData {
  readonly processes?: { readonly list?: readonly Process[]; readonly all?: number };
  readonly conns?: readonly Connection[];
  readonly mounts?: Readonly<Record<string, Mount>>;
  readonly interfaces?: Readonly<Record<string, Interface>>;
}

const text = (value: unknown) => (
  <span class="dim cut" dir="auto">
    {String(value ?? "")}
  </span>
);
const size = (value: number | undefined): string => (value === undefined ? "" : bytes(value));

const processColumns: readonly Column<Process>[] = [
  {
    key: "command",
    title: () => t("command"),
    sort: "command",
    cell: ({ command }) => (
      <b class="cut" dir="auto" title={command}>
        {command}
      </b>
    ),
  },
  { key: "user", title: () => t("user"), width: "7rem", rank: 3, cell: ({ user }) => text(user) },
  {
    key: "pid",
    title: "PID",
    width: "5rem",
    isNumber: true,
    sort: "pid",
    rank: 3,
    cell: ({ pid }) => <span class="dim">{pid}</span>,
  },
  {
    key: "cpu",
    title: () => `${t("cpu")} %`,
    width: "5.5rem",
    isNumber: true,
    sort: "cpu",
    cell: ({ cpu = 0 }) => number(cpu, 1),
  },
  {
    key: "memory",
    title: () => t("memory"),
    width: "6rem",
    isNumber: true,
    sort: "memory",
    cell: ({ memRss }) => size(memRss),
  },
  {
    key: "since",
    title: () => t("age"),
    width: "6.5rem",
    isNumber: true,
    rank: 3,
    cell: ({ started }) => (started ? <Age at={started} /> : null),
  },
];

const connectionColumns: readonly Column<Connection>[] = [
  { key: "local", title: () => t("local"), cell: ({ local_addr }) => <span class="mono cut">{local_addr}</span> },
  { key: "remote", title: () => t("remote"), cell: ({ remote_addr }) => <span class="mono cut">{remote_addr}</span> },
  { key: "state", title: () => t("state"), width: "8rem", rank: 3, cell: ({ state }) => text(state) },
  { key: "type", title: () => t("type"), width: "4rem", rank: 3, cell: ({ type }) => text(type) },
  {
    key: "pid",
    title: "PID",
    width: "5rem",
    isNumber: true,
    rank: 3,
    cell: ({ pid }) => <span class="dim">{pid}</span>,
  },
];

const diskColumns: readonly Column<Mount>[] = [
  {
    key: "mount",
    title: () => t("mount"),
    cell: ({ mount, fs, type }) => (
      <span class="mono cut" title={`${fs ?? ""} ${type ?? ""}`}>
        {mount}
      </span>
    ),
  },
  {
    key: "use",
    title: () => t("colUsed"),
    width: "6.25rem",
    cell: ({ mount, use = 0 }) => <Meter label={`${mount}: ${t("used")}`} value={use} warn={85} crit={90} />,
  },
  { key: "size", title: () => t("size"), width: "4.5rem", isNumber: true, cell: (mount) => size(mount.size) },
  { key: "free", title: () => t("colFree"), width: "5rem", isNumber: true, cell: ({ available }) => size(available) },
];

const perSecond = (value: number | undefined): string => (value === undefined ? "" : `${bytes(value)}/s`);

const interfaceColumns: readonly Column<Interface>[] = [
  {
    key: "name",
    title: () => t("name"),
    cell: ({ iface, ip4 }) => (
      <span class="cut">
        <span class="mono">{iface}</span> <span class="dimmer xs">{ip4}</span>
      </span>
    ),
  },
  { key: "in", title: () => t("colIn"), width: "5.25rem", isNumber: true, cell: ({ rx_sec }) => perSecond(rx_sec) },
  { key: "out", title: () => t("colOut"), width: "5.25rem", isNumber: true, cell: ({ tx_sec }) => perSecond(tx_sec) },
];

const processOrders = {
  command: ({ command }: Process) => command,
  pid: ({ pid }: Process) => pid,
  cpu: ({ cpu = 0 }: Process) => cpu,
  memory: ({ memRss = 0 }: Process) => memRss,
};

/** Number of rows that a panel shows at first; the busiest come first. */
const SHOWN = 50;

interface TablesProps {
  readonly data: MinuteData;
}

/** Processes, connections, disks and network interfaces. */
export function Tables({ data: { processes, conns = [], mounts = {}, interfaces = {} } }: TablesProps) {
  return (
    <div class="grid">
      <div class="c8 stack">
        <Processes {...processes} />
        <Panel title={t("connections")} count={conns.length}>
          {conns.length === 0 ? (
            <Empty>{t("noConnections")}</Empty>
          ) : (
            <Table
              label={t("connectionsTable")}
              columns={connectionColumns}
              rows={conns.slice(0, SHOWN)}
              total={conns.length}
              keyOf={({ local_addr, remote_addr, pid }) => `${local_addr} ${remote_addr} ${pid}`}
            />
          )}
        </Panel>
      </div>
      <div class="c4 stack">
        <Panel title={t("disks")} count={Object.keys(mounts).length}>
          <Table
            label={t("disksTable")}
            columns={diskColumns}
            rows={Object.values(mounts)}
            keyOf={({ mount }) => mount}
          />
        </Panel>
        <Panel title={t("interfaces")} count={Object.keys(interfaces).length}>
          <Table
            label={t("interfacesTable")}
            columns={interfaceColumns}
            rows={Object.values(interfaces)}
            keyOf={({ iface }) => iface}
          />
        </Panel>
      </div>
    </div>
  );
}

/** The busiest processes, unless the address names another order. */
function Processes({ list = [], all: count = list.length }: NonNullable<MinuteData["processes"]>) {
  const sort = place.value.query["processes"] ?? "-cpu";
  const all = sorted(list, sort, processOrders);
  const shown = Math.min(SHOWN, all.length);
  return (
    <Panel title={t("processes")} count={count > shown ? t("firstOf", { shown, all: count }) : count}>
      {all.length === 0 ? (
        <Empty>{t("noProcesses")}</Empty>
      ) : (
        <Table
          label={t("processesTable")}
          columns={processColumns}
          rows={all.slice(0, shown)}
          sort={sort}
          total={count}
          keyOf={({ pid }) => String(pid)}
          onSort={(next) => setQuery({ processes: next })}
        />
      )}
    </Panel>
  );
}

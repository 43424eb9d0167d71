import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Mark, More, Panel } from "../../parts/basic/basic.tsx";
import { Empty, Outline } from "../../parts/basic/states.tsx";
import { Meter, Spark } from "../../parts/charts/gauges.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { number } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** One sample (a second) of a server. */
interface Sample {
  readonly _qm_cpu_usage?: number;
  readonly _qm_cpu_load?: number;
  readonly _qm_mem_used?: number;
  readonly _qm_mem_avail?: number;
}

type Samples = Readonly<Record<string, readonly Sample[]>>;

interface Shown {
  readonly id: string;
  readonly samples: readonly Sample[];
}

const EVERY_SEC = 5;
const SHOWN = 9;

const memory = ({ _qm_mem_used: used = 0, _qm_mem_avail: free = 0 }: Sample): number =>
  used + free > 0 ? (used / (used + free)) * 100 : 0;

const columns: readonly Column<Shown>[] = [
  {
    key: "name",
    title: () => t("server"),
    cell: ({ id }) => (
      <span class="cell">
        <Mark state="ok" />
        {hasPage(`/servers/${id}`) ? (
          <a class="whole cut" href={href(`/servers/${id}`)}>
            <b>{titleOf("servers", id)}</b>
          </a>
        ) : (
          <b class="cut">{titleOf("servers", id)}</b>
        )}
      </span>
    ),
  },
  {
    key: "spark",
    title: () => t("cpuMinute"),
    rank: 3,
    width: "20%",
    cell: ({ samples }) => <Spark values={samples.map(({ _qm_cpu_usage: value }) => value ?? null)} max={100} />,
  },
  {
    key: "cpu",
    title: () => t("cpu"),
    width: "18%",
    cell: ({ id, samples }) =>
      samples.length > 0 && (
        <Meter label={`${titleOf("servers", id)} ${t("cpu")}`} value={samples.at(-1)?._qm_cpu_usage ?? 0} />
      ),
  },
  {
    key: "memory",
    title: () => t("memory"),
    width: "18%",
    cell: ({ id, samples }) =>
      samples.length > 0 && (
        <Meter label={`${titleOf("servers", id)} ${t("memory")}`} value={memory(samples.at(-1) ?? {})} />
      ),
  },
  {
    key: "load",
    title: () => t("load"),
    isNumber: true,
    rank: 3,
    width: "4.5rem",
    cell: ({ samples }) => samples.length > 0 && number(samples.at(-1)?._qm_cpu_load ?? 0, 2),
  },
];

/** The current load of the first servers, polled every five seconds. */
export function Servers() {
  const known = listed("servers");
  const servers = known ?? [];
  const ids = servers.slice(0, SHOWN).map(({ id }) => id);
  // A minute of samples is 13 KB per server, so only the servers shown are requested.
  const quick = useLoad(
    `quick ${ids.join()}`,
    async (signal) => {
      if (ids.length === 0) return {};
      return (await api.getQuickmonData({ servers: ids, shape: "samples" }, { signal })).servers as Samples;
    },
    "quick",
  );
  usePolling(EVERY_SEC, quick.reload);
  const samples = quick.data.value ?? {};
  const rows = ids.map((id) => ({ id, samples: samples[id] ?? [] }));
  return (
    <Panel
      title={t("servers")}
      class="g-srv"
      count={known && t("online", { n: servers.length })}
      more={hasPage("/servers") && <More href={href("/servers")}>{t("allServers")}</More>}
    >
      {!known ? (
        <Outline rows={6} />
      ) : rows.length === 0 ? (
        <Empty>{t("noServers")}</Empty>
      ) : (
        <Table label={t("serversTable")} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
    </Panel>
  );
}

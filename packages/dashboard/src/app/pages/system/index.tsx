import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Pairs, Panel } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { href } from "../../router/router.ts";
import { bytes, number, percent } from "../../texts/format.ts";
import { Background } from "./background.tsx";
import { Backup } from "./backup/backup.tsx";
import { Chores } from "./chores/chores.tsx";
import { Nodes } from "./nodes.tsx";
import { Scheduler } from "./scheduler.tsx";
import { tableName } from "./table-name.ts";
import { t } from "./texts.ts";

interface Stats {
  readonly version?: string;
  readonly node?: { readonly version?: string };
  readonly db?: { readonly sqlite?: number; readonly records?: Readonly<Record<string, number>> };
  readonly storage_engine?: string;
  readonly sockets?: readonly unknown[];
  readonly mem?: number;
  readonly cpu?: number;
}

/** State of the installation, and administrators' actions on all of it. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const found = useLoad("system stats", async () => (await api.adminStats({})).stats as Stats);
  const { version = "", storage_engine: storage = "" } = found.data.value ?? {};
  return (
    <>
      <Head
        title={t("title")}
        {...(version ? { note: t("summary", { version, storage }) } : {})}
        actions={
          <a class="btn" href={href("/system/logs")}>
            <Icon name="file" />
            {t("logs")}
          </a>
        }
      />
      <div class="beside">
        <div class="stack">
          <Scheduler />
          <Nodes />
          <Background />
          {can("admin") && <Chores />}
          {can("admin") && <Backup />}
        </div>
        <div class="stack">
          <WhenLoaded of={found} rows={6}>
            {(stats) => (
              <>
                <Node stats={stats} />
                <Sizes records={stats.db?.records ?? {}} />
              </>
            )}
          </WhenLoaded>
        </div>
      </div>
    </>
  );
}

const Node = ({ stats: { version, node, db, storage_engine, sockets, mem, cpu } }: { readonly stats: Stats }) => (
  <Panel title={t("node")}>
    <Pairs
      facts={[
        version ? { name: t("version"), value: version } : undefined,
        node?.version ? { name: "Node.js", value: node.version } : undefined,
        storage_engine ? { name: t("storage"), value: storage_engine } : undefined,
        db?.sqlite ? { name: t("size"), value: bytes(db.sqlite) } : undefined,
        mem === undefined ? undefined : { name: t("memory"), value: bytes(mem) },
        cpu === undefined ? undefined : { name: t("cpu"), value: percent(cpu) },
        sockets ? { name: t("agents"), value: number(sockets.length) } : undefined,
      ]}
    />
  </Panel>
);

type Count = readonly [name: string, count: number];
const sizeOf = ([name, count]: Count) => ({ name, value: number(count) });

/** Number of records, by what people call them; below them the tables that only the engine knows. Largest first. */
function Sizes({ records }: { readonly records: Readonly<Record<string, number>> }) {
  const rows = Object.entries(records)
    .filter(([, count]) => count > 0)
    .toSorted(([, left], [, right]) => right - left);
  const known = rows.flatMap(([table, count]): readonly Count[] => {
    const name = tableName(table);
    return name === undefined ? [] : [[name, count]];
  });
  const others = rows.filter(([table]) => tableName(table) === undefined);
  return (
    <Panel title={t("records")}>
      <Pairs facts={known.map(sizeOf)} />
      {others.length > 0 && (
        <details class="rest">
          <summary>{t("moreRecords", { n: others.length })}</summary>
          <Pairs facts={others.map(sizeOf)} />
        </details>
      )}
    </Panel>
  );
}

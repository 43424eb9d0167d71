import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { personName } from "../../data/people/person-name.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { plainTitle } from "../../data/series/charts.ts";
import { unitOf } from "../../data/series/timeline.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Facts, Head, Mark, Panel } from "../../parts/basic/basic.tsx";
import { unitText } from "../../parts/plot/unit.ts";
import { href } from "../../router/router.ts";
import { list, number, when } from "../../texts/format.ts";
import { readFirings } from "../notices/data.ts";
import type { PageProps } from "../page.ts";
import { type MinuteData, Tables } from "../server/tables.tsx";
import { nameOf } from "../snapshots/index.tsx";
import { t } from "../snapshots/texts.ts";

type Whole = Awaited<ReturnType<typeof api.getSnapshot>>["snapshot"];

/** The state of a server or a group at one moment. */
export function Page({ params: { id = "" } }: PageProps) {
  const found = useLoad(`snapshot ${id}`, async (signal) => (await api.getSnapshot({ id }, { signal })).snapshot);
  const shot = found.data.value;
  const title = shot ? t("atThen", { name: nameOf(shot), at: when(shot.date) }) : id;
  useCrumbs([{ title: t("title"), href: href("/snapshots") }, { title }]);
  if (!shot) return <Missing of={found} gone={t("gone")} />;
  const isGroup = shot.type === "group";
  return (
    <>
      <Head
        title={title}
        actions={
          <a class="btn" href={href(isGroup ? `/groups/${shot.groups[0]}` : `/servers/${shot.server}`)}>
            {t(isGroup ? "nowGroup" : "now")}
          </a>
        }
      />
      <div class="panel hero">
        <Then shot={shot} />
      </div>
      {isGroup ? <Members shot={shot} /> : <Tables data={(shot.data ?? {}) as MinuteData} />}
    </>
  );
}

/** Readings, firing alerts and running jobs at that moment. */
function Then({ shot }: { readonly shot: Whole }) {
  const values = (shot.data?.["monitors"] ?? {}) as Readonly<Record<string, number>>;
  const monitors = (listed("monitors") ?? []).filter(({ id, delta }) => !delta && values[id] !== undefined);
  const found = useLoad(`firings ${shot.id}`, (signal) => readFirings(shot.alerts, signal));
  return (
    <Facts
      facts={[
        { name: t("alerts"), value: firingWords(shot.alerts.length, found.data.value ?? []) },
        { name: t("jobs"), value: number(shot.jobs.length) },
        { name: t("source"), value: personName(shot.username ?? "") || t(`source_${shot.source}`) },
        ...monitors.slice(0, 6).map((monitor) => ({
          name: plainTitle(monitor.title),
          value: unitText(values[monitor.id] ?? 0, unitOf(monitor)),
        })),
      ]}
    />
  );
}

/** Names of the alerts that fired at that moment, with their number if some are gone. */
function firingWords(count: number, firings: Awaited<ReturnType<typeof readFirings>>): string {
  const names = list([...new Set(firings.map(({ alert }) => titleOf("alerts", alert)))]);
  if (!names) return number(count);
  return firings.length < count ? `${number(count)} (${names}, …)` : names;
}

function Members({ shot: { servers = [] } }: { readonly shot: Whole }) {
  return (
    <Panel title={t("servers")} count={servers.length}>
      <ul class="cells">
        {servers.map((server) => {
          const id = String(server["id"]);
          const isOffline = Boolean(server["offline"]);
          return (
            <li key={id} class="t-line">
              <a href={href(`/servers/${id}`)}>
                <span class="cut" dir="auto">
                  {String(server["title"] || server["hostname"] || id)}
                </span>
                <Mark state={isOffline ? "gone" : "ok"} />
              </a>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

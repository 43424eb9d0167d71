import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { type NodeEntry, nodeNames, useNodes } from "../../data/nodes.ts";
import { Mark, Panel, Pill } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Failed } from "../../parts/basic/states.tsx";
import { Age } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { number } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** The nodes, if there are several: which one leads, the state of each, and the satellites connected to it. */
export function Nodes() {
  const found = useNodes();
  const nodes = found.data.value ?? [];
  const error = found.error.value;
  if (error && nodes.length === 0) return <Failed error={error} onRetry={found.reload} />;
  if (nodes.length < 2) return null;
  const names = nodeNames(nodes);
  return (
    <Panel title={t("nodes")} count={nodes.length}>
      <ul class="linked machines">
        {nodes.map((node, at) => (
          <One key={node.id} node={node} name={names.get(node.id) ?? node.id} isOwn={at === 0} />
        ))}
      </ul>
    </Panel>
  );
}

interface OneProps {
  readonly node: NodeEntry;
  readonly name: string;
  /** True for the node that answered. */
  readonly isOwn: boolean;
}

function One({ node: { id, online, master, version, started, stats }, name, isOwn }: OneProps) {
  const isLeaving = stats.state === "draining";
  const sign = online ? t(isLeaving ? "drains" : "serves") : t("silent");
  return (
    <li>
      <Mark state={online ? (isLeaving ? "wait" : "ok") : "gone"} label={sign} />
      <span class="grow">
        <b dir="auto">{name}</b> {isOwn && <span class="dim xs">{t("asked")}</span>}
        <span class="dim xs sub num">
          {[
            t("ofVersion", { version }),
            t("loadOf", { load: number(stats.load, 2) }),
            t("lagOf", { ms: Math.round(stats.lag_ms) }),
            t("jobsOf", { n: stats.jobs }),
          ].join(" · ")}
          {" · "}
          {t("runsSince")} <Age at={started} />
        </span>
      </span>
      {master && <Pill state="run" label={t("leads")} />}
      {(isLeaving || !online) && <span class="xs dim">{sign}</span>}
      <span class="xs num">
        {hasPage("/servers") ? (
          <a href={href(`/servers?q=node%3A${encodeURIComponent(id)}`)}>{t("satellitesOf", { n: stats.satellites })}</a>
        ) : (
          t("satellitesOf", { n: stats.satellites })
        )}
      </span>
      {online && !isLeaving && <Drain node={id} name={name} />}
    </li>
  );
}

function Drain({ node, name }: { readonly node: string; readonly name: string }) {
  const deed = `drain ${node}`;
  const drain = async (): Promise<void> => {
    const question = { title: t("drainTitle", { name }), text: t("drainWhy"), verb: t("drain") };
    if (await confirm(question))
      await act(deed, { run: () => api.drainNode({ node }), done: t("drainDone", { name }) });
  };
  return (
    <Action needs="admin" kind="row" deed={deed} label={`${t("drain")} ${name}`} run={drain}>
      {t("drain")}
    </Action>
  );
}

import { useMemo } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, Outline } from "../../parts/basic/states.tsx";
import { type Column, sorted, Table } from "../../parts/lists/table.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { list } from "../../texts/format.ts";
import { type Route, useRoutes } from "../notices/data.ts";
import { Held } from "./held.tsx";
import { routesOf } from "./routes.ts";
import { firesNow, type Rule, RuleState } from "./state.tsx";
import { t } from "./texts.ts";

const Count = ({ id }: { readonly id: string }) => {
  const count = firesNow(id);
  return count > 0 ? <b>{t("firesOn", { n: count })}</b> : <span class="dimmer">–</span>;
};

function Toggle({ rule: { id, enabled, title } }: { readonly rule: Rule }) {
  const set = (isOn: boolean) => () => api.updateAlert({ id, enabled: isOn });
  const run = () =>
    act(`rule ${id}`, {
      run: set(!enabled),
      done: t(enabled ? "switchedOff" : "switchedOn", { name: title }),
      undo: set(Boolean(enabled)),
    });
  const text = t(enabled ? "switchOff" : "switchOn");
  return (
    <Action needs="edit_alerts" deed={`rule ${id}`} kind="row" label={`${text}: ${title}`} run={run}>
      {text}
    </Action>
  );
}

/** Names the servers that a rule applies to. Rules on events, heartbeats and checks apply to none. */
function scopeOf({ groups, subject = "server" }: Rule): string {
  if (subject !== "server" && subject !== "presence") return "–";
  return groups?.length ? list(groups.map((id) => titleOf("groups", id))) : t("everywhere");
}

/** Names the rule's own actions and the routes that may take its firings. `routes` is undefined until they are loaded. */
function toldTo(rule: Rule, routes: readonly Route[] | undefined): string {
  const own = rule.actions?.length ? [t("actions", { n: rule.actions.length })] : [];
  const names = [...own, ...routesOf(rule, routes ?? []).map(({ title }) => title)];
  return list(names) || (routes ? t("tellsNobody") : "–");
}

const tells = (routes: readonly Route[] | undefined): Column<Rule> => ({
  key: "tells",
  title: () => t("tells"),
  width: "19%",
  rank: 2,
  cell: (rule) => (
    <span class="dim cut" title={toldTo(rule, routes)}>
      {toldTo(rule, routes)}
    </span>
  ),
});

const fixed: readonly Column<Rule>[] = [
  {
    key: "title",
    title: () => t("rule"),
    sort: "title",
    width: "23%",
    cell: (rule) => (
      <span class="cell">
        <RuleState rule={rule} />
        <a class="whole cut" href={href(`/alert-rules/${rule.id}`)} dir="auto">
          <b>{rule.title}</b>
        </a>
      </span>
    ),
  },
  {
    key: "expression",
    title: () => t("expression"),
    rank: 3,
    cell: ({ expression }) => (
      <code class="mono cut" title={expression}>
        {expression}
      </code>
    ),
  },
  {
    key: "groups",
    title: () => t("scope"),
    width: "6rem",
    rank: 2,
    cell: (rule) => <span class="dim cut">{scopeOf(rule)}</span>,
  },
  { key: "fires", title: () => t("now"), width: "5.5rem", rank: 3, cell: ({ id }) => <Count id={id} /> },
  { key: "acts", title: "", width: "7.5rem", isNumber: true, cell: (rule) => <Toggle rule={rule} /> },
];

function useColumns(): readonly Column<Rule>[] {
  const routes = useRoutes().data.value;
  return useMemo(() => fixed.toSpliced(-2, 0, tells(routes)), [routes]);
}

/** All alert rules, which are evaluated every minute on every server. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const rules = listed("alerts");
  const on = rules?.filter(({ enabled }) => enabled).length ?? 0;
  return (
    <>
      <Head
        title={rules ? t("watching", { n: on }) : t("title")}
        actions={
          can("create_alerts") && (
            <a class="btn primary" href={href("/alert-rules/new")}>
              <Icon name="plus" />
              {t("create")}
            </a>
          )
        }
      />
      <Panel title={t("all")} count={rules?.length}>
        {!rules ? <Outline rows={6} /> : rules.length === 0 ? <Empty>{t("none")}</Empty> : <Rules rules={rules} />}
      </Panel>
      {rules && (
        <div class="below">
          <Held rules={rules} />
        </div>
      )}
    </>
  );
}

function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  const { sort } = place.value.query;
  const columns = useColumns();
  return (
    <Table
      label={t("all")}
      columns={columns}
      sort={sort}
      keyOf={keyOf}
      rows={sorted(rules, sort, { title: ({ title }) => title })}
      question={sort ?? ""}
      onSort={(next) => setQuery({ sort: next })}
    />
  );
}

const keyOf = ({ id }: Rule): string => id;

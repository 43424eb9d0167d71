import { useMemo } from "preact/hooks";
import type { Loaded } from "../../../data/calls/load.ts";
import { can } from "../../../data/calls/session.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { type Column, Table } from "../../../parts/lists/table.tsx";
import { Age } from "../../../parts/time.tsx";
import { href } from "../../../router/router.ts";
import { severityState } from "../../alerts/state.ts";
import { t as routeTexts } from "../../notice-routes/texts.ts";
import { nameIn, type Problem, type Receiver, type Route, receiversOf } from "../data.ts";
import { t } from "../texts.ts";
import { aboutWords, toldWords } from "../words.ts";

interface Known {
  readonly receivers: readonly Receiver[] | undefined;
  readonly routes: readonly Route[] | undefined;
}

const columnsOf = ({ receivers, routes }: Known): readonly Column<Problem>[] => [
  {
    key: "about",
    title: () => t("problem"),
    cell: ({ id, severity, members, hidden }) => (
      <span class="cell">
        <Mark state={severityState(severity)} />
        <a class="whole cut" href={href(`/notices/problems/${id}`)} dir="auto">
          <b>{aboutWords(members)}</b>
        </a>
        {hidden > 0 && <span class="dim xs">{t("hidden", { n: hidden })}</span>}
      </span>
    ),
  },
  {
    key: "told",
    title: () => t("told"),
    width: "24%",
    cell: (problem) => (
      <span class="dim cut" dir="auto">
        {toldWords(problem.members, receiversOf(receivers, problem))}
      </span>
    ),
  },
  {
    key: "route",
    title: () => t("route"),
    width: "18%",
    rank: 2,
    cell: ({ route, title }) => (
      <span class="dim cut" dir="auto">
        {title === undefined ? nameIn(routes, route) : t("byAction")}
      </span>
    ),
  },
  {
    key: "opened",
    title: () => t("since"),
    width: "6.5rem",
    isNumber: true,
    rank: 3,
    cell: ({ opened }) => <Age at={opened} />,
  },
];

interface ProblemsProps extends Known {
  readonly problems: Loaded<{ readonly rows: readonly Problem[] }>;
}

/** Open problems. A problem groups the firings that a route reports together. */
export function Problems({ problems, receivers, routes }: ProblemsProps) {
  const columns = useMemo(() => columnsOf({ receivers, routes }), [receivers, routes]);
  return (
    <Panel title={t("problems")} count={problems.data.value?.rows.length}>
      <WhenLoaded of={problems} rows={3}>
        {({ rows }) =>
          rows.length > 0 ? (
            <Table label={t("problems")} columns={columns} rows={rows} keyOf={keyOf} question="" />
          ) : routes?.length === 0 ? (
            <Empty action={can("manage_routes") && <NewRoute />}>{t("noRoutes")}</Empty>
          ) : (
            <Empty>{t("noProblems")}</Empty>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

const keyOf = ({ id }: Problem): string => id;

const NewRoute = () => (
  <a class="btn primary" href={href("/notices/routes/new")}>
    <Icon name="plus" />
    {routeTexts("create")}
  </a>
);

import { can } from "../../data/calls/session.ts";
import { useLastRuns } from "../../data/jobs/last-runs.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { NoneInReach, Outline } from "../../parts/basic/states.tsx";
import { type Column, sorted, Table } from "../../parts/lists/table.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { Last, State } from "../events/rows.tsx";
import { t as events } from "../events/texts.ts";
import { graphOf } from "../workflow/graph/model.ts";
import { run } from "../workflow/index.tsx";
import { t } from "../workflow/texts.ts";

type Row = NonNullable<ReturnType<typeof listed<"events">>>[number];

const runningOf = (id: string): number =>
  activeJobs.all().filter((job) => job.event === id && job["type"] === "workflow").length;

const columns: readonly Column<Row>[] = [
  {
    key: "title",
    title: () => t("name"),
    sort: "title",
    cell: (row) => (
      <span class="cell">
        <State event={row} />
        <a class="whole cut" href={href(`/workflows/${row.id}`)}>
          <b dir="auto">{row.title}</b>
        </a>
      </span>
    ),
  },
  {
    key: "category",
    title: () => t("category"),
    sort: "category",
    rank: 3,
    width: "12rem",
    cell: ({ category }) => <span class="dim">{titleOf("categories", category)}</span>,
  },
  {
    key: "nodes",
    title: () => t("nodes"),
    isNumber: true,
    rank: 2,
    width: "6rem",
    cell: (row) => graphOf(row["workflow"]).nodes.length,
  },
  { key: "running", title: () => t("running"), isNumber: true, width: "6rem", cell: ({ id }) => <Running id={id} /> },
  {
    key: "last",
    title: () => events("lastRun"),
    isNumber: true,
    rank: 3,
    width: "6rem",
    cell: ({ id }) => <Last id={id} />,
  },
  {
    key: "actions",
    title: "",
    isNumber: true,
    width: "8rem",
    cell: (row) => (
      <Action
        needs="run_jobs"
        deed={`run ${row.id}`}
        kind="row"
        label={events("runNamed", { name: row.title })}
        run={() => run(row)}
      >
        {events("run")}
      </Action>
    ),
  },
];

function Running({ id }: { readonly id: string }) {
  const count = runningOf(id);
  return count > 0 ? <span class="num">{count}</span> : null;
}

/** All workflows. They are events with a separate page for their graphs. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const rows = listed("events")?.filter(({ type }) => type === "workflow");
  useLastRuns((rows ?? []).map(({ id }) => id));
  const { sort } = place.value.query;
  const add = can("create_events") && (
    <a class="btn primary" href={href("/workflows/new")}>
      <Icon name="plus" />
      {t("create")}
    </a>
  );
  return (
    <>
      <Head title={t("title")} actions={add} />
      <Panel title={t("all")} count={rows?.length}>
        {!rows ? (
          <Outline />
        ) : rows.length === 0 ? (
          <NoneInReach>{t("none")}</NoneInReach>
        ) : (
          <Table
            label={t("table")}
            columns={columns}
            rows={sorted(rows, sort ?? "title", { title: (row) => row.title, category: (row) => row.category ?? "" })}
            keyOf={({ id }) => id}
            question={sort ?? ""}
            sort={sort ?? "title"}
            onSort={(next) => setQuery({ sort: next })}
          />
        )}
      </Panel>
    </>
  );
}

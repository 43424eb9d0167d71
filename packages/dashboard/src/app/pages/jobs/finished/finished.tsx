import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useLoad } from "../../../data/calls/load.ts";
import { api, can } from "../../../data/calls/session.ts";
import { jobName } from "../../../data/jobs/job-name.ts";
import { jobState } from "../../../data/jobs/job-state.ts";
import { personName } from "../../../data/people/person-name.ts";
import { listed, titleOf } from "../../../data/records/lists.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Empty, NoneInReach, WhenLoaded } from "../../../parts/basic/states.tsx";
import { Segments } from "../../../parts/forms/fields.tsx";
import { AllMatching } from "../../../parts/lists/all-matching.tsx";
import { LoadMore } from "../../../parts/lists/load-more.tsx";
import { createSelection, type Selection } from "../../../parts/lists/selection.tsx";
import { type Column, type Sort, Table } from "../../../parts/lists/table.tsx";
import { FilterBar, type FilterField } from "../../../parts/query/filter-bar.tsx";
import { TIME_WIDTH, TimeAndAge } from "../../../parts/time.tsx";
import { href, place, setQuery } from "../../../router/router.ts";
import { duration, now, timeZone } from "../../../texts/format.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { toInput } from "../../../texts/zone.ts";
import { useFresh } from "../fresh.ts";
import { serverName } from "../running.tsx";
import { t } from "../texts.ts";
import { Bulk } from "./bulk.tsx";
import { ByEvent } from "./by-event.tsx";
import { InOutputs } from "./in-outputs.tsx";

const PAGE = 50;
type Answer = Awaited<ReturnType<typeof api.searchJobs>>;
type Found = Answer["rows"][number];

const byTitle = (name: "events" | "categories" | "servers" | "plugins" | "tags") => () =>
  (listed(name) ?? []).map((row) => ({ value: row.id, title: titleOf(name, row.id) }));

/** Tags that the engine gives to jobs. */
const outcomes = () =>
  (["success", "error"] as const).map((name) => ({ value: `_${name}`, title: t(`result.${name}`) }));

const WEEK_SEC = 7 * 86_400;
const days = () => [
  { value: "today", title: t("today") },
  { value: "yesterday", title: t("yesterday") },
  { value: `>=${toInput(now.peek() - WEEK_SEC, timeZone.peek()).slice(0, 10)}`, title: t("lastWeek") },
];

const fields = (): Readonly<Record<string, FilterField>> => ({
  event: { title: t("field.event"), values: byTitle("events") },
  category: { title: t("field.category"), values: byTitle("categories") },
  server: { title: t("field.server"), values: byTitle("servers") },
  plugin: { title: t("field.plugin"), values: byTitle("plugins") },
  tags: { title: t("field.tags"), values: () => [...outcomes(), ...byTitle("tags")()], usual: outcomes },
  source: { title: t("field.source") },
  date: { title: t("field.date"), values: days },
  code: { title: t("field.result") },
});

const columns: readonly Column<Found>[] = [
  {
    key: "event",
    title: () => t("event"),
    width: "26%",
    cell: (job) => (
      <span class="cell">
        <Mark state={jobState({ ...job, final: true })} />
        <a class="whole cut" href={href(`/jobs/${job.id}`)} dir="auto">
          <b>{jobName(job)}</b>
        </a>
      </span>
    ),
  },
  {
    key: "result",
    title: () => t("result"),
    rank: 3,
    cell: (job) => (
      <span class="dim cut" dir="auto" title={job.description ?? undefined}>
        {job.code ? job.description : ""}
      </span>
    ),
  },
  {
    key: "server",
    title: () => t("server"),
    rank: 2,
    width: "7rem",
    cell: (job) => <span class="dim">{serverName(job.server)}</span>,
  },
  {
    key: "source",
    title: () => t("source"),
    rank: 2,
    width: "8rem",
    cell: (job) => <span class="dim cut">{personName(job.username || job.source || "")}</span>,
  },
  {
    key: "elapsed",
    title: () => t("elapsed"),
    sort: "elapsed",
    isNumber: true,
    rank: 3,
    width: "6rem",
    cell: (job) => (job.elapsed === undefined ? "" : duration(job.elapsed)),
  },
  {
    key: "started",
    title: () => t("started"),
    isNumber: true,
    width: TIME_WIDTH,
    cell: ({ started }) => started && <TimeAndAge at={started} />,
  },
];

const EXPORTED = ["id", "event", "server", "code", "description", "username", "started", "completed", "elapsed"];
const removal = { needs: "delete_jobs", remove: (query: string) => api.bulkSearchDeleteJobs({ query }) };

const VIEWS = ["single", "event", "outputs"] as const;
type View = (typeof VIEWS)[number];

/** Finished jobs that match the query in the address: as a list, by event, or searched in their output. */
export function Finished() {
  const { q: query = "", group } = place.value.query;
  const view: View = VIEWS.find((one) => one === group) ?? "single";
  return (
    <Panel title={t("finished")} more={<Views view={view} />}>
      {view === "event" ? (
        <>
          <Filter query={query} />
          <ByEvent query={query} />
        </>
      ) : view === "outputs" ? (
        <>
          <Filter query={query} />
          <InOutputs query={query} />
        </>
      ) : (
        <OneByOne query={query} />
      )}
    </Panel>
  );
}

const Views = ({ view }: { readonly view: View }) => (
  <Segments
    label={t("views")}
    choices={VIEWS.map((value) => ({ value, title: t(`view.${value}`) }))}
    value={view}
    onInput={(next) => setQuery({ group: next === "single" ? undefined : next, sort: undefined, in: undefined })}
  />
);

interface FilterProps {
  readonly query: string;
  readonly error?: string | undefined;
}

const Filter = ({ query, error }: FilterProps) => (
  <FilterBar
    label={t("filter")}
    query={query}
    onQuery={(q) => setQuery({ q })}
    fields={fields()}
    placeholder={t("placeholder")}
    error={error}
  />
);

function OneByOne({ query }: { readonly query: string }) {
  const limit = useSignal(PAGE);
  const sort = place.value.query["sort"];
  const order = sort?.endsWith("elapsed") ? { sort_by: "elapsed", sort_dir: sort.startsWith("-") ? -1 : 1 } : {};
  const found = useLoad(
    `jobs ${query} ${sort} ${limit.value}`,
    () => api.searchJobs({ query: query || "*", limit: limit.value, ...order }),
    `${query} ${sort}`,
  );
  useFresh(found.reload);
  const chosen = useMemo(createSelection, []);
  const selection = can("tag_jobs") || can("delete_jobs") ? chosen : undefined;
  const error = found.error.value;
  return (
    <>
      <Filter query={query} error={error?.code === "api" ? error.description : undefined} />
      <WhenLoaded of={found} rows={10}>
        {(answer) => (
          <>
            <Rows answer={answer} query={query} sort={sort} limit={limit} selection={selection} />
            {selection && <Bulk selection={selection} reload={found.reload} />}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

interface RowsProps {
  readonly answer: Answer;
  readonly query: string;
  readonly sort: Sort | undefined;
  readonly limit: Signal<number>;
  /** Undefined if no action applies to several rows. */
  readonly selection: Selection | undefined;
}

function Rows({ answer: { rows, list }, query, sort, limit, selection }: RowsProps) {
  if (rows.length === 0 && query)
    return (
      <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
        {t("noMatch")}
      </Empty>
    );
  if (rows.length === 0) return <NoneInReach>{t("empty")}</NoneInReach>;
  return (
    <>
      <Table
        label={t("table")}
        columns={columns}
        rows={rows}
        total={list.length}
        question={`${query} ${sort} ${limit.value}`}
        sort={sort}
        onSort={(next) => setQuery({ sort: next })}
        {...(selection ? { selection } : {})}
        keyOf={(job) => job.id ?? ""}
        nameOf={jobName}
      />
      <footer class="tail">
        <LoadMore limit={limit} step={PAGE} shown={rows.length} all={list.length} />
        <span class="dim xs">{frame("ofAll", { shown: rows.length, all: list.length })}</span>
        <span class="grow" />
        <AllMatching index="jobs" query={query || "*"} total={list.length} columns={EXPORTED} removal={removal} />
      </footer>
    </>
  );
}

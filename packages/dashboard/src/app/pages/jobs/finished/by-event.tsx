import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { jobState } from "../../../data/jobs/job-state.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { Mark } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Empty, NoneInReach, WhenLoaded } from "../../../parts/basic/states.tsx";
import { RunStrip } from "../../../parts/charts/run-strip.tsx";
import { type Column, sorted, Table } from "../../../parts/lists/table.tsx";
import { termOf } from "../../../parts/query/terms.ts";
import { TIME_WIDTH, TimeAndAge } from "../../../parts/time.tsx";
import { href, place, setQuery } from "../../../router/router.ts";
import { number } from "../../../texts/format.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { useFresh } from "../fresh.ts";
import { t } from "../texts.ts";
import { groupsOf, type JobGroup } from "./grouped.ts";

/** Maximum number of jobs that are grouped, newest first; more would be megabytes. */
const MOST = 1000;
const SELECT = ["id", "event", "code", "elapsed", "completed"];
/** Number of runs in a strip. */
const STRIP = 30;

/** Address of the list of the group's jobs. */
const addressOf = ({ event }: JobGroup): string => {
  const { q = "" } = place.value.query;
  return href("/jobs", { q: `${q} ${termOf("event", event)}`.trim() });
};

function Strip({ group: { event, jobs } }: { readonly group: JobGroup }) {
  const runs = jobs.slice(0, STRIP).toReversed();
  const shown = runs.map((job) => ({ state: jobState({ ...job, final: true }), elapsed: job.elapsed ?? 0 }));
  return (
    <RunStrip
      runs={shown}
      most={STRIP}
      label={t("lastRuns", { name: titleOf("events", event) || t("parts"), n: runs.length })}
    />
  );
}

const columns: readonly Column<JobGroup>[] = [
  {
    key: "event",
    title: () => t("event"),
    sort: "event",
    cell: (group) => (
      <span class="cell">
        <Mark state={group.worst} />
        {group.event ? (
          <a class="whole cut" href={addressOf(group)} dir="auto">
            <b>{titleOf("events", group.event)}</b>
          </a>
        ) : (
          <span class="cut">{t("parts")}</span>
        )}
      </span>
    ),
  },
  { key: "runs", title: () => t("newestRuns"), rank: 2, width: "11.5rem", cell: (group) => <Strip group={group} /> },
  {
    key: "count",
    title: () => t("title"),
    sort: "count",
    isNumber: true,
    width: "6rem",
    cell: ({ jobs }) => number(jobs.length),
  },
  {
    key: "failed",
    title: () => t("result.error"),
    sort: "failed",
    isNumber: true,
    width: "7rem",
    cell: ({ failed }) => (failed > 0 ? <b>{number(failed)}</b> : <span class="dimmer">0</span>),
  },
  {
    key: "newest",
    title: () => t("newest"),
    sort: "newest",
    isNumber: true,
    rank: 3,
    width: TIME_WIDTH,
    cell: ({ jobs: [newest] }) => newest?.completed && <TimeAndAge at={newest.completed} />,
  },
];

const orders = {
  event: ({ event }: JobGroup) => titleOf("events", event) || t("parts"),
  count: ({ jobs }: JobGroup) => jobs.length,
  failed: ({ failed }: JobGroup) => failed,
  newest: ({ jobs }: JobGroup) => jobs[0]?.completed ?? 0,
};

/** One row per event: how many of its jobs match, how many failed, and the worst result. */
export function ByEvent({ query }: { readonly query: string }) {
  const sort = place.value.query["sort"];
  const found = useLoad(`jobs by event ${query}`, async (signal) => {
    const { rows, list } = await api.searchJobs({ query: query || "*", limit: MOST, select: SELECT }, { signal });
    return { groups: groupsOf(rows), read: rows.length, total: list.length };
  });
  useFresh(found.reload);
  return (
    <WhenLoaded of={found} rows={8}>
      {({ groups, read, total }) =>
        groups.length === 0 && !query ? (
          <NoneInReach>{t("empty")}</NoneInReach>
        ) : groups.length === 0 ? (
          <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
            {t("noMatch")}
          </Empty>
        ) : (
          <>
            <Table
              label={t("byEventTable")}
              columns={columns}
              rows={sorted(groups, sort, orders)}
              sort={sort}
              keyOf={({ event }) => event}
              onSort={(next) => setQuery({ sort: next })}
              question={`${query} ${sort}`}
            />
            {read < total && <p class="tail dim xs">{t("ofNewest", { read: number(read), total: number(total) })}</p>}
          </>
        )
      }
    </WhenLoaded>
  );
}

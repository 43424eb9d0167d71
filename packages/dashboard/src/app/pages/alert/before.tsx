import { useLoad } from "../../data/calls/load.ts";
import { readAll } from "../../data/calls/read-all.ts";
import { api, isAdmin } from "../../data/calls/session.ts";
import { jobName } from "../../data/jobs/job-name.ts";
import { isOver, jobState } from "../../data/jobs/job-state.ts";
import { personName } from "../../data/people/person-name.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { titleOf } from "../../data/records/lists.ts";
import { subjectOf } from "../../data/records/subjects.ts";
import { Mark, type StateName } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Time } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { actorOf, deedAbout, deedWords } from "../../texts/words/deeds.ts";
import { severityState } from "../alerts/state.ts";
import { t } from "../alerts/texts.ts";

interface Happened {
  readonly key: string;
  readonly at: number;
  /** Undefined for a change by a person. */
  readonly state?: StateName;
  readonly title: string;
  readonly why: string;
  /** Account or key that made the change, shown instead of a reason. */
  readonly by?: string;
  readonly path?: string;
}

const WINDOW = 2 * 3600;
const SHOWN = 8;
/** Rows per request. */
const MOST = 100;
/**
 * Upper bound on the rows read. A search matches dates only to the hour, so the answer may begin with rows from after
 * the firing, which are skipped.
 */
const MOST_PASSED = 1000;

/** Actions in the activity log that are not changes by a person. */
const QUIET = new Set(["alert_new", "alert_cleared", "user_login", "user_logout"]);

async function changes(invocation: Invocation, signal: AbortSignal): Promise<Happened[]> {
  if (!isAdmin()) return [];
  const { date } = invocation;
  const { id } = subjectOf(invocation);
  const rows = await readAll(
    (offset) => api.searchActivity({ query: `date:${windowOf(date)}`, limit: MOST, offset }, { signal }),
    (found) => found.length >= MOST_PASSED || found.filter(({ epoch }) => epoch <= date).length >= MOST,
  );
  return rows
    .filter(({ epoch, action, keywords = [] }) => {
      const isAbout = !/^server_/.test(action) || (keywords as readonly string[]).includes(id);
      return epoch <= date && epoch >= date - WINDOW && !QUIET.has(action) && isAbout;
    })
    .map((row) => ({
      key: `change ${row.id}`,
      at: row.epoch,
      why: "",
      by: actorOf(row),
      title: [deedWords(row), deedAbout(row)].filter(Boolean).join(": "),
    }));
}

/** Query for other firings on the same subject: "server:db_1", "event:backup". */
function queryOf(invocation: Invocation): string {
  const { type, id } = subjectOf(invocation);
  return `${type}:${id}`;
}

/** The two hours before, as a date range of a query. */
const windowOf = (date: number): string => `${Math.floor(date - WINDOW)}..${Math.ceil(date)}`;

async function alertsBefore(invocation: Invocation, signal: AbortSignal): Promise<Happened[]> {
  const { id: own, date } = invocation;
  const query = `${queryOf(invocation)} start:${windowOf(date)}`;
  const rows = await readAll(
    (offset) => api.searchAlerts({ query, limit: MOST, offset }, { signal }),
    (found) => found.length >= MOST_PASSED || found.filter((row) => row.date <= date).length > SHOWN,
  );
  return rows
    .filter((row) => row.id !== own && row.date <= date && row.date >= date - WINDOW)
    .map((row) => ({
      key: row.id,
      at: row.date,
      state: row.active ? severityState(row.severity) : "ok",
      path: `/alerts/${row.id}`,
      title: t(row.active ? "happenedAlert" : "happenedOver", { name: titleOf("alerts", row.alert) }),
      why: row.message,
    }));
}

async function jobsBefore(invocation: Invocation, signal: AbortSignal): Promise<Happened[]> {
  const { date, jobs } = invocation;
  const query = `${queryOf(invocation)} date:${windowOf(date)}`;
  const isBefore = ({ completed = 0 }: Job): boolean => completed <= date && completed >= date - WINDOW;
  const rows = await readAll(
    (offset) => api.searchJobs({ query, limit: MOST, offset }, { signal }),
    (found) => found.length >= MOST_PASSED || found.filter(isBefore).length >= SHOWN,
  );
  const ended = rows.filter(isBefore);
  const known = new Set(ended.map(({ id }) => id));
  const ran = await readJobs(
    jobs.filter((id) => !known.has(id)),
    signal,
  );
  return [
    ...ended.map((job) => of(job, job.completed ?? date, "happenedJob")),
    ...ran
      .filter(({ started = date }) => started <= date)
      .map((job) => of(job, job.started ?? date, "happenedRunning")),
  ];
}

type Job = Awaited<ReturnType<typeof api.searchJobs>>["rows"][number];

/** Reads jobs by id, running or finished. Jobs that are gone or that the viewer may not see are left out. */
async function readJobs(ids: readonly string[], signal: AbortSignal): Promise<readonly Job[]> {
  if (ids.length === 0) return [];
  const { jobs } = await api.getJobs({ ids: ids.slice(0, MOST) }, { signal });
  return jobs.flatMap((job) => ("err" in job ? [] : [job as Job]));
}

const of = (job: Job, at: number, text: "happenedJob" | "happenedRunning"): Happened => ({
  key: job.id ?? "",
  at,
  path: `/jobs/${job.id}`,
  state: jobState({ ...job, final: isOver(job) }),
  title: t(text, { name: jobName(job) }),
  why: String(job.description ?? ""),
});

async function readBefore(invocation: Invocation, signal: AbortSignal): Promise<readonly Happened[]> {
  const all = await Promise.all([changes, alertsBefore, jobsBefore].map((read) => read(invocation, signal)));
  return all
    .flat()
    .sort((left, right) => right.at - left.at)
    .slice(0, SHOWN);
}

function Line({ row: { at, state, title, why, by, path } }: { readonly row: Happened }) {
  const name = <b>{title}</b>;
  return (
    <li>
      {state ? (
        <Mark state={state} />
      ) : (
        <span class="mark">
          <Icon name="edit" />
        </span>
      )}
      <span dir="auto">{path && hasPage(path) ? <a href={href(path)}>{name}</a> : name}</span>
      <Time at={at} />
      {(why || by) && (
        <p class="cut" dir="auto">
          {by ? personName(by) : why}
        </p>
      )}
    </li>
  );
}

/** Changes, jobs and alerts of the two hours before the firing, newest first. */
export function Before({ invocation }: { readonly invocation: Invocation }) {
  const found = useLoad(`before ${invocation.id}`, (signal) => readBefore(invocation, signal));
  return (
    <section class="blk">
      <h3>{t("before")}</h3>
      <WhenLoaded of={found} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="say sm dim">{t("beforeNothing")}</p>
          ) : (
            <ol class="chain">
              {rows.map((row) => (
                <Line key={row.key} row={row} />
              ))}
            </ol>
          )
        }
      </WhenLoaded>
    </section>
  );
}

import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can, viewer } from "../../data/calls/session.ts";
import { hasEvent } from "../../data/jobs/job-name.ts";
import { isOver, jobState } from "../../data/jobs/job-state.ts";
import { personName } from "../../data/people/person-name.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Facts, Head, Pill, type StateName } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Menu, type MenuItem } from "../../parts/basic/menu.tsx";
import { Progress } from "../../parts/charts/gauges.tsx";
import { t as links } from "../../parts/ticket-links/texts.ts";
import { RunsFor } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { bytes, duration, percent, when } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { abort } from "../jobs/abort.ts";
import { ask, deleteJob, isDelayed, mailMe, openTicket, runAgain, startNow } from "./deeds.tsx";
import type { ShownJob } from "./index.tsx";
import { t } from "./texts.ts";

/** State, progress and the most important facts. Live values take precedence over the record. */
export function Summary({ job: record, title }: { readonly job: ShownJob; readonly title: string }) {
  const live = activeJobs.get(record.id)?.value;
  const job = (isOver(record) ? record : { ...record, ...live }) as ShownJob;
  const state = jobState(job);
  return (
    <>
      <Head title={title} state={<Pill state={state} />} actions={<Actions job={job} title={title} />} />
      <section class="panel hero" aria-label={t("result")}>
        {isOver(job) ? <Outcome job={job} /> : <HowFar job={job} title={title} />}
        <Facts facts={factsOf(job)} />
      </section>
    </>
  );
}

function HowFar({ job, title }: { readonly job: ShownJob; readonly title: string }) {
  const said = job["status"] ?? job["label"];
  const text = typeof said === "string" ? said : job.position && t("queue", { n: job.position });
  return (
    <div class="go">
      <b>{percent((job.progress ?? 0) * 100)}</b>
      <Progress label={title} value={job.progress ?? 0} />
      {text && (
        <span class="sm dim num" dir="auto">
          {text}
        </span>
      )}
    </div>
  );
}

const Outcome = ({ job }: { readonly job: ShownJob }) =>
  job.description ? (
    <p class="outcome" dir="auto">
      {job.code ? <b class="mono">{String(job.code)}</b> : null} {job.description}
    </p>
  ) : null;

const current = (usage: unknown): number | undefined => {
  const value = (usage as { readonly current?: number } | undefined)?.current;
  return typeof value === "number" ? value : undefined;
};

function factsOf(job: ShownJob) {
  const cpu = current(job["cpu"]);
  const memory = current(job["mem"]);
  const source = personName(job.username || job.source || "");
  return [
    job.server ? { name: t("server"), value: <ServerLink id={job.server} /> } : undefined,
    job.started
      ? { name: t("started"), value: source ? t("bySource", { time: when(job.started), source }) : when(job.started) }
      : undefined,
    isOver(job)
      ? { name: t("took"), value: duration(job.elapsed ?? 0) }
      : job.started
        ? { name: t("runsFor"), value: <RunsFor since={job.started} /> }
        : undefined,
    cpu === undefined ? undefined : { name: t("cpu"), value: percent(cpu) },
    memory === undefined ? undefined : { name: t("memory"), value: bytes(memory) },
    job.retry_count ? { name: t("attempt"), value: job.retry_count + 1 } : undefined,
    lastGoodOf(job),
  ];
}

const BAD: ReadonlySet<StateName> = new Set<StateName>(["fail", "crit", "abort"]);

const lastGoodOf = (job: ShownJob) =>
  BAD.has(jobState(job)) && hasEvent(job)
    ? { name: t("lastGood"), value: <LastGood event={job.event ?? ""} /> }
    : undefined;

/** The last successful run of an event, to compare a failed one with. */
function LastGood({ event }: { readonly event: string }) {
  const query = `event:${event} tags:_success`;
  const found = useLoad(`last good ${event}`, () =>
    api.searchJobs({ query, limit: 1, select: ["id", "completed"], sort_by: "completed", sort_dir: -1 }),
  );
  const answer = found.data.value;
  const [job] = answer?.rows ?? [];
  if (!job?.id) return <>{answer ? t("noneGood") : "…"}</>;
  return <a href={href(`/jobs/${job.id}`)}>{when(job.completed ?? 0)}</a>;
}

function ServerLink({ id }: { readonly id: string }) {
  const name = titleOf("servers", id);
  return hasPage(`/servers/${id}`) ? <a href={href(`/servers/${id}`)}>{name}</a> : name;
}

/** Actions on a job other than running it again or aborting it. */
function menuOf(job: ShownJob, title: string): readonly (MenuItem | false)[] {
  const hasEnded = isOver(job);
  const copy = () => act("copy id", { run: () => navigator.clipboard.writeText(job.id), done: frame("copied") });
  const runWith = t("runWithMenu");
  return [
    can("run_jobs") && isDelayed(job) && { title: t("startNow"), icon: "play", run: () => startNow(job, title) },
    !hasEnded &&
      can("") &&
      viewer.value?.kind === "user" && { title: t("mailMe"), icon: "mail", run: () => mailMe(job, title) },
    can("run_jobs") && hasEnded && hasEvent(job) && { title: runWith, icon: "play", run: () => ask("run", job.id) },
    can("tag_jobs") && hasEnded && { title: t("setTags"), icon: "tag", run: () => ask("tags", job.id) },
    // The subject is the event's title, which is known once the events are loaded.
    can("create_tickets") &&
      hasEnded &&
      listed("events") !== undefined && { title: t("openTicket"), icon: "ticket", run: () => openTicket(job, title) },
    can("edit_tickets") && hasEnded && { title: links("add"), icon: "ticket", run: () => ask("ticket", job.id) },
    { title: t("copyId"), icon: "copy", run: copy },
    can("delete_jobs") &&
      hasEnded && { title: t("delete"), icon: "trash", isDanger: true, run: () => deleteJob(job, title) },
  ];
}

function Actions({ job, title }: { readonly job: ShownJob; readonly title: string }) {
  return (
    <>
      {isOver(job) && hasEvent(job) && (
        <Action needs="run_jobs" deed={`retry ${job.id}`} icon="retry" run={() => runAgain(job, title, job["params"])}>
          {t("retry")}
        </Action>
      )}
      {!isOver(job) && (
        <Action
          needs="abort_jobs"
          deed={`abort ${job.id}`}
          kind="danger"
          run={() => abort({ ...job, started: job.started ?? 0, event: job.event ?? "" })}
        >
          {t("abort")}
        </Action>
      )}
      <Menu label={frame("actions")} items={menuOf(job, title)} />
    </>
  );
}

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { eventPath, hasEvent, jobName } from "../../data/jobs/job-name.ts";
import { isOver } from "../../data/jobs/job-state.ts";
import { useLive, usePage } from "../../data/live.ts";
import { listedOne } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Tabs } from "../../parts/basic/basic.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import type { PageProps } from "../page.ts";
import { Deeds } from "./deeds.tsx";
import { JobLog } from "./log/job-log.ts";
import { LogPanel } from "./log/panel.tsx";
import { Summary } from "./summary.tsx";
import { AfterTab } from "./tabs/after.tsx";
import { GraphTab } from "./tabs/graph-tab.tsx";
import { LoadTab } from "./tabs/load-tab.tsx";
import { DataTab, FilesTab, HistoryTab, type MetaRow, ParametersTab } from "./tabs/tabs.tsx";
import { t } from "./texts.ts";

/** Interval in seconds at which the states of a running graph are polled. */
const GRAPH_SEC = 2;

export type Shown = Awaited<ReturnType<typeof api.getJob>>;
export type ShownJob = Shown["job"] & { readonly id: string };

const TABS = ["graph", "log", "parameters", "data", "files", "load", "after", "history"] as const;
type Tab = (typeof TABS)[number];

/** The tab that a job opens with. A workflow writes no log of its own. */
const firstTab = (job: ShownJob): Tab => (job["type"] === "workflow" ? "graph" : "log");
const tabsOf = (job: ShownJob): readonly Tab[] => TABS.filter((name) => name !== "graph" || firstTab(job) === "graph");

/** One job: its state and its output. */
export function Page({ params: { id = "", tab: asked } }: PageProps) {
  const loaded = useLoad(`job ${id}`, () => api.getJob({ id }));
  const log = useMemo(() => new JobLog(id), [id]);
  const rows = useLiveJob(id, loaded, log);
  const shown = loaded.data.value;
  const isRunningGraph = shown?.job["type"] === "workflow" && !isOver(shown.job);
  usePolling(isRunningGraph ? GRAPH_SEC : undefined, loaded.reload);
  const title = (shown && jobName(shown.job)) || id;
  useCrumbs([
    { title: t("jobs"), href: href("/jobs") },
    ...(title === id ? [] : [eventCrumb(shown?.job, title)]),
    { title: id },
  ]);
  if (!shown) return <Missing of={loaded} gone={t("gone")} />;
  const job = {
    ...shown.job,
    id,
    activity: withRows(shown.job["activity"] as readonly MetaRow[] | undefined, rows),
  } as ShownJob;
  const tab = TABS.find((name) => name === asked) ?? firstTab(job);
  return (
    <>
      <Summary job={job} title={title} />
      <Deeds job={job} title={title} onChanged={loaded.reload} />
      <Tabs label={title} items={tabsOf(job).map((name) => tabOf(name, job, tab))} />
      <Content tab={tab} job={job} log={log} title={title} token={shown.token} onChanged={loaded.reload} />
    </>
  );
}

/** Links to the event if it still exists. */
function eventCrumb(job: Shown["job"] | undefined, title: string) {
  const event = job && hasEvent(job) ? listedOne("events", job.event) : undefined;
  const path = event ? eventPath(event) : "";
  return hasPage(path) ? { title, href: href(path) } : { title };
}

interface ContentProps {
  readonly tab: Tab;
  readonly job: ShownJob;
  readonly log: JobLog;
  readonly token: string;
  readonly onChanged: () => unknown;
  readonly title: string;
}

function Content({ tab, job, log, token, title, onChanged }: ContentProps) {
  if (tab === "graph") return <GraphTab job={job} title={title} />;
  if (tab === "parameters") return <ParametersTab job={job} />;
  if (tab === "data") return <DataTab job={job} />;
  if (tab === "files") return <FilesTab job={job} onChanged={onChanged} />;
  if (tab === "load") return <LoadTab job={job} />;
  if (tab === "after") return <AfterTab job={job} />;
  if (tab === "history") return <HistoryTab job={job} />;
  return <LogPanel log={log} job={job} token={token} title={title} />;
}

function tabOf(name: Tab, job: ShownJob, current: string) {
  const path = name === firstTab(job) ? `/jobs/${job.id}` : `/jobs/${job.id}/${name}`;
  return { href: href(path), title: t(name), count: countOf(name, job), isCurrent: name === current };
}

function countOf(name: Tab, job: ShownJob): number | undefined {
  const members =
    name === "parameters"
      ? Object.keys((job["params"] as object | undefined) ?? {})
      : name === "files"
        ? job["files"]
        : undefined;
  return Array.isArray(members) && members.length > 0 ? members.length : undefined;
}

/** Live messages that mean the record has changed and must be loaded again. */
const RELOADING: ReadonlySet<string> = new Set([
  ...["job_completed", "job_updated", "log_uploaded", "action_append", "limit_triggered"],
]);

/** Milestones of the record, plus those that arrived live since it was loaded. */
function withRows(known: readonly MetaRow[] = [], told: readonly MetaRow[]): readonly MetaRow[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...told.filter(({ id }) => !ids.has(id))];
}

/** Follows a job's record and log while its page is open. Returns the milestones that arrived live. */
function useLiveJob(id: string, loaded: Loaded<Shown>, log: JobLog): readonly MetaRow[] {
  const told = useMemo(() => signal<readonly MetaRow[]>([]), [id]);
  const shown = loaded.data.value?.job;
  useEffect(() => {
    if (shown) void log.load(isOver(shown));
  }, [log, shown !== undefined]);
  useEffect(() => log.stop, [log]);
  // Fetches lines written between the first answer and the opening of the live channel.
  useLive("login", () => {
    const job = loaded.data.peek()?.job;
    if (job && !isOver(job)) void log.load(false);
  });
  // After a reconnect: one of the missed messages may have been the end of the job.
  const readAgain = async (): Promise<void> => {
    await loaded.reload();
    const job = loaded.data.peek()?.job;
    if (job) await log.load(isOver(job));
  };
  useLive("back", () => void readAgain());
  usePage(`Job?id=${id}`, (cmd, data) => {
    if (cmd === "log_append") log.append(String(data["text"] ?? ""), data["end"] as number | undefined);
    if (RELOADING.has(cmd)) void loaded.reload();
    if (cmd === "job_completed" || cmd === "log_uploaded") void log.load(true);
    if (cmd === "meta_row") told.value = [...told.peek(), (data["row"] ?? data) as MetaRow];
  });
  return told.value;
}

import type { Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { titleOf } from "../../data/lists.ts";
import { usePage } from "../../data/live.ts";
import { type Loaded, useLoad } from "../../data/load.ts";
import { api } from "../../data/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Tabs } from "../../parts/basic.tsx";
import { Empty, Failed, Outline } from "../../parts/states.tsx";
import { href } from "../../router/router.ts";
import type { PageProps } from "../page.ts";
import { createJobLog, type JobLog } from "./job-log.ts";
import { LogPanel } from "./log-panel.tsx";
import { Summary } from "./summary.tsx";
import { DataTab, FilesTab, HistoryTab, ParametersTab } from "./tabs.tsx";
import { t } from "./texts.ts";

export type Shown = Awaited<ReturnType<typeof api.getJob>>;
export type ShownJob = Shown["job"] & { readonly id: string };

const TABS = ["log", "parameters", "data", "files", "history"] as const;
type Tab = (typeof TABS)[number];

/** One run of an event: how it stands, and what it wrote. */
export function Page({ params: { id = "", tab = "log" } }: PageProps) {
  const loaded = useLoad(`job ${id}`, () => api.getJob({ id }));
  const log = useMemo(() => createJobLog(id), [id]);
  useLiveJob(id, loaded, log);
  const shown = loaded.data.value;
  const title = titleOf("events", shown?.job.event) || id;
  useCrumbs([{ title: t("jobs"), href: href("/jobs") }, { title }, { title: id }]);
  const error = loaded.error.value;
  if (!shown && error?.code === "notfound") return <Empty>{t("gone")}</Empty>;
  if (!shown) return error ? <Failed error={error} onRetry={loaded.reload} /> : <Outline rows={10} />;
  const job = { ...shown.job, id } as ShownJob;
  return (
    <>
      <Summary job={job} title={title} />
      <Tabs label={title} items={TABS.map((name) => tabOf(name, job, tab))} />
      <Content tab={tab as Tab} job={job} log={log} token={shown.token} title={title} />
    </>
  );
}

interface ContentProps {
  readonly tab: Tab;
  readonly job: ShownJob;
  readonly log: JobLog;
  readonly token: string;
  readonly title: string;
}

function Content({ tab, job, log, token, title }: ContentProps) {
  if (tab === "parameters") return <ParametersTab job={job} />;
  if (tab === "data") return <DataTab job={job} />;
  if (tab === "files") return <FilesTab job={job} />;
  if (tab === "history") return <HistoryTab job={job} />;
  return <LogPanel log={log} job={job} token={token} title={title} />;
}

function tabOf(name: Tab, job: ShownJob, current: string) {
  const path = name === "log" ? `/jobs/${job.id}` : `/jobs/${job.id}/${name}`;
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

/** Follows a job as long as it is looked at: its record, its log, its milestones. */
function useLiveJob(id: string, loaded: Loaded<Shown>, log: JobLog): void {
  useEffect(() => {
    void log.load();
    return log.stop;
  }, [log]);
  usePage(`Job?id=${id}`, (cmd, data) => {
    if (cmd === "log_append") log.append(String(data["text"] ?? ""));
    if (cmd === "job_completed" || cmd === "job_updated" || cmd === "log_uploaded") void loaded.reload();
    if (cmd === "job_completed" || cmd === "log_uploaded") void log.load();
    if (cmd === "meta_row") patch(loaded.data as Signal<Shown | undefined>, loaded, data);
  });
}

function patch(data: Signal<Shown | undefined>, loaded: Loaded<Shown>, row: Record<string, unknown>): void {
  const shown = data.peek();
  const rows = (shown?.job["activity"] as unknown[] | undefined) ?? [];
  if (shown) loaded.set({ ...shown, job: { ...shown.job, activity: [...rows, row["row"] ?? row] } });
}

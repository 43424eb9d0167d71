import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { jobName } from "../../data/jobs/job-name.ts";
import { jobState } from "../../data/jobs/job-state.ts";
import { type ActiveJob, activeJobs, jobsRead, listedJobs } from "../../data/records/counts.ts";
import { titleOf } from "../../data/records/lists.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Failed, Outline } from "../../parts/basic/states.tsx";
import { Progress } from "../../parts/charts/gauges.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { RunsFor } from "../../parts/time.tsx";
import { href } from "../../router/router.ts";
import { percent } from "../../texts/format.ts";
import { abort } from "./abort.ts";
import { t } from "./texts.ts";

/** Columns of an active job. Live values have components of their own, so that only these cells are rendered again. */
export const runningColumns: readonly Column<string>[] = [
  { key: "event", title: () => t("event"), width: "34%", cell: (id) => <Name id={id} /> },
  { key: "server", title: () => t("server"), rank: 3, width: "14%", cell: (id) => <Where id={id} /> },
  { key: "progress", title: () => t("progress"), cell: (id) => <HowFar id={id} /> },
  { key: "for", title: () => t("runsFor"), isNumber: true, rank: 3, width: "6.5rem", cell: (id) => <Since id={id} /> },
  { key: "actions", title: "", isNumber: true, width: "6.5rem", cell: (id) => <Abort id={id} /> },
];

/** Returns a job, or its last known state if it has ended while its row is still shown. */
function useJob(id: string): ActiveJob | undefined {
  const last = useRef<ActiveJob | undefined>(undefined);
  last.current = activeJobs.get(id)?.value ?? last.current;
  return last.current;
}

function Name({ id }: { readonly id: string }) {
  const job = useJob(id);
  if (!job) return null;
  return (
    <span class="cell">
      <Mark state={jobState(job)} />
      <a class="whole cut" href={href(`/jobs/${id}`)} dir="auto">
        <b>{jobName(job)}</b>
      </a>
    </span>
  );
}

const Where = ({ id }: { readonly id: string }) => <span class="dim">{serverName(useJob(id)?.server)}</span>;

/** Title or host name of a server. */
export const serverName = (id: string | undefined): string => titleOf("servers", id);

function HowFar({ id }: { readonly id: string }) {
  const job = useJob(id);
  const value = job?.progress ?? 0;
  const said = job?.["status"] ?? job?.["label"];
  return (
    <span class="pc">
      <Progress label={job ? jobName(job) : id} value={value} />
      <span class="xs dim num">{percent(value * 100)}</span>
      <span class="xs dimmer cut hide-s" dir="auto">
        {typeof said === "string" ? said : ""}
      </span>
    </span>
  );
}

function Since({ id }: { readonly id: string }) {
  const started = useJob(id)?.started;
  return started ? <RunsFor since={started} /> : null;
}

/** Names that several active jobs have, one per line. It is a text so that a status that changes none of them renders no row. */
const shared = computed(() => {
  const names = listedJobs.value.map((id) => jobName(activeJobs.get(id)?.value ?? { id }));
  return names.filter((name, at) => names.indexOf(name) !== at).join("\n");
});

function Abort({ id }: { readonly id: string }) {
  const job = useJob(id);
  if (!job) return null;
  const name = jobName(job);
  // Two jobs of one event are told apart by their ids, also for people who hear the page.
  const label = t("abortNamed", { name: shared.value.split("\n").includes(name) ? `${name}, ${id}` : name });
  return (
    <Action needs="abort_jobs" deed={`abort ${id}`} kind="row" label={label} run={() => abort(job)}>
      {t("abort")}
    </Action>
  );
}

/** Shown while active jobs are not loaded: an error, or a placeholder. */
export function Unread() {
  const error = jobsRead.error.value;
  return error ? <Failed error={error} onRetry={jobsRead.reload} /> : <Outline rows={3} />;
}

/** Active jobs; nothing if there are none. */
export function Running() {
  const ids = listedJobs.value;
  if (jobsRead.data.value === undefined) return <Unread />;
  if (ids.length === 0) return null;
  return (
    <Panel title={t("running")} count={ids.length}>
      <Table label={t("runningTable")} columns={runningColumns} rows={ids} keyOf={(id) => id} question="" />
    </Panel>
  );
}

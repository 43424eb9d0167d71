import { defineCollection } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { tenantTerm } from "../../wire/tenant.ts";
import type {
  ActiveJob,
  FinalJob,
  Job,
  JobLaunch,
  JobLogChunk,
  JobStatsRow,
  JobTimelines,
  ServerPlace,
} from "./model.ts";
import { scopeOf } from "./start/rules/scope.ts";

/** Most characters of an indexed word: longer than any id, and short enough for every index. */
export const MAX_WORD = 256;
const word = (value: unknown): string[] =>
  typeof value === "string" && value !== "" ? [value.slice(0, MAX_WORD)] : [];
const words = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(word) : []);
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** Files that a job reads; they are kept as long as a job names them. */
function inputPaths(input: unknown): string[] {
  const { files } = (input ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.flatMap((file) => word((file as { path?: unknown } | null)?.path)) : [];
}

const isHead = ({ state, position = 0 }: Job): boolean => state === "queued" && position <= 1;

export const activeJobCollection = defineCollection<ActiveJob>({
  name: "active_jobs",
  noun: "Job",
  columns: {
    started: { type: "real", read: ({ job }) => number(job.started) },
    until: { type: "real", read: ({ job }) => number(job.until) },
    updated: { type: "real", read: ({ job }) => number(job.updated) },
    launched: { type: "real", read: ({ launched }) => launched },
  },
  terms: {
    event: ({ job }) => word(job.event),
    state: ({ job }) => [job.state],
    server: ({ job }) => word(job.server),
    scope: ({ job }) => word(scopeOf(job)),
    /** The line in which the job waits. Needed at the end of every job, so one look-up must suffice. */
    line: ({ job }) => (job.state === "queued" ? word(scopeOf(job)) : []),
    /** The first job in its line, so that not all queued jobs have to be read every second. */
    head: ({ job }) => (isHead(job) ? ["yes"] : []),
    priority: ({ job }) => (job.state === "queued" && job.priority ? ["yes"] : []),
    /** Waits for a person, so it is not checked every second. */
    suspended: ({ job }) => (job.suspended ? ["yes"] : []),
    node: ({ node }) => word(node),
    /** The engine watches over workflows, and finds their sub-jobs by the id of the workflow's job. */
    kind: ({ job }) => (job.type === "workflow" ? ["workflow"] : []),
    parent: ({ job }) => word(job.workflow?.["job"]),
    inputs: ({ details }) => inputPaths(details.input),
    tenant: ({ job }) => tenantTerm(job),
  },
});

export const jobCollection = defineCollection<FinalJob>({
  name: "jobs",
  noun: "Job",
  columns: {
    completed: { type: "real", read: (job) => number(job.completed) },
    elapsed: { type: "real", read: (job) => number(job.elapsed) },
  },
  terms: {
    code: (job) => word(String(job.code ?? 0)),
    event: (job) => word(job.event),
    category: (job) => word(job.category),
    plugin: (job) => word(job.plugin),
    server: (job) => word(job.server),
    source: (job) => word(job.source),
    tags: (job) => words(job.tags),
    groups: (job) => words(job.groups),
    tickets: (job) => words(job.tickets),
    targets: (job) => words(job.targets),
    type: (job) => word(job.type),
    /** Event of the workflow to which a job belongs, and the workflow's job. */
    workflow: (job) => word(job.workflow?.["event"]),
    parent: (job) => word(job.workflow?.["job"]),
    inputs: (job) => inputPaths(job.input),
    tenant: tenantTerm,
  },
});

/** Search fields of finished jobs (docs/contract/search.md#fields). */
export const jobSearch: SearchTable = {
  defaultField: "code",
  fields: {
    code: { kind: "keyword" },
    source: { kind: "keyword" },
    event: { kind: "keyword" },
    category: { kind: "keyword" },
    plugin: { kind: "keyword" },
    server: { kind: "keyword" },
    workflow: { kind: "keyword" },
    tenant: { kind: "keyword" },
    tags: { kind: "keywords" },
    groups: { kind: "keywords" },
    tickets: { kind: "keywords" },
    date: { kind: "hour", index: "completed" },
  },
  sorters: { completed: "completed", elapsed: "elapsed" },
};

export const jobLogChunkCollection = defineCollection<JobLogChunk>({
  name: "job_log_chunks",
  noun: "Job Log",
  terms: { job: ({ job }) => [job] },
});

export const jobLaunchCollection = defineCollection<JobLaunch>({
  name: "job_launches",
  noun: "Launch",
  columns: { created: { type: "real", read: ({ created }) => created } },
});

export const jobTimelinesCollection = defineCollection<JobTimelines>({ name: "job_timelines", noun: "Job Timelines" });

export const jobStatsCollection = defineCollection<JobStatsRow>({
  name: "job_stats",
  noun: "Job Statistics",
  // One row per period, from which the history is listed.
  terms: { kind: ({ id }) => (id.endsWith("/") ? ["period"] : []) },
});

export const serverPlaceCollection = defineCollection<ServerPlace>({
  name: "server_places",
  noun: "Server Place",
  terms: { node: ({ node }) => [node] },
});

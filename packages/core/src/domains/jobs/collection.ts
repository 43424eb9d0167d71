import { defineCollection } from "../../ports/collection.ts";
import type {
  ActiveJob,
  EventHistory,
  FinalJob,
  Job,
  JobLaunch,
  JobLogChunk,
  JobTimelines,
  LaunchRate,
} from "./model.ts";
import { scopeOf } from "./rules/scope.ts";

/** Longer words than any id do not fit into every index. */
const MAX_WORD = 256;
const word = (value: unknown): string[] =>
  typeof value === "string" && value !== "" ? [value.slice(0, MAX_WORD)] : [];
const words = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(word) : []);
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

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
    /** First in its line, so that nobody must read the whole of every queue each second. */
    head: ({ job }) => (isHead(job) ? ["yes"] : []),
    priority: ({ job }) => (job.state === "queued" && job.priority ? ["yes"] : []),
  },
});

export const jobCollection = defineCollection<FinalJob>({
  name: "jobs",
  noun: "Job",
  columns: {
    completed: { type: "real", read: (job) => number(job.completed) },
    started: { type: "real", read: (job) => number(job.started) },
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
  },
});

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

export const launchRateCollection = defineCollection<LaunchRate>({ name: "job_launch_rate", noun: "Launch Rate" });

export const eventHistoryCollection = defineCollection<EventHistory>({ name: "event_history", noun: "Event History" });

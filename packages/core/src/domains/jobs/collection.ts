import { defineCollection } from "../../ports/collection.ts";
import type { ActiveJob, EventHistory, FinalJob, JobLaunch, JobLogChunk, JobTimelines, LaunchRate } from "./model.ts";
import { scopeOf } from "./rules/scope.ts";

const word = (value: unknown): string[] => (typeof value === "string" && value !== "" ? [value] : []);
const words = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(word) : []);
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

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
    scope: ({ job }) => [scopeOf(job)],
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
    code: (job) => [String(job.code ?? 0)],
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

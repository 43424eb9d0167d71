import type { JobMask } from "../access/job-secrets.ts";
import type { ActiveJob, FinalJob, Job, JobDetails, MetaRow, ProcessSample, Timelines } from "../model.ts";
import { addMeta } from "./rules/meta.ts";
import { addSample, emptyTimelines } from "./rules/timelines.ts";

type Members = Readonly<Record<string, unknown>>;

/** Readings that are not stored yet. */
export interface Pending {
  readonly job: Members;
  readonly details: Members;
  /** Lines for the meta log. */
  readonly rows: readonly MetaRow[];
}

/** What this node keeps in memory about a running job, beyond the stored record. */
export interface LiveJob {
  readonly id: string;
  /** The record as this node last read or wrote it. */
  record: ActiveJob;
  pending: Pending;
  /** Readings that are being written. */
  writing: Pending | undefined;
  urgent: boolean;
  /** Unix seconds. */
  written: number;
  timelines: Timelines;
  /** When the timelines were last written, Unix seconds; 0 = never. */
  timelinesWritten: number;
  /** Names of members dropped from updates, each of which is reported once. */
  readonly dropped: Set<string>;
  /** Hides the values of the job's secrets; undefined = not known yet, so none of its output may be accepted. */
  mask: JobMask | undefined;
}

/** Readings of running jobs, kept in memory by the node to which their servers are connected. */
export interface LiveJobs {
  get(id: string): LiveJob | undefined;
  all(): readonly LiveJob[];
  isEmpty(): boolean;
  /** Creates or updates the entry of a job. */
  hold(record: ActiveJob): LiveJob;
  drop(id: string): void;
  /** Adds readings; every sign of life also sets `updated` and `remote`. */
  note(live: LiveJob, readings: Partial<Pending>, urgent: boolean): void;
  sample(live: LiveJob, procs: ProcessSample["procs"], conns: readonly unknown[], now: number): void;
  /** The record with everything that this node knows. */
  view(record: ActiveJob): ActiveJob;
  /** Takes the pending readings for a write; `settle` reports its outcome. */
  take(live: LiveJob): Pending;
  settle(live: LiveJob, outcome: { readonly record: ActiveJob | undefined; readonly now: number }): void;
  /** Marks a job whose launch message is sent by this process. */
  markSent(id: string): void;
  wasSentHere(id: string): boolean;
  /** Keeps the final record of an ephemeral job for a minute. */
  remember(job: FinalJob, now: number): void;
  remembered(id: string, now: number): FinalJob | undefined;
}

const NOTHING: Pending = { job: {}, details: {}, rows: [] };
const REMEMBER_SEC = 60;
const MAX_REMEMBERED = 1000;
/** Bound of the meta log (docs/contract/jobs.md#record). */
const MAX_ROWS = 1000;

export function createLiveJobs(): LiveJobs {
  const jobs = new Map<string, LiveJob>();
  const sent = new Set<string>();
  return {
    get: (id) => jobs.get(id),
    all: () => [...jobs.values()],
    isEmpty: () => jobs.size === 0,
    hold(record) {
      const known = jobs.get(record.id);
      if (known) {
        known.record = record;
        return known;
      }
      const live = newLiveJob(record);
      jobs.set(record.id, live);
      return live;
    },
    drop(id) {
      jobs.delete(id);
      sent.delete(id);
    },
    markSent: (id) => void sent.add(id),
    wasSentHere: (id) => sent.has(id),
    view(record) {
      const live = jobs.get(record.id);
      return live ? overlay(overlay(record, live.writing ?? NOTHING), live.pending) : record;
    },
    ...readings,
    ...createMemory(),
  };
}

/** Readings of a job, from an update until they are stored. */
const readings: Pick<LiveJobs, "note" | "sample" | "take" | "settle"> = {
  note(live, noted, urgent) {
    live.pending = merge(live.pending, { ...NOTHING, ...noted });
    live.urgent ||= urgent;
  },
  sample(live, procs, conns, now) {
    live.timelines = addSample(live.timelines, procs, conns, now);
  },
  take(live) {
    live.writing = merge(live.writing ?? NOTHING, live.pending);
    live.pending = NOTHING;
    live.urgent = false;
    return live.writing;
  },
  settle(live, { record, now }) {
    if (record) {
      live.record = record;
      live.written = now;
    } else live.pending = merge(live.writing ?? NOTHING, live.pending);
    live.writing = undefined;
  },
};

/** Final records that are not stored, for streams that are about to end. */
function createMemory(): Pick<LiveJobs, "remember" | "remembered"> {
  const ephemeral = new Map<string, { readonly job: FinalJob; readonly until: number }>();
  return {
    remember(job, now) {
      for (const [id, { until }] of ephemeral)
        if (until <= now || ephemeral.size >= MAX_REMEMBERED) ephemeral.delete(id);
      ephemeral.set(job.id, { job, until: now + REMEMBER_SEC });
    },
    remembered(id, now) {
      const found = ephemeral.get(id);
      return found && found.until > now ? found.job : undefined;
    },
  };
}

const newLiveJob = (record: ActiveJob): LiveJob => ({
  id: record.id,
  record,
  pending: NOTHING,
  writing: undefined,
  urgent: false,
  written: 0,
  timelines: emptyTimelines,
  timelinesWritten: 0,
  dropped: new Set(),
  mask: undefined,
});

const merge = (older: Pending, newer: Pending): Pending => ({
  job: { ...older.job, ...newer.job },
  details: { ...older.details, ...newer.details },
  rows: newer.rows.length === 0 ? older.rows : [...older.rows, ...newer.rows].slice(-MAX_ROWS),
});

/**
 * The record with readings merged over it. Once a job has ended, further reports of its agent are ignored, except for milestones.
 */
export function overlay(record: ActiveJob, { job, details, rows }: Pending): ActiveJob {
  if (record.job.state === "complete") return { ...record, details: addMeta(record.details, rows) };
  const changed = { ...record.details, ...details } as JobDetails;
  return { ...record, job: { ...record.job, ...job } as Job, details: addMeta(changed, rows) };
}

export const isPending = ({ pending: { job, details, rows } }: LiveJob): boolean =>
  rows.length > 0 || Object.keys(job).length > 0 || Object.keys(details).length > 0;

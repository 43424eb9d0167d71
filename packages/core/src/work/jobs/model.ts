import * as z from "zod";
import type { Reach } from "../../directory/access/model.ts";
import { Cause } from "../../wire/cause.ts";
import { Action, Limit } from "../../wire/entries/actions-and-limits.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { tenantField } from "../../wire/tenant.ts";
import type { Event } from "../events/model.ts";

const texts = z.array(z.string());
const open = z.record(z.string(), z.unknown());

/** One line of a job's meta log. `server` is a server id, or `m:` and the node's name. */
export const MetaRow = looseObject(() => ({ id: z.string(), epoch: z.number(), msg: z.string(), server: z.string() }));
export type MetaRow = z.infer<typeof MetaRow>;

/** Readings of processor (percent) or memory (bytes) over the life of a job. */
export const Usage = looseObject(() => ({
  min: z.number().optional(),
  max: z.number().optional(),
  total: z.number(),
  count: z.number(),
  current: z.number().optional(),
}));

/** The states of a job (docs/contract/jobs.md#states). */
export const JOB_STATES = [
  "start_delay",
  "retry_delay",
  "ready",
  "queued",
  "starting",
  "active",
  "finishing",
  "complete",
] as const;
export const JobState = z.enum(JOB_STATES);
export type JobState = z.infer<typeof JobState>;

/** A job that this one launched, and why: "action" or "retry". */
export const JobLink = looseObject(() => ({ id: z.string(), reason: z.string() }));

/** Members of a job beside its placement and its progress. */
const belongings = () => ({
  actions: z.array(Action).nullish(),
  limits: z.array(Limit).nullish(),
  /** Bytes of output. */
  log_file_size: z.number().optional(),
  log_uploaded: z.boolean().optional(),
  position: z.number().optional(),
  priority: z.unknown().optional(),
  retry_count: z.number().optional(),
  retry_prev: z.string().optional(),
  retried: z.boolean().optional(),
  retry_ok: z.boolean().optional(),
  jobs: z.array(JobLink).optional(),
  tickets: texts.nullish(),
  /** The job waits until a person lets it go on. */
  suspended: z.unknown().optional(),
  /** A test run, and whether it has actions and limits; `test_conditions` lists the conditions its actions may have. */
  test: z.unknown().optional(),
  test_actions: z.unknown().optional(),
  test_limits: z.unknown().optional(),
  test_conditions: z.unknown().optional(),
  /** Leaves no record when it succeeds. */
  ephemeral: z.unknown().optional(),
  /** Keeps alerts of its server back while it runs. */
  silence_alerts: z.unknown().optional(),
  /** Changes at the end of the job: to its event, and to an alert. */
  update_event: z.unknown().optional(),
  delete_event: z.unknown().optional(),
  clear_alert: z.unknown().optional(),
  /** The command that runs; for a function of the host program, its marker. */
  command: z.unknown().optional(),
  /** Of a workflow: graph and state; of its parts: `event`, `job` and `node` of the workflow. */
  workflow: open.optional(),
  /** Absent on jobs of old installations, like the two below. */
  cause: Cause.optional(),
  /** Version of the program on the node that launched it. */
  code_version: z.string().optional(),
  /** Moves when the parameters of its event are defined anew. */
  params_version: z.number().optional(),
});

/** One execution of an event (docs/contract/jobs.md#record). Times are Unix seconds with a fraction. */
export const Job = named(
  "Job",
  looseObject(() => ({
    id: z.string(),
    event: z.string(),
    state: JobState,
    type: z.string().optional(),
    category: z.string().optional(),
    plugin: z.string().optional(),
    /** scheduler, plugin, user, key, action, alert, workflow, magic or startup. */
    source: z.string().optional(),
    username: z.string().optional(),
    params: open.optional(),
    tags: texts.nullish(),
    targets: texts.optional(),
    algo: z.string().optional(),
    expression: z.string().optional(),
    /** Nominal time; may be past. */
    now: z.number().optional(),
    started: z.number(),
    /** End of a delay. */
    until: z.number().optional(),
    /** Last sign of life. */
    updated: z.number().optional(),
    completed: z.number().optional(),
    /** Seconds. */
    elapsed: z.number().optional(),
    /** 0, an exit code, or a lower-case word. */
    code: z.union([z.number(), z.string(), z.boolean()]).optional(),
    description: z.string().nullish(),
    complete: z.boolean().optional(),
    final: z.boolean().optional(),
    server: z.string().optional(),
    groups: texts.optional(),
    remote: z.boolean().optional(),
    /** 0 to 1. */
    progress: z.number().nullish(),
    /** Moves when table or HTML are to be drawn anew. */
    redraw: z.unknown().optional(),
    cpu: Usage.optional(),
    mem: Usage.optional(),
    ...belongings(),
    ...tenantField,
  })),
);
export type Job = z.infer<typeof Job>;

/** A job as operations answer it: callers may leave members out. */
export const ShownJob = looseObject(() => ({ ...Job.partial().shape, id: z.string() }));

/** The large part of an active job; merged into the record at the end. */
export const JobDetails = looseObject(() => ({
  activity: z.array(MetaRow),
  input: open.optional(),
  data: z.unknown().optional(),
  files: z.array(z.unknown()).optional(),
}));
export type JobDetails = z.infer<typeof JobDetails>;

/** A phase of actions is run by one node; the claim of a node that died ends by itself, by the clock that nodes share. */
export interface PhaseClaim {
  readonly node: string;
  /** Unix seconds. */
  readonly until: number;
}

/** A job that is not final yet, with members that the engine alone needs after a restart. */
export type ActiveJob = {
  id: string;
  readonly job: Job;
  readonly details: JobDetails;
  /** Unix seconds. Order in the queue; `job.started` moves on when the job becomes active. */
  readonly launched: number;
  /** When the launch message was about to be sent; it is never sent twice. */
  readonly dispatched?: number | undefined;
  /** Number of times that the chosen server was gone before the dispatch. */
  readonly misses?: number | undefined;
  /** The remote process was told to end at this time. */
  readonly aborting?: number | undefined;
  /** Reason of the abort; the agent's answer may state another. */
  readonly abortReason?: string | undefined;
  /** The job was let go from the queue before. */
  readonly waited?: boolean | undefined;
  /** `workflowData` that it was launched with; the details hold the data that the job gives back. */
  readonly workflowData?: unknown;
  /**
   * Conditions that the completion fires. Present once the end is stamped and the retry is decided; actions and the
   * final record remain then.
   */
  readonly conditions?: readonly string[] | undefined;
  /** The job waited while the engine was away: its servers may need a moment to come back. */
  readonly restored?: boolean | undefined;
  /** The job runs inside the process of this node and ends with it. */
  readonly node?: string | undefined;
  /** Handed to the node that its server is connected to; `at` in Unix seconds. */
  readonly routed?: { readonly node: string; readonly at: number } | undefined;
  readonly claim?: PhaseClaim | undefined;
  /** Start, within the log, of the output from a lost connection: bytes before it, and the line that marks it. */
  readonly gap?: { readonly from: number; readonly line: string } | undefined;
  /** Reach of the user or key that launched the job: its servers lie within, and jobs that it launches inherit it. */
  readonly reach?: Reach | undefined;
  /** Of a part of a workflow: the use of the controller that started it, which counts its end. */
  readonly activation?: string | undefined;
  /** When the process ended, as its satellite says. Unix seconds. */
  readonly reportedEnd?: number | undefined;
};

/** The final record: job and details in one (docs/contract/jobs.md#completion). */
export type FinalJob = Job &
  Partial<JobDetails> & {
    /** A short log. */
    readonly output?: unknown;
    readonly timelines?: Partial<Timelines>;
    /** Of a part of a workflow. */
    readonly workflowData?: unknown;
  };

/** Members that lists leave out unless asked for. */
export const VERBOSE_MEMBERS: readonly string[] = [
  "actions",
  "activity",
  "html",
  "limits",
  "procs",
  "conns",
  "table",
  "timelines",
  "input",
  "data",
  "files",
];

/** A slice of a running job's output. */
export type JobLogChunk = {
  id: string;
  readonly job: string;
  readonly text: string;
  /** Bytes of all output up to the end of this slice. */
  readonly endBytes: number;
};

/** Request for a launch (docs/contract/jobs.md#launch). Absent members come from the event. */
export interface LaunchRequest {
  readonly event: Event;
  readonly source: "scheduler" | "plugin" | "user" | "key" | "action" | "alert" | "workflow" | "magic" | "startup";
  /** Launcher for user and key; otherwise the event's author. */
  readonly username?: string;
  readonly overrides?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Names that were sent and are no parameters; the job's meta log tells of them. */
  readonly ignored?: readonly string[];
  readonly input?: Readonly<{ data?: Record<string, unknown>; files?: readonly Record<string, unknown>[] }>;
  /** Replaces the event's tags. */
  readonly tags?: readonly string[];
  /** Appended to the tags. */
  readonly addTags?: readonly string[];
  readonly targets?: readonly string[];
  /** Limits of the person or key that launches it; they bind the job until it ends. Absent = none. */
  readonly reach?: Reach | undefined;
  readonly parent?: Readonly<Record<string, unknown>>;
  /** Nominal time, Unix seconds. */
  readonly now?: number;
  /** Start no earlier, Unix seconds. */
  readonly until?: number;
  readonly stype?: string;
  /** The scheduler plugin that decided about the run. */
  readonly splugin?: string;
  readonly test?: boolean;
  /** The workflow that a sub-job belongs to, with its own graph where it is a workflow too. */
  readonly workflow?: Readonly<Record<string, unknown>>;
  /** Use of the controller that starts it. */
  readonly activation?: string | undefined;
  /** Invocation that is cleared when the job ends. */
  readonly clearAlert?: string;
  /** At most one job is ever launched per key: event + trigger + due second, or action + invocation. */
  readonly uniqueKey?: string;
  /** The job is one of many in this unit, which are inserted together by `JobLauncher.storeLaunched`. */
  readonly together?: boolean;
}

/** A launch that may happen once only. The id is the hash of its unique key. */
export type JobLaunch = { id: string; readonly job: string; readonly created: number };

/** One reading of the processes of a job, each second and each minute. */
export interface ProcessSample {
  readonly epoch: number;
  readonly procs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly conns?: readonly unknown[];
}
export interface Timelines {
  readonly second: readonly ProcessSample[];
  readonly minute: readonly ProcessSample[];
}
/** Timelines of an active job, kept apart because they are large and grow all the time. */
export type JobTimelines = { id: string } & Timelines;

/** Counters of a local day and one section: "2026-11-21/events/e1"; of the whole installation: "2026-11-21/". */
export type JobStatsRow = {
  id: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Unix seconds of the first count, on the row of the whole installation; of the last cut, on the row of cuts. */
  readonly epoch?: number;
};

/** The node that a server is connected to; the id is the server's. */
export type ServerPlace = {
  id: string;
  readonly node: string;
  /** Number of the connection: larger than all before it of this server. Nodes of an older release store none. */
  readonly epoch?: number;
};

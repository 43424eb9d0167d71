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

/** One line of a job's meta log. `server` is a server's id, or `m:` and the name of a node. */
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

/** A job that this job launched, and why: "action" or "retry". */
export const JobLink = looseObject(() => ({ id: z.string(), reason: z.string() }));

/** Members of a job other than its placement and its progress. */
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
  /** The job waits until a person resumes it. */
  suspended: z.unknown().optional(),
  /** A test run, and whether its actions and limits apply; `test_conditions` lists the conditions whose actions run. */
  test: z.unknown().optional(),
  test_actions: z.unknown().optional(),
  test_limits: z.unknown().optional(),
  test_conditions: z.unknown().optional(),
  /** Leaves no record when it succeeds. */
  ephemeral: z.unknown().optional(),
  /** Silences alerts of its server while it runs. */
  silence_alerts: z.unknown().optional(),
  /** Changes to be made at the end of the job: to its event, and to an alert. */
  update_event: z.unknown().optional(),
  delete_event: z.unknown().optional(),
  clear_alert: z.unknown().optional(),
  /** The command that runs; for functions of the host program, their marker. */
  command: z.unknown().optional(),
  /** For a workflow: graph and state. For its sub-jobs: `event`, `job` and `node` of the workflow. */
  workflow: open.optional(),
  /** Absent on jobs of older releases, like the two members below. */
  cause: Cause.optional(),
  /** Version of the program on the node that launched the job. */
  code_version: z.string().optional(),
  /** Changes when the parameters of its event are redefined. */
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
    /** Nominal time; may be in the past. */
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
    /** Changes when clients must redraw the table or the HTML. */
    redraw: z.unknown().optional(),
    cpu: Usage.optional(),
    mem: Usage.optional(),
    ...belongings(),
    ...tenantField,
  })),
);
export type Job = z.infer<typeof Job>;

/** The large part of an active job; merged into the record at its end. */
export const JobDetails = looseObject(() => ({
  activity: z.array(MetaRow),
  input: open.optional(),
  data: z.unknown().optional(),
  files: z.array(z.unknown()).optional(),
}));
export type JobDetails = z.infer<typeof JobDetails>;

/** One node runs a phase of actions; the claim of a dead node expires by the clock that all nodes share. */
export interface PhaseClaim {
  readonly node: string;
  /** Unix seconds. */
  readonly until: number;
}

/** A job that is not final, with members that only the engine needs after a restart. */
export type ActiveJob = {
  id: string;
  readonly job: Job;
  readonly details: JobDetails;
  /** Unix seconds. Determines the order in the line; `job.started`, in contrast, changes when the job becomes active. */
  readonly launched: number;
  /** When the launch message was about to be sent. It is never sent twice. */
  readonly dispatched?: number | undefined;
  /** Number of chosen servers that vanished before the dispatch. */
  readonly misses?: number | undefined;
  /** When the agent was asked to end the process. */
  readonly aborting?: number | undefined;
  /** Reason of the abort; the agent may report a different one. */
  readonly abortReason?: string | undefined;
  /** The job has left the line before. */
  readonly waited?: boolean | undefined;
  /** The `workflowData` of the launch; the details contain the data that the job returns. */
  readonly workflowData?: unknown;
  /**
   * Conditions that fire at the end. Present once the end is stored and the retry decided; only actions and the final record
   * remain then.
   */
  readonly conditions?: readonly string[] | undefined;
  /** The job waited while the engine was down, so its servers may need a moment to reconnect. */
  readonly restored?: boolean | undefined;
  /** The job runs inside the process of this node and ends with it. */
  readonly node?: string | undefined;
  /** The node to which its server is connected, and to which it was handed over; `at` in Unix seconds. */
  readonly routed?: { readonly node: string; readonly at: number } | undefined;
  readonly claim?: PhaseClaim | undefined;
  /** Start of the satellite's own log within the job's log: bytes before it, and the separator line. */
  readonly gap?: { readonly from: number; readonly line: string } | undefined;
  /** Reach of the user or key that launched the job: its servers must be within it, and jobs that it launches inherit it. */
  readonly reach?: Reach | undefined;
  /** For a sub-job: the activation of the controller that started it and counts its end. */
  readonly activation?: string | undefined;
  /** When the process ended according to its satellite. Unix seconds. */
  readonly reportedEnd?: number | undefined;
};

/** The final record: job and details combined (docs/contract/jobs.md#completion). */
export type FinalJob = Job &
  Partial<JobDetails> & {
    /** A short log. */
    readonly output?: unknown;
    readonly timelines?: Partial<Timelines>;
    /** For sub-jobs. */
    readonly workflowData?: unknown;
  };

/** Members that lists exclude unless they are requested. */
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

/** One chunk of a running job's output. */
export type JobLogChunk = {
  id: string;
  readonly job: string;
  readonly text: string;
  /** Bytes of all output up to the end of this chunk. */
  readonly endBytes: number;
};

/** Request for a launch (docs/contract/jobs.md#launch). Absent members are taken from the event. */
export interface LaunchRequest {
  readonly event: Event;
  readonly source: "scheduler" | "plugin" | "user" | "key" | "action" | "alert" | "workflow" | "magic" | "startup";
  /** For sources user and key, the launcher; otherwise the event's author. */
  readonly username?: string;
  readonly overrides?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Names that were sent but are not parameters; the job's meta log lists them. */
  readonly ignored?: readonly string[];
  readonly input?: Readonly<{ data?: Record<string, unknown>; files?: readonly Record<string, unknown>[] }>;
  /** Replaces the event's tags. */
  readonly tags?: readonly string[];
  /** Appended to the tags. */
  readonly addTags?: readonly string[];
  readonly targets?: readonly string[];
  /** Reach of the person or key that launches the job; applies until the job ends. Absent = unlimited. */
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
  /** The workflow to which a sub-job belongs; for a sub-workflow, also its graph. */
  readonly workflow?: Readonly<Record<string, unknown>>;
  /** Activation of the controller that starts the job. */
  readonly activation?: string | undefined;
  /** Invocation to clear when the job ends. */
  readonly clearAlert?: string;
  /** At most one job is ever launched per key: event + trigger + due second, or action + invocation. */
  readonly uniqueKey?: string;
  /** The job is one of many in this unit; `JobLauncher.storeLaunched` inserts them together. */
  readonly together?: boolean;
}

/** A launch that must happen only once. The id is the hash of its unique key. */
export type JobLaunch = { id: string; readonly job: string; readonly created: number };

/** One sample of a job's processes, taken each second and each minute. */
export interface ProcessSample {
  readonly epoch: number;
  readonly procs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly conns?: readonly unknown[];
}
export interface Timelines {
  readonly second: readonly ProcessSample[];
  readonly minute: readonly ProcessSample[];
}
/** Timelines of an active job, stored separately because they are large and grow continuously. */
export type JobTimelines = { id: string } & Timelines;

/** Counters of a local day for one section, "2026-11-21/events/e1", or for the whole installation, "2026-11-21/". */
export type JobStatsRow = {
  id: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Unix seconds: of the first count, in the row of the whole installation; of the last cut, in the row of cuts. */
  readonly epoch?: number;
};

/** The node to which a server is connected; the id is the server's. */
export type ServerPlace = {
  id: string;
  readonly node: string;
  /** Number of the connection, larger than all earlier ones of this server. Nodes of an older release store none. */
  readonly epoch?: number;
};

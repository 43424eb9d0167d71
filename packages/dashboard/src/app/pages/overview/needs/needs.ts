import type { OnSubject } from "../../../data/records/subjects.ts";
import type { StateName } from "../../../parts/basic/basic.tsx";
import { severityState } from "../../alerts/state.ts";

/** Something that needs a person. */
export interface Need {
  readonly key: string;
  readonly state: StateName;
  /** Since when, in Unix seconds. */
  readonly since: number;
  readonly about: NeedOf;
}

export type NeedOf =
  | { readonly kind: "alert"; readonly invocation: FiringAlert }
  | { readonly kind: "job"; readonly job: FailedJob }
  | { readonly kind: "stuck"; readonly job: StuckJob; readonly reason: StuckReason }
  | { readonly kind: "server"; readonly server: GoneServer }
  | { readonly kind: "ticket"; readonly ticket: DueTicket };

export interface FiringAlert extends OnSubject {
  readonly id: string;
  readonly alert: string;
  readonly groups: readonly string[];
  readonly date: number;
  readonly message: string;
  readonly severity?: string | undefined;
  readonly acknowledged?: unknown;
}

export interface FailedJob {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly server?: string | undefined;
  readonly completed?: number | undefined;
  readonly code?: unknown;
  readonly description?: string | null | undefined;
  readonly retried?: boolean | undefined;
  readonly retry_ok?: boolean | undefined;
  readonly params?: unknown;
}

export interface StuckJob {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly started: number;
  readonly server?: string | undefined;
  readonly progress?: number | null | undefined;
  readonly remote?: boolean | undefined;
  readonly suspended?: unknown;
  readonly updated?: number | undefined;
}
/** Why a job is stuck: it waits for a person to resume it, its server is silent, or it has been queued for long. */
export type StuckReason = "suspended" | "silent" | "queued";

export interface GoneServer {
  readonly id: string;
  readonly hostname: string;
  readonly modified: number;
  readonly enabled?: boolean | null | undefined;
  readonly online: boolean;
}

export interface DueTicket {
  readonly id: string;
  readonly num?: number | undefined;
  readonly subject: string;
  readonly due: number | "";
}

export interface Facts {
  /** Unix seconds. */
  readonly now: number;
  readonly firing: readonly FiringAlert[];
  /** Failed jobs, newest first. */
  readonly failed: readonly FailedJob[];
  /** When each event last succeeded, in Unix seconds. */
  readonly goodSince: ReadonlyMap<string, number>;
  readonly active: readonly StuckJob[];
  readonly servers: readonly GoneServer[];
  readonly overdue: readonly DueTicket[];
  /** True if a silence holds back the notices about a firing. */
  readonly isSilenced: (invocation: FiringAlert) => boolean;
}

const ORDER: readonly StateName[] = ["crit", "fail", "gone", "warn", "info", "wait"];
/** Jobs usually leave the line within minutes; a longer wait is a problem. */
const LONG_WAIT_SEC = 900;
/** The engine gives up a silent job after two minutes; it is shown before that. */
const SILENT_SEC = 60;

/**
 * Everything that needs a person, worst first: alerts that are neither acknowledged nor silenced, events whose latest
 * run failed, stuck jobs, offline servers, overdue tickets.
 */
export function needsOf(facts: Facts): Need[] {
  const all = [...alertNeeds(facts), ...jobNeeds(facts), ...stuckNeeds(facts), ...serverNeeds(facts)];
  return [...all, ...ticketNeeds(facts)].sort(
    (left, right) => ORDER.indexOf(left.state) - ORDER.indexOf(right.state) || right.since - left.since,
  );
}

const alertNeeds = ({ firing, isSilenced }: Facts): Need[] =>
  firing
    .filter((invocation) => !invocation.acknowledged && !isSilenced(invocation))
    .map((invocation) => ({
      key: `alert ${invocation.id}`,
      state: severityState(invocation.severity),
      since: invocation.date,
      about: { kind: "alert", invocation },
    }));

/**
 * Skips failures that were followed by another attempt or a later success. Skips sub-jobs, because their workflow
 * reports them.
 */
function jobNeeds({ failed, goodSince }: Facts): Need[] {
  const seen = new Set<string>();
  return failed.flatMap((job): Need[] => {
    const { event = "", completed = 0 } = job;
    if (event === "" || seen.has(event)) return [];
    seen.add(event);
    if (job.retried || job.retry_ok || (goodSince.get(event) ?? 0) > completed) return [];
    const state = job.code === "critical" ? "crit" : "fail";
    return [{ key: `job ${job.id}`, state, since: completed, about: { kind: "job", job } }];
  });
}

/** Why a job is stuck, or undefined. */
function stuckReason(job: StuckJob, now: number): StuckReason | undefined {
  if (job.suspended) return "suspended";
  if (job.state === "queued") return now - job.started > LONG_WAIT_SEC ? "queued" : undefined;
  const isSilent = job.remote === false && now - (job.updated ?? job.started) > SILENT_SEC;
  return isSilent && (job.state === "active" || job.state === "finishing") ? "silent" : undefined;
}

const stuckNeeds = ({ active, now }: Facts): Need[] =>
  active.flatMap((job): Need[] => {
    const reason = stuckReason(job, now);
    const since = reason === "silent" ? (job.updated ?? job.started) : job.started;
    return reason ? [{ key: `stuck ${job.id}`, state: "warn", since, about: { kind: "stuck", job, reason } }] : [];
  });

/** Skips disabled servers, which are expected to be offline. */
const serverNeeds = ({ servers }: Facts): Need[] =>
  servers
    .filter(({ enabled, online }) => enabled && !online)
    .map((server) => ({
      key: `server ${server.id}`,
      state: "gone",
      since: server.modified,
      about: { kind: "server", server },
    }));

const ticketNeeds = ({ overdue }: Facts): Need[] =>
  overdue.map((ticket) => ({
    key: `ticket ${ticket.id}`,
    state: "wait",
    since: Number(ticket.due),
    about: { kind: "ticket", ticket },
  }));

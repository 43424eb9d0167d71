import * as z from "zod";
import { SEVERITIES } from "../../fleet/alerts/rules/definition/severity.ts";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { updateMembers } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { shownMembers } from "../../wire/schemas/shown-members.ts";

const Trigger = z.record(z.string(), z.unknown());
const Times = z.union([z.string(), Trigger, z.array(Trigger)]);

/** Work elsewhere that calls an address when it is done (docs/contract/events.md#heartbeats). Ours. */
export const Heartbeat = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Falsy = not judged. */
  enabled: Flag.nullish(),
  category: z.string(),
  tags: z.array(z.string()).nullish(),
  /** Id of the server on which the work runs. */
  server: z.string().nullish(),
  /** Severity of alerts on the heartbeat; overrides the severity of the alerts. */
  severity: z.enum(SEVERITIES).nullish(),
  /** Longest time between successes in seconds; absent = the schedule determines the times. */
  every: z.number().nullish(),
  /** A cron pattern, or the members of one or more triggers. */
  schedule: Times.nullish(),
  /** Time zone of the schedule; absent = the configured one. */
  timezone: z.string().nullish(),
  /** Seconds by which a success may be late; absent = 300. */
  grace: z.number().nullish(),
  /** Seconds after its time within which the work must begin; absent = starts are not expected. */
  start_grace: z.number().nullish(),
  /** Seconds that a run may take from its start; absent = unlimited. */
  finish_within: z.number().nullish(),
  /** A success whose text contains one of these counts as a failure. */
  fail_words: z.array(z.string()).nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Heartbeat = z.infer<typeof Heartbeat>;

/** Further members are checked by `heartbeatFault`, whose errors carry the domain's code. */
const further = {
  ...shownMembers(Heartbeat, ["enabled", "category", "tags", "server", "severity", "schedule", "timezone"]),
  ...shownMembers(Heartbeat, ["fail_words", "icon", "notes"]),
};
/** A duration may be a text such as "26 hours". */
const Seconds = z.union([z.number(), z.string()]);
const times = {
  every: Seconds.nullish(),
  grace: Seconds.nullish(),
  start_grace: Seconds.nullish(),
  finish_within: Seconds.nullish(),
};
export const CreateHeartbeat = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  ...times,
  ...further,
}));
export type CreateHeartbeat = z.infer<typeof CreateHeartbeat>;
export const UpdateHeartbeat = looseObject(() => ({ ...updateMembers, ...times, ...further }));

/** Kinds of ping: the meaning of a call of the address. */
const PING_KINDS = ["success", "fail", "start", "alive", "log"] as const;

/** One call of the address. */
export const Ping = object(() => ({
  kind: z.enum(PING_KINDS),
  /** Unix seconds. */
  date: z.number(),
  /** Exit status of the work, if known. */
  exit: z.number().optional(),
  /** Distinguishes concurrent runs. */
  run: z.string().optional(),
  ip: z.string(),
  /** Beginning of the body. */
  body: z.string().optional(),
}));
export type Ping = z.infer<typeof Ping>;

/** A ping in its stored form. */
export type KeptPing = Ping & { id: string };

/** State of a heartbeat, stored separately from its definition; the id is the heartbeat's. Times are Unix seconds. */
export interface Beat {
  id: string;
  /** Since when the heartbeat is judged; null = it is not judged. */
  readonly from: number | null;
  readonly last?: number;
  readonly success?: number;
  /** Time of the last sign that work began: a start, a success or a failure. */
  readonly begun?: number;
  /** The last run ended in failure. */
  readonly failed: boolean;
  readonly exit?: number;
  /** Runs that have begun but not ended; each sign of life updates `since`. */
  readonly runs: readonly { readonly run: string; readonly since: number }[];
  /** Calls so far. */
  readonly count: number;
  readonly latest?: Ping;
}

/** Maps the hash of a token, which is the id, to its heartbeat. */
export interface HeartbeatToken {
  id: string;
  readonly heartbeat: string;
}

/** Values that expressions of alerts on heartbeats read (docs/contract/alerts.md#heartbeats). */
export interface BeatSight extends Readonly<Record<string, unknown>> {
  readonly beat: {
    /** No call has come yet, so nothing is late. */
    readonly new: boolean;
    readonly late_sec: number;
    /** Seconds by which a start is late; 0 = not late, or starts are not expected. */
    readonly not_started_sec: number;
    readonly overtime_sec: number;
    readonly failed: boolean;
    readonly exit?: number | undefined;
    /** Unix seconds. */
    readonly last?: number | undefined;
    readonly last_success?: number | undefined;
    readonly running: number;
  };
  readonly heartbeat: {
    readonly id: string;
    readonly title: string;
    readonly category: string;
    readonly tags: readonly string[];
    readonly server?: string;
  };
}

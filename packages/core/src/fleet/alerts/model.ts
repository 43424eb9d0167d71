import * as z from "zod";
import { Cause } from "../../wire/cause.ts";
import { Action } from "../../wire/entries/actions-and-limits.ts";
import { Flag, Id } from "../../wire/fields/fields.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { tenantField } from "../../wire/tenant.ts";
import { SilencedBy } from "../silences/model.ts";
import { SEVERITIES } from "./rules/definition/severity.ts";
import { NoticeHold, Telling, ToldTo } from "./telling.ts";

/** A condition over the minute data of each server, with its actions (docs/contract/alerts.md#definition). */
export const Alert = looseObject(() => ({
  id: Id,
  title: z.string(),
  /**
   * "presence" = about servers that do not report, "event" = about events whose jobs are expected, "heartbeat" = about work
   * elsewhere, "check" = about addresses that are asked, all looked at by the clock; absent or "server" = about minutes of servers.
   */
  subject: z.string().nullish(),
  /** Truthy = the condition holds. */
  expression: z.string(),
  /** Template. */
  message: z.string(),
  /** Falsy = not evaluated. */
  enabled: Flag.nullish(),
  /** Minutes of warming up and of cooling down. */
  samples: z.int().min(1).nullish(),
  /** "info", "warning" or "critical"; absent = "warning". Ours. */
  severity: z.string().nullish(),
  /** Seconds without a break that the condition must hold before it fires, besides `samples`. Ours. */
  for: z.number().nullish(),
  /** Least seconds from the last true sample to the clearing. Ours. */
  keep_firing_for: z.number().nullish(),
  /** Truthy = over; absent = over as soon as the condition does not hold. Ours. */
  recovery: z.string().nullish(),
  /** Meaning of an expression that fails: "false", or "keep" = the sample is ignored; absent = "false". Ours. */
  on_error: z.string().nullish(),
  /** Effect of the server's silence on a live one: "stale" ends it, "keep" leaves it; absent = "stale". Ours. */
  no_data: z.string().nullish(),
  actions: z.array(Action).nullish(),
  /** Empty = every server. */
  groups: z.array(z.string()).nullish(),
  /** Categories of the subjects that it is for, and tags of which they have one; empty = every subject. Ours. */
  categories: z.array(z.string()).nullish(),
  subject_tags: z.array(z.string()).nullish(),
  /** Chart overlay only. */
  monitor_id: z.string().nullish(),
  /** While active, the server is not chosen for new jobs. */
  limit_jobs: Flag.nullish(),
  /** On firing, jobs on the server are aborted. */
  abort_jobs: Flag.nullish(),
  /** Actions of groups and of the configuration are left out. */
  exclusive_actions: Flag.nullish(),
  /** Minutes after which the actions of a firing run again, as long as it is live; 0 or absent = never. */
  repeat_minutes: z.number().nullish(),
  /** Alerts of one family on one server are grades of one problem: the worst is told. Absent = `monitor_id`. Ours. */
  family: z.string().nullish(),
  /** Seconds after the firing before which it is not told. Ours. */
  notice_after: z.number().nullish(),
  /** Firings within `flap_window` seconds with which it is told as flapping; 0 = never. Ours. */
  flap_count: z.number().nullish(),
  flap_window: z.number().nullish(),
  /**
   * Ids of alerts: while one is live on the server, or on one that the server depends on, this one is not told. Ours.
   */
  depends_on: z.array(z.string()).nullish(),
  /** Ids of alerts that are not told while this one is live on the server. Ours. */
  inhibits: z.array(z.string()).nullish(),
  /** While it is live, alerts on places that depend on the server are not told. Ours. */
  outage: Flag.nullish(),
  /** Tags for silences to match. */
  tags: z.array(z.string()).nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...tenantField,
  ...stampFields,
}));
export type Alert = z.infer<typeof Alert>;

/** Types of subjects, beside servers, that alerts fire on. */
export const SUBJECT_TYPES = ["event", "heartbeat", "check"] as const;
export const Subject = object(() => ({
  type: z.enum(SUBJECT_TYPES),
  id: z.string(),
  title: z.string(),
  /** Severity in place of the alert's own. */
  severity: z.enum(SEVERITIES).optional(),
}));
export type Subject = z.infer<typeof Subject>;

/** A person has taken an invocation over: its notifications end. */
export const Acknowledgement = object(() => ({
  /** Name of a user or key, or `link:<receiver>` for a link in a notice that names no user. */
  username: z.string(),
  /** The name that a person typed who came by such a link. */
  name: z.string().optional(),
  /** Id of the receiver by whose link it came; absent = by no link. Ours. */
  link: z.string().optional(),
  /** Unix seconds. */
  date: z.number(),
  comment: z.string(),
  /** The clearing is told all the same. */
  notify_cleared: z.boolean(),
  /** Unix seconds at which it ends by itself; absent = until the firing is over. Ours. */
  expires: z.number().optional(),
}));
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** Actions that were not run, and why. */
export const Suppression = object(() => ({
  condition: z.enum(["alert_new", "alert_cleared"]),
  /** Unix seconds of the first and the last time for the same reason. */
  date: z.number(),
  last: z.number(),
  /** Number of times. */
  count: z.number(),
  by: SilencedBy,
}));
export type Suppression = z.infer<typeof Suppression>;

/** Payload of a queued notification. */
export const Notification = object(() => ({
  invocation: z.string(),
  condition: z.enum(["alert_new", "alert_cleared"]),
  /** Jobs on the server when it fired. */
  active_jobs: z.array(z.object({ id: z.string(), event: z.string() })).optional(),
  /** Number of the repetition; absent = the firing itself. */
  round: z.int().positive().optional(),
  /** Seconds from the first true sample to the clearing. */
  elapsed: z.number().optional(),
  /** The firing is told late: the hold that kept it back until now. */
  late: SilencedBy.optional(),
  /** The alert ended for want of data, which is no all-clear. */
  stale: z.boolean().optional(),
}));
export type Notification = z.infer<typeof Notification>;

/** A firing that was held back. */
const Untold = object(() => ({
  /** Unix seconds. */
  since: z.number(),
  by: SilencedBy,
  /** Unix seconds since when no hold keeps it back any more. */
  free: z.number().optional(),
  /** It is about to be told. */
  queued: z.boolean().optional(),
}));

/** One firing of an alert on one server, event, heartbeat or check (docs/contract/alerts.md#invocation). */
export const Invocation = named(
  "Invocation",
  looseObject(() => ({
    id: z.string(),
    alert: z.string(),
    /** "" when the subject is no server. */
    server: z.string(),
    /** Absent = the server. Ours. */
    subject: Subject.optional(),
    /** Category of the subject. Ours. */
    category: z.string().optional(),
    /** Unix seconds of the first true sample. */
    date: z.number(),
    active: z.boolean(),
    /** Unix seconds. */
    modified: z.number(),
    tickets: z.array(z.string()),
    /** Expression at the first true sample. */
    exp: z.string(),
    message: z.string(),
    /** Severity of the definition when it fired; absent on invocations of old installations. Ours. */
    severity: z.string().optional(),
    count: z.number(),
    notified: z.boolean(),
    /** Groups of the server when it fired. */
    groups: z.array(z.string()),
    /** Jobs on the server when it fired, and those sent there since. */
    jobs: z.array(z.string()),
    /** Actions that ran, with their results. */
    actions: z.array(Action).optional(),
    /** Ended because the server fell silent. */
    stale: z.boolean().optional(),
    /** Cause of the end where it was no sample, in words: "was disabled by ann". Ours. */
    ended_by: z.string().optional(),
    /** It fired while the alert came and went too often on its subject (docs/contract/notices.md#flapping). Ours. */
    flapping: z.boolean().optional(),
    /** Unix seconds of the firing; absent on invocations of old installations. Ours. */
    fired: z.number().optional(),
    /** Unix seconds of the firing or of the last repetition. */
    noticed: z.number().optional(),
    /** Number of times that the actions of the firing were due again. */
    repeats: z.number().optional(),
    acknowledged: Acknowledgement.optional(),
    /** Id of an earlier invocation whose end was not told: its notices count for this one. Ours. */
    continues: z.string().optional(),
    /** The hold that keeps notices back now; absent = none. Not stored. Ours. */
    held: NoticeHold.optional(),
    /** The receivers that were told. Not stored. Ours. */
    told: z.array(ToldTo).optional(),
    suppressed: z.array(Suppression).optional(),
    /** It was decided which actions the firing runs. */
    decided: z.boolean().optional(),
    /** Present while the firing is not told yet: the hold, and its begin. */
    untold: Untold.optional(),
    /** A clearing that waits for the end of the snooze. */
    owed: Notification.optional(),
    /** Absent on invocations of old installations. */
    cause: Cause.optional(),
    /** Version of the program on the node that evaluated it; absent likewise. */
    code_version: z.string().optional(),
    ...tenantField,
  })),
);
export type Invocation = z.infer<typeof Invocation>;

/** The last evaluation of an alert on a server, and its outcome. */
export const Explanation = object(() => ({
  /** "" when the subject is no server. */
  server: z.string(),
  hostname: z.string(),
  /** Absent = the server. Ours. */
  subject: Subject.optional(),
  /** Unix seconds of the minute that was evaluated; absent = there is none. */
  date: z.number().optional(),
  enabled: z.boolean(),
  /** The server is in one of the groups of the alert, or the alert has none. */
  in_scope: z.boolean(),
  /** Values that the expression reads; null = the minute has no such reading. Long values are cut. */
  readings: z.array(z.object({ path: z.string(), value: z.unknown() })),
  /** Result of the current expression. */
  result: z.boolean(),
  error: z.string().optional(),
  message: z.string(),
  state: z.enum(["idle", "warming", "live", "cooling"]),
  /** True minutes that count. */
  count: z.number(),
  /** Needed to fire. */
  samples: z.number(),
  /** It comes and goes too often just now. Ours. */
  flapping: z.boolean().optional(),
  /** The live one, or the newest. */
  invocation: Invocation.optional(),
  /** The hold that keeps notifications back now. */
  silenced_by: SilencedBy.optional(),
  /** Reason why it did not fire, or why no notice was sent. */
  reason: z.string(),
  /** State of the live firing's notices to each receiver. Ours. */
  notices: z.array(Telling).optional(),
}));
export type Explanation = z.infer<typeof Explanation>;

/** The part of an alert's state that samples move (docs/contract/alerts.md#samples). */
export interface Streak {
  /** Id that the invocation has, or will have. */
  readonly invocation: string;
  /** Unix seconds of the first true sample. */
  readonly date: number;
  readonly exp: string;
  readonly message: string;
  readonly count: number;
  /** It fired. */
  readonly notified: boolean;
  /** Unix seconds of the last sample. */
  readonly modified: number;
  /** Unix seconds since when the condition has held without a break; absent = it did not at the last sample. */
  readonly true_since?: number | undefined;
  /** Unix seconds of the last true sample; absent on states of old installations. */
  readonly last_true?: number | undefined;
}

/** State of an alert on a server: warming up, live or cooling down. The id is server and alert. */
export interface AlertState extends Streak {
  id: string;
  /** Id of the server; type and id of another subject: "event:e1". */
  readonly server: string;
  readonly alert: string;
  /** Unix seconds of the last copy into the invocation. */
  readonly copied: number;
}

export const stateKey = (server: string, alert: string): string => `${server}-${alert}`;

export type Condition = "alert_new" | "alert_cleared";

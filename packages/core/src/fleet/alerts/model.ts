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
   * Kind of subject; absent or "server" = minutes of servers, evaluated when they arrive. All others are evaluated by
   * the clock: "presence" = servers that may stop reporting, "event" = events whose jobs are expected, "heartbeat" =
   * work elsewhere that calls in, "check" = addresses that are probed.
   */
  subject: z.string().nullish(),
  /** Truthy = the condition holds. */
  expression: z.string(),
  /** Template. */
  message: z.string(),
  /** Falsy = disabled. */
  enabled: Flag.nullish(),
  /** Number of minutes for warming up and for cooling down. */
  samples: z.int().min(1).nullish(),
  /** "info", "warning" or "critical"; absent = "warning". Ours. */
  severity: z.string().nullish(),
  /** Seconds that the condition must hold without interruption before it fires, in addition to `samples`. Ours. */
  for: z.number().nullish(),
  /** Fewest seconds between the last true sample and the clearing. Ours. */
  keep_firing_for: z.number().nullish(),
  /** Expression; truthy = the alert may clear. Absent = it clears when the condition no longer holds. Ours. */
  recovery: z.string().nullish(),
  /** What a failing expression counts as: "false", or "keep" to ignore the sample; absent = "false". Ours. */
  on_error: z.string().nullish(),
  /**
   * What happens to a live alert when its server falls silent: "stale" ends it, "keep" leaves it live; absent =
   * "stale". Ours.
   */
  no_data: z.string().nullish(),
  actions: z.array(Action).nullish(),
  /** Groups of servers that it applies to; empty = every server. */
  groups: z.array(z.string()).nullish(),
  /**
   * Categories and tags of the subjects that it applies to (one matching tag is enough); empty = every subject. Ours.
   */
  categories: z.array(z.string()).nullish(),
  subject_tags: z.array(z.string()).nullish(),
  /** Only for overlays in charts. */
  monitor_id: z.string().nullish(),
  /** While the alert is live, its server is not chosen for new jobs. */
  limit_jobs: Flag.nullish(),
  /** On firing, aborts the jobs on the server. */
  abort_jobs: Flag.nullish(),
  /** Excludes actions of groups and of the configuration. */
  exclusive_actions: Flag.nullish(),
  /** Minutes after which the actions of a live firing run again; 0 or absent = never. */
  repeat_minutes: z.number().nullish(),
  /**
   * Alerts of one family on one server are grades of one problem, of which only the worst notifies. Absent =
   * `monitor_id`. Ours.
   */
  family: z.string().nullish(),
  /** Seconds that a firing must last before anyone is notified. Ours. */
  notice_after: z.number().nullish(),
  /** A firing counts as flapping at `flap_count` firings within `flap_window` seconds; a count of 0 = never. Ours. */
  flap_count: z.number().nullish(),
  flap_window: z.number().nullish(),
  /**
   * Ids of alerts. While one of them is live on the same server, or on one that the server depends on, this alert does
   * not notify. Ours.
   */
  depends_on: z.array(z.string()).nullish(),
  /** Ids of alerts that do not notify while this one is live on the same server. Ours. */
  inhibits: z.array(z.string()).nullish(),
  /** While it is live, alerts on places that depend on the server do not notify. Ours. */
  outage: Flag.nullish(),
  /** Tags that silences can match. */
  tags: z.array(z.string()).nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...tenantField,
  ...stampFields,
}));
export type Alert = z.infer<typeof Alert>;

/** Types of subjects, other than servers, that alerts fire on. */
export const SUBJECT_TYPES = ["event", "heartbeat", "check"] as const;
export const Subject = object(() => ({
  type: z.enum(SUBJECT_TYPES),
  id: z.string(),
  title: z.string(),
  /** Overrides the severity of the alert. */
  severity: z.enum(SEVERITIES).optional(),
}));
export type Subject = z.infer<typeof Subject>;

/** A person has taken over an invocation, which ends its notifications. */
export const Acknowledgement = object(() => ({
  /** Name of a user or key, or `link:<receiver>` for an acknowledgement by the link of a notice, without a login. */
  username: z.string(),
  /** Name that the person typed when acknowledging by such a link. */
  name: z.string().optional(),
  /** Id of the receiver whose link was used; absent = no link was used. Ours. */
  link: z.string().optional(),
  /** Unix seconds. */
  date: z.number(),
  comment: z.string(),
  /** True = the clearing is notified nevertheless. */
  notify_cleared: z.boolean(),
  /** Unix seconds at which it expires; absent = when the firing ends. Ours. */
  expires: z.number().optional(),
}));
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** Actions that did not run, and why. */
export const Suppression = object(() => ({
  condition: z.enum(["alert_new", "alert_cleared"]),
  /** Unix seconds of the first and the last time that this reason applied. */
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
  /** The notification of the firing was delayed until now by this hold. */
  late: SilencedBy.optional(),
  /** True = the alert ended for lack of data, which is no all-clear. */
  stale: z.boolean().optional(),
}));
export type Notification = z.infer<typeof Notification>;

/** A firing whose notification is held back. */
const Untold = object(() => ({
  /** Unix seconds. */
  since: z.number(),
  by: SilencedBy,
  /** Unix seconds since when nothing holds it back any more. */
  free: z.number().optional(),
  /** True once the notification has been queued. */
  queued: z.boolean().optional(),
}));

/** One firing of an alert on one server, event, heartbeat or check (docs/contract/alerts.md#invocation). */
export const Invocation = named(
  "Invocation",
  looseObject(() => ({
    id: z.string(),
    alert: z.string(),
    /** "" when the subject is not a server. */
    server: z.string(),
    /** Absent = the subject is the server. Ours. */
    subject: Subject.optional(),
    /** Category of the subject. Ours. */
    category: z.string().optional(),
    /** Unix seconds of the first true sample. */
    date: z.number(),
    active: z.boolean(),
    /** Unix seconds. */
    modified: z.number(),
    tickets: z.array(z.string()),
    /** Expression of the definition at the first true sample. */
    exp: z.string(),
    message: z.string(),
    /** Severity of the firing; absent on invocations of old installations. Ours. */
    severity: z.string().optional(),
    count: z.number(),
    notified: z.boolean(),
    /** Groups of the server when it fired. */
    groups: z.array(z.string()),
    /** Jobs on the server when it fired, and jobs that were sent to the server since. */
    jobs: z.array(z.string()),
    /** Actions that ran, with their results. */
    actions: z.array(Action).optional(),
    /** True = it ended because the server fell silent. */
    stale: z.boolean().optional(),
    /** Why it ended, if not by a sample: "was disabled by ann". Ours. */
    ended_by: z.string().optional(),
    /** The alert was flapping on this subject when it fired (docs/contract/notices.md#flapping). Ours. */
    flapping: z.boolean().optional(),
    /** Unix seconds of the firing; absent on invocations of old installations. Ours. */
    fired: z.number().optional(),
    /** Unix seconds of the firing or its last repetition, whichever is later. */
    noticed: z.number().optional(),
    /** Number of repetitions that have come due. */
    repeats: z.number().optional(),
    acknowledged: Acknowledgement.optional(),
    /** Id of an earlier invocation whose end was not notified; its notices count for this one, too. Ours. */
    continues: z.string().optional(),
    /** The hold that keeps notices back now; absent = none. Computed, not stored. Ours. */
    held: NoticeHold.optional(),
    /** The receivers that were notified. Computed, not stored. Ours. */
    told: z.array(ToldTo).optional(),
    suppressed: z.array(Suppression).optional(),
    /** True once it was decided which actions the firing runs. */
    decided: z.boolean().optional(),
    /** Present while the notification of the firing is held back: since when, and by what. */
    untold: Untold.optional(),
    /** A notification of the clearing that waits for the snooze to end. */
    owed: Notification.optional(),
    /** Absent on invocations of old installations. */
    cause: Cause.optional(),
    /** Code version of the node that evaluated it; absent on invocations of old installations. */
    code_version: z.string().optional(),
    ...tenantField,
  })),
);
export type Invocation = z.infer<typeof Invocation>;

/** The last evaluation of an alert on a server or other subject, and its outcome. */
export const Explanation = object(() => ({
  /** "" when the subject is not a server. */
  server: z.string(),
  hostname: z.string(),
  /** Absent = the subject is the server. Ours. */
  subject: Subject.optional(),
  /** Unix seconds of the minute that was evaluated; absent = there was none. */
  date: z.number().optional(),
  enabled: z.boolean(),
  /** True when the alert applies to the subject, for instance by the groups of the server. */
  in_scope: z.boolean(),
  /** Values that the expression reads; null = the minute has none. Long values are cut. */
  readings: z.array(z.object({ path: z.string(), value: z.unknown() })),
  /** Result of the expression as it is now. */
  result: z.boolean(),
  error: z.string().optional(),
  message: z.string(),
  state: z.enum(["idle", "warming", "live", "cooling"]),
  /** True minutes counted so far. */
  count: z.number(),
  /** True minutes that firing takes. */
  samples: z.number(),
  /** The alert is flapping now. Ours. */
  flapping: z.boolean().optional(),
  /** The live invocation, else the newest. */
  invocation: Invocation.optional(),
  /** The hold that would keep notifications back now. */
  silenced_by: SilencedBy.optional(),
  /** Why it did not fire, or why nothing was sent. */
  reason: z.string(),
  /** For each receiver: the state of its notices about the live firing. Ours. */
  notices: z.array(Telling).optional(),
}));
export type Explanation = z.infer<typeof Explanation>;

/** The part of an alert's state that each sample updates (docs/contract/alerts.md#samples). */
export interface Streak {
  /** Id of the invocation, assigned before it fires. */
  readonly invocation: string;
  /** Unix seconds of the first true sample. */
  readonly date: number;
  readonly exp: string;
  readonly message: string;
  readonly count: number;
  /** True once it has fired. */
  readonly notified: boolean;
  /** Unix seconds of the last sample. */
  readonly modified: number;
  /**
   * Unix seconds since when the condition has held without interruption; absent = it did not hold at the last sample.
   */
  readonly true_since?: number | undefined;
  /** Unix seconds of the last true sample; absent on states of old installations. */
  readonly last_true?: number | undefined;
}

/** State of an alert on a subject: warming up, live or cooling down. Its id is made of subject and alert. */
export interface AlertState extends Streak {
  id: string;
  /** Id of the server; for other subjects the type and id: "event:e1". */
  readonly server: string;
  readonly alert: string;
  /** Unix seconds at which message and time were last copied into the invocation. */
  readonly copied: number;
}

export const stateKey = (server: string, alert: string): string => `${server}-${alert}`;

export type Condition = "alert_new" | "alert_cleared";

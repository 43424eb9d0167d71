import * as z from "zod";
import { Flag, Id, Title, WordId } from "../../wire/fields/fields.ts";
import { updateMembers } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { shownMembers } from "../../wire/schemas/shown-members.ts";
import { SEVERITIES, type Severity } from "../../wire/severities.ts";

/** A recurring time window in wall-clock time of a zone. */
export const Recurrence = looseObject(() => ({
  /** 0 = Sunday. Weekdays on which the window begins; absent or empty = every day. */
  weekdays: z.array(z.int().min(0).max(6)).nullish(),
  /** Days of the month, 1 to 31, or −1 for the last day; absent or empty = every day. */
  days: z.array(z.int()).nullish(),
  /** "22:00". */
  from: z.string(),
  /** "06:00"; at or before `from` = on the next day. */
  to: z.string(),
  /** IANA name; absent = the zone of the configuration. */
  timezone: z.string().nullish(),
}));
export type Recurrence = z.infer<typeof Recurrence>;

const ids = z.array(WordId);

/** Holds notifications of alerts back, once or in recurring windows. */
export const Silence = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Falsy = never in force. */
  enabled: Flag.nullish(),
  /** Unix seconds; null = no start. */
  start: z.number().nullable(),
  /** Unix seconds, exclusive; null = no end, which needs a recurrence. */
  end: z.number().nullable(),
  /** Restricts the silence to recurring windows between `start` and `end`. */
  recurring: Recurrence.nullish(),
  /**
   * Every non-empty list must match: the server, one of its groups, the event, the heartbeat, the check, the alert, one
   * of the alert's tags, or the severity of the firing.
   */
  servers: ids.nullish(),
  groups: ids.nullish(),
  events: ids.nullish(),
  heartbeats: ids.nullish(),
  checks: ids.nullish(),
  /** Severities of the firing: "info", "warning", "critical". */
  severities: z.array(z.enum(SEVERITIES)).nullish(),
  alerts: ids.nullish(),
  tags: ids.nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Silence = z.infer<typeof Silence>;

/** Further members are checked by `faultOf`, whose errors carry the domain's code. */
const further = shownMembers(Silence, [
  ...([
    "enabled",
    "start",
    "end",
    "recurring",
    "servers",
    "groups",
    "events",
    "heartbeats",
    "checks",
    "severities",
    "alerts",
    "tags",
    "notes",
  ] as const),
]);
export const CreateSilence = looseObject(() => ({ id: Id.optional(), title: Title, ...further }));
export type CreateSilence = z.infer<typeof CreateSilence>;
export const UpdateSilence = looseObject(() => ({ ...updateMembers, ...further }));

/** Subject of a notification, as silences match it. Groups are the server's, tags the alert definition's. */
export interface Subject {
  /** "" when the subject is no server. */
  readonly server: string;
  readonly event?: string | undefined;
  readonly heartbeat?: string | undefined;
  readonly check?: string | undefined;
  /** Groups of the server. */
  readonly groups: readonly string[];
  readonly alert: string;
  readonly severity: Severity;
  /** Tags of the alert definition. */
  readonly tags: readonly string[];
}

/** The hold that keeps a notification back. */
export const SilencedBy = object(() => ({
  kind: z.enum(["silence", "job", "snooze", "acknowledgement", "delay", "dependency", "inhibition"]),
  /** Id of the silence, job or other invocation; for an acknowledgement the name of the person. */
  id: z.string(),
  title: z.string(),
  /** Unix seconds at which it ends, if known. Ours. */
  until: z.number().optional(),
}));
export type SilencedBy = z.infer<typeof SilencedBy>;

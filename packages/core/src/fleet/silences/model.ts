import * as z from "zod";
import { Flag, Id, Title, WordId } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { shownMembers } from "../../wire/schemas/shown-members.ts";
import { SEVERITIES, type Severity } from "../../wire/severities.ts";

/** Times that come back, as clocks on the wall of a zone show them. */
export const Recurrence = looseObject(() => ({
  /** Sunday = 0, days on which the window begins; absent or empty = every day. */
  weekdays: z.array(z.int().min(0).max(6)).nullish(),
  /** 1 to 31, or −1 for the last day of the month; absent or empty = every day. */
  days: z.array(z.int()).nullish(),
  /** "22:00". */
  from: z.string(),
  /** "06:00"; not later than `from` = on the next day. */
  to: z.string(),
  /** IANA name; absent = the zone of the configuration. */
  timezone: z.string().nullish(),
}));
export type Recurrence = z.infer<typeof Recurrence>;

const ids = z.array(WordId);

/** Keeps notifications of alerts back, once or again and again. */
export const Silence = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Falsy = never in force. */
  enabled: Flag.nullish(),
  /** Unix seconds; null = no beginning. */
  start: z.number().nullable(),
  /** Unix seconds, not included; null = no end, which needs a recurrence. */
  end: z.number().nullable(),
  /** Recurring times, between `start` and `end`, at which alone it is in force. */
  recurring: Recurrence.nullish(),
  /** Each list that is not empty must name the server, one of its groups, the event, the heartbeat, the check, the alert, or one of the alert's tags, or the severity. */
  servers: ids.nullish(),
  groups: ids.nullish(),
  events: ids.nullish(),
  heartbeats: ids.nullish(),
  checks: ids.nullish(),
  /** Of the firing, "info", "warning", "critical". */
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
export const UpdateSilence = looseObject(() => ({
  id: Id,
  title: Title.optional(),
  if_revision: sentRevision,
  ...further,
}));

/** Subject of a notification, as silences match it. */
export interface Subject {
  /** "" for subjects that are no servers. */
  readonly server: string;
  readonly event?: string | undefined;
  readonly heartbeat?: string | undefined;
  readonly check?: string | undefined;
  /** Of the server. */
  readonly groups: readonly string[];
  readonly alert: string;
  readonly severity: Severity;
  /** Of the definition. */
  readonly tags: readonly string[];
}

/** The hold that keeps a notification back. */
export const SilencedBy = object(() => ({
  kind: z.enum(["silence", "job", "snooze", "acknowledgement", "delay", "dependency", "inhibition"]),
  /** Of the silence, job, or other invocation, or the name of the person who acknowledged. */
  id: z.string(),
  title: z.string(),
  /** Unix seconds at which it ends, where that is known. Ours. */
  until: z.number().optional(),
}));
export type SilencedBy = z.infer<typeof SilencedBy>;

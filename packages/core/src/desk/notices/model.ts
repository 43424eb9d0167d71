import * as z from "zod";
import { NoticeHold, VERDICTS } from "../../fleet/alerts/telling.ts";
import { Recurrence } from "../../fleet/silences/model.ts";
import { Action } from "../../wire/entries/actions-and-limits.ts";
import { Flag, Id } from "../../wire/fields/fields.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import type { Filled } from "../../wire/schemas/filled.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { Delivery } from "./rules/delivery/delivery.ts";
import { Turned } from "./rules/delivery/health.ts";
import { LastInHour } from "./rules/delivery/last-in-hour.ts";
import { Flap } from "./rules/flapping/flap.ts";
import { TakenOver } from "./rules/people/taken-over.ts";
import { Side } from "./rules/problem/side.ts";
import { SERVICES } from "./rules/providers/names.ts";
import { SentTo } from "./rules/providers/sent-to.ts";
import { type ROUTE_DEFAULTS, RouteDigest, RouteMatch, RouteStep } from "./rules/routing/records.ts";
import { HoldsBack } from "./rules/texts/holds-back.ts";

/** Services whose request format the engine knows. */
export const FORMATS = ["slack", "teams", "discord", "telegram", "ntfy", "pagerduty"] as const;
export type Format = (typeof FORMATS)[number];

/** Ways to people; RECEIVER_TYPES adds the services that the engine calls directly, and text messages sent through a web hook. */
const WAYS = ["user", "mail", "channel", "web_hook", "rota"] as const;
export const RECEIVER_TYPES = [...WAYS, ...SERVICES, "sms"] as const;

/** One destination of notices (docs/contract/notices.md#receivers). */
export const Receiver = looseObject(() => ({
  id: Id,
  title: z.string(),
  enabled: Flag.nullish(),
  type: z.enum(RECEIVER_TYPES),
  /** Names of users who get a notification and a mail; "@admins" = all active administrators. */
  users: z.array(z.string()).nullish(),
  /** Addresses, separated by commas. */
  email: z.string().nullish(),
  /** Id of the notification channel. */
  channel: z.string().nullish(),
  web_hook: z.string().nullish(),
  /** Of a web hook: the service whose body format replaces the hook's own body. */
  format: z.enum(FORMATS).nullish(),
  /** With a format: texts or macros of secrets. Of a directly called service: texts, with secret ones masked. */
  settings: z.record(z.string(), z.string()).nullish(),
  /** Id of the sealed record of the secret settings. */
  sealed: z.string().nullish(),
  /** Ids of earlier sealed records, kept while something sent with them may still be open. */
  former: z.array(z.string()).nullish(),
  /** Id of a rota; its person on duty is notified in the same way as `users`. */
  rota: z.string().nullish(),
  /** Id of the receiver that is notified instead when this one cannot be reached. */
  fallback: z.string().nullish(),
  /** Maximum notices within an hour, 0 = any number. Up to twice as many critical ones are allowed. */
  max_per_hour: z.number().nullish(),
  /** Whether its notices have a link that acknowledges without a login; absent = true. */
  ack_links: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Receiver = z.infer<typeof Receiver>;

export { RouteDigest } from "./rules/routing/records.ts";

/** A rule that says which receivers are notified of which firings, in which groups and steps. */
export const Route = looseObject(() => ({
  id: Id,
  title: z.string(),
  enabled: Flag.nullish(),
  sort_order: z.number(),
  match: RouteMatch.nullish(),
  /** Whether later routes are evaluated too. */
  continue: Flag.nullish(),
  /** Times at which the route is open; empty = always. */
  active: z.array(Recurrence).nullish(),
  /** Behaviour outside these times: "skip" = the route does not match, "hold" = notices wait for the next opening. */
  outside: z.enum(["skip", "hold"]).nullish(),
  /** Firings that agree in all of these share one problem. */
  group_by: z.array(z.enum(["alert", "subject", "severity", "category", "group", "tag"])).nullish(),
  /** Seconds between the first firing and its notice, in which others may join; "auto" = none if no other firing is possible. */
  group_wait: z.union([z.literal("auto"), z.number()]).nullish(),
  /** Minimum seconds between two notices of one problem to the same receiver. */
  group_interval: z.number().nullish(),
  /** Seconds until a firing is repeated; 0 = never. */
  repeat_interval: z.number().nullish(),
  /** When ends are reported: once all firings have ended, each of them, or never. */
  clear: z.enum(["all", "each", "none"]).nullish(),
  /** Lists firings that ended before their notice in the next one, as over. */
  tell_brief: Flag.nullish(),
  /** Sends notices only at these times; absent = as soon as possible. */
  digest: RouteDigest.nullish(),
  steps: z.array(RouteStep),
  /** How many times the steps are repeated after the last one. */
  loop: z.number().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type StoredRoute = z.infer<typeof Route>;
/** A route as rules read it: members that are `null` or absent have their defaults. */
export type Route = Filled<StoredRoute, keyof typeof ROUTE_DEFAULTS>;

export { Rota, RotaLayer, RotaOverride } from "./rules/rota/records.ts";

export { NoticeHold };

/** What one receiver was notified of about a firing. Times are Unix seconds. */
export const ToldMark = object(() => ({
  first: z.number(),
  last: z.number(),
  count: z.number(),
  /** Time of the notice that reported the end. */
  cleared: z.number().optional(),
  /** The receiver was notified of the acknowledgement. */
  acknowledged: z.boolean().optional(),
  /** The notice did not arrive, so its end is not reported either. */
  failed: z.boolean().optional(),
  /** Beginning of the flapping that was reported; present until its end is reported. */
  flap: z.number().optional(),
  /** Another receiver has notified the same addresses. */
  twin: z.boolean().optional(),
}));
export type ToldMark = z.infer<typeof ToldMark>;

export const Standpoint = object(() => ({
  verdict: z.enum(VERDICTS),
  by: NoticeHold.optional(),
  /** Additional holds at the same time. */
  also: z.array(NoticeHold).optional(),
  notice: z.string().optional(),
  /** Unix seconds. */
  from: z.number(),
}));
export type Standpoint = z.infer<typeof Standpoint>;

/** A firing within a problem. */
export const Member = object(() => ({
  invocation: z.string(),
  alert: z.string(),
  /** Id of the server; for another subject its type and id: "event:e1". */
  server: z.string(),
  severity: z.string(),
  /** Unix seconds. */
  joined: z.number(),
  /** Unix seconds since which no hold applies; absent = one does. */
  free: z.number().optional(),
  hold: NoticeHold.optional(),
  /** Additional holds at the same time. */
  also: z.array(NoticeHold).optional(),
  /** The silence or snooze that held the firing back, with its end. */
  late: NoticeHold.optional(),
  /** `taken`: Unix seconds of the acknowledgement in force; `paused`: seconds of earlier ones. Steps are delayed by both. */
  taken: z.number().optional(),
  paused: z.number().optional(),
  ended: z.number().optional(),
  /** Ended because data stopped arriving: it is not known yet whether it is over. */
  question: z.boolean().optional(),
  /** What each receiver was notified of, by receiver. */
  told: z.record(z.string(), ToldMark),
  /** Unix seconds of the first data after an end that was caused by missing data. */
  returned: z.number().optional(),
  flap: Flap.optional(),
  /** The newest decision, by receiver. */
  standing: z.record(z.string(), Standpoint),
}));
export type Member = z.infer<typeof Member>;

export { Side };

/** Firings that share the notices of one route. */
export const Problem = named(
  "Problem",
  object(() => ({
    id: z.string(),
    /** Id of the route, or of the target that actions stand for. */
    route: z.string(),
    /** Name of the target of actions; absent = a route sends the notices. */
    title: z.string().optional(),
    key: z.string(),
    severity: z.string(),
    /** Unix seconds. */
    opened: z.number(),
    closed: z.number().nullable(),
    members: z.array(Member),
    /** Titles of its members' alerts by id, so that ends can be reported after an alert is deleted; absent on older problems. */
    titles: z.record(z.string(), z.string()).optional(),
    /** Ids of other routes that matched its firings earlier or later: their shared receivers are notified only once. */
    beside: z.array(z.string()).optional(),
    /** State of each receiver, by receiver. */
    sides: z.record(z.string(), Side),
    /** Number of steps of the route that have begun, over all rounds. */
    steps: z.number(),
    /** Unix seconds of the next time at which something can change without a new firing. */
    due: z.number().nullable(),
  })),
);
export type Problem = z.infer<typeof Problem>;

const KINDS = [
  "firing",
  "update",
  "repeat",
  "flapping",
  "settled",
  "escalation",
  "acknowledged",
  "digest",
  "cleared",
  "receiver_dead",
  "receiver_back",
] as const;

/** One message about one problem to one receiver (docs/contract/notices.md#notices). */
export const Notice = named(
  "Notice",
  looseObject(() => ({
    id: z.string(),
    /** Id of the problem; for the last two kinds the id of the receiver that they report on. */
    problem: z.string(),
    receiver: z.string(),
    route: z.string(),
    seq: z.number(),
    kind: z.enum(KINDS),
    /** Unix seconds of the decision. */
    date: z.number(),
    /** Ids of invocations. */
    new: z.array(z.string()),
    repeated: z.array(z.string()),
    over: z.array(z.string()),
    still: z.array(z.string()),
    /** Firings that ended before a notice and are listed nevertheless; absent = none. */
    brief: z.array(z.string()).optional(),
    /** The acknowledgement, for the kind that reports one. */
    acknowledged: TakenOver.optional(),
    /** The change in the receiver's state, for the last two kinds. */
    turned: Turned.optional(),
    /** Reports live firings to the person who came on duty. */
    hand_over: z.boolean().optional(),
    /** Names of users who were on duty earlier and are notified of the end as well. */
    former: z.array(z.string()).optional(),
    severity: z.string(),
    /** Ids of the alerts, and their subjects: server ids, or type and id of another subject; absent on older notices. */
    alerts: z.array(z.string()).optional(),
    subjects: z.array(z.string()).optional(),
    /** Groups of the servers. */
    groups: z.array(z.string()),
    /** Categories of the other subjects; absent on older notices. */
    categories: z.array(z.string()).optional(),
    outcome: z.enum(["pending", "sent", "uncertain", "failed", "skipped"]),
    /** Text as sent. */
    text: z.string(),
    /** Set on the last notice that the receiver may get within an hour. */
    last: LastInHour.optional(),
    /** Maximum number of firings to list, set after the service rejected a longer list as too large. */
    most: z.number().optional(),
    /** Firings that the live firings of this notice held back when it was sent. */
    holds_back: HoldsBack.optional(),
    /** Answer to the last attempt. */
    result: z.looseObject({ code: z.union([z.number(), z.string()]), description: z.string() }).optional(),
    attempts: z.number(),
    /** Unix seconds of the first attempt. */
    begun: z.number().optional(),
    /** Id of the message at the service. */
    ref: z.string().optional(),
    /** Settings of the service that accepted it; absent = the receiver is not a service. */
    sent_to: z.array(SentTo).optional(),
    /** Results of the attempts; absent on older notices. */
    deliveries: z.array(Delivery).optional(),
    /** Unix seconds of the next attempt. */
    next: z.number(),
    /** The action that sends it, and the name of that action; absent = the receiver has a record. */
    action: Action.optional(),
    title: z.string().optional(),
    /** Id of the undelivered notice that this one replaces. */
    in_place_of: z.string().optional(),
    /** Id of the notice that this one repeats on request. */
    resent: z.string().optional(),
  })),
);
export type Notice = z.infer<typeof Notice>;

/** A decision about a firing and a receiver, with the time for which it was in force. */
export const Decision = object(() => ({
  id: z.string(),
  invocation: z.string(),
  /** Null = no receiver, because no route matches. */
  receiver: z.string().nullable(),
  problem: z.string().optional(),
  verdict: Standpoint.shape.verdict,
  by: NoticeHold.optional(),
  also: z.array(NoticeHold).optional(),
  notice: z.string().optional(),
  from: z.number(),
  /** Null = it is still in force. */
  to: z.number().nullable(),
}));
export type Decision = z.infer<typeof Decision>;

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

/** Services whose requests are known. */
export const FORMATS = ["slack", "teams", "discord", "telegram", "ntfy", "pagerduty"] as const;
export type Format = (typeof FORMATS)[number];

/** Ways to people, then services that are spoken to by themselves, and text messages by a web hook. */
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
  /** Ids. */
  channel: z.string().nullish(),
  web_hook: z.string().nullish(),
  /** Of a web hook: the service whose body is sent in place of the hook's own. */
  format: z.enum(FORMATS).nullish(),
  /**
   * Settings of the service: of a format texts or macros of secrets, of a service by itself texts, secret ones masked.
   */
  settings: z.record(z.string(), z.string()).nullish(),
  /** Id of the sealed record of the secret settings. */
  sealed: z.string().nullish(),
  /** Ids of earlier ones, as long as something that was told with them may be open. */
  former: z.array(z.string()).nullish(),
  /** Id of a rota, whose person on duty is told like users. */
  rota: z.string().nullish(),
  /** Id of the receiver that is told in its place when it cannot be reached. */
  fallback: z.string().nullish(),
  /** Notices within an hour, 0 = any number; critical ones may be twice as many. */
  max_per_hour: z.number().nullish(),
  /** Whether its notices have a link that acknowledges without a login; absent = true. */
  ack_links: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Receiver = z.infer<typeof Receiver>;

export { RouteDigest } from "./rules/routing/records.ts";

/** A rule that says which receivers are told of which firings, in which groups and steps. */
export const Route = looseObject(() => ({
  id: Id,
  title: z.string(),
  enabled: Flag.nullish(),
  sort_order: z.number(),
  match: RouteMatch.nullish(),
  /** Whether later routes are asked too. */
  continue: Flag.nullish(),
  /** Times at which it is open; empty = always. */
  active: z.array(Recurrence).nullish(),
  /** Behaviour outside of them: "skip" = it does not match, "hold" = told at the next opening. */
  outside: z.enum(["skip", "hold"]).nullish(),
  /** Firings that agree in all of these are told together. */
  group_by: z.array(z.enum(["alert", "subject", "severity", "category", "group", "tag"])).nullish(),
  /** Seconds from the first firing to its notice, in which others may join; "auto" = none where none can. */
  group_wait: z.union([z.literal("auto"), z.number()]).nullish(),
  /** Least seconds between two notices about the same to the same receiver. */
  group_interval: z.number().nullish(),
  /** Seconds until a firing is told again; 0 = never. */
  repeat_interval: z.number().nullish(),
  /** Telling of ends: once all has ended, each, or never. */
  clear: z.enum(["all", "each", "none"]).nullish(),
  /** Firings that ended before they were told are listed in the next notice, as over. */
  tell_brief: Flag.nullish(),
  /** Notices come at these times alone; absent = as soon as they may. */
  digest: RouteDigest.nullish(),
  steps: z.array(RouteStep),
  /** Number of times that the steps begin again after the last one. */
  loop: z.number().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type StoredRoute = z.infer<typeof Route>;
/** A route as it is read by rules: with the defaults of members that are `null` or absent. */
export type Route = Filled<StoredRoute, keyof typeof ROUTE_DEFAULTS>;

export { Rota, RotaLayer, RotaOverride } from "./rules/rota/records.ts";

export { NoticeHold };

/** Notices of a firing to one receiver. Times are Unix seconds. */
export const ToldMark = object(() => ({
  first: z.number(),
  last: z.number(),
  count: z.number(),
  /** Time at which the end was told. */
  cleared: z.number().optional(),
  /** The receiver was told of the acknowledgement. */
  acknowledged: z.boolean().optional(),
  /** The notice did not arrive: there is no end to be told. */
  failed: z.boolean().optional(),
  /** The beginning of the flapping that was told, as long as its end was not. */
  flap: z.number().optional(),
  /** Another receiver has told the same addresses. */
  twin: z.boolean().optional(),
}));
export type ToldMark = z.infer<typeof ToldMark>;

export const Standpoint = object(() => ({
  verdict: z.enum(VERDICTS),
  by: NoticeHold.optional(),
  /** Further holds at the same time. */
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
  /** Id of the server; of another subject type and id: "event:e1". */
  server: z.string(),
  severity: z.string(),
  /** Unix seconds. */
  joined: z.number(),
  /** Unix seconds since which nothing holds it; absent = something does. */
  free: z.number().optional(),
  hold: NoticeHold.optional(),
  /** Further holds at the same time. */
  also: z.array(NoticeHold).optional(),
  /** The silence or snooze that kept it back, with its end. */
  late: NoticeHold.optional(),
  /** `taken`: Unix seconds of the acknowledgement that holds; `paused`: seconds of earlier ones. Steps wait for as long. */
  taken: z.number().optional(),
  paused: z.number().optional(),
  ended: z.number().optional(),
  /** Ended for want of data: it is not known yet whether it is over. */
  question: z.boolean().optional(),
  /** Marks by receiver. */
  told: z.record(z.string(), ToldMark),
  /** Unix seconds of the first data after an end for want of data. */
  returned: z.number().optional(),
  flap: Flap.optional(),
  /** The newest decision, by receiver. */
  standing: z.record(z.string(), Standpoint),
}));
export type Member = z.infer<typeof Member>;

export { Side };

/** Firings that are told together on one route. */
export const Problem = named(
  "Problem",
  object(() => ({
    id: z.string(),
    /** Id of the route, or of the target of actions. */
    route: z.string(),
    /** Name of the target of actions; absent = a route tells of it. */
    title: z.string().optional(),
    key: z.string(),
    severity: z.string(),
    /** Unix seconds. */
    opened: z.number(),
    closed: z.number().nullable(),
    members: z.array(Member),
    /** Titles of the alerts of its members by id, for ends that are told once an alert is deleted; absent on older problems. */
    titles: z.record(z.string(), z.string()).optional(),
    /** Ids of further routes that firings of it were taken by before, or since: their receivers are told once. */
    beside: z.array(z.string()).optional(),
    /** Sides by receiver. */
    sides: z.record(z.string(), Side),
    /** Steps of the route that have begun, all rounds together. */
    steps: z.number(),
    /** Unix seconds of the next time that something can happen by itself. */
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
    /** Id of the problem; for the last two kinds the id of the receiver that they tell of. */
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
    /** Firings that ended before they were told, listed all the same; absent = none. */
    brief: z.array(z.string()).optional(),
    /** The acknowledgement, of the kind that tells of it. */
    acknowledged: TakenOver.optional(),
    /** The turn of a receiver, of the last two kinds. */
    turned: Turned.optional(),
    /** The person who came on duty is told of live firings. */
    hand_over: z.boolean().optional(),
    /** Names of users who were on duty before and hear of the end as well. */
    former: z.array(z.string()).optional(),
    severity: z.string(),
    /** Ids of the alerts, and subjects of their firings: of servers, or type and id of something else; absent on older notices. */
    alerts: z.array(z.string()).optional(),
    subjects: z.array(z.string()).optional(),
    /** Groups of its servers. */
    groups: z.array(z.string()),
    /** Categories of its other subjects; absent on older notices. */
    categories: z.array(z.string()).optional(),
    outcome: z.enum(["pending", "sent", "uncertain", "failed", "skipped"]),
    /** Text as it was sent. */
    text: z.string(),
    /** Set on the last notice that its receiver may have within an hour. */
    last: LastInHour.optional(),
    /** Firings that are listed at most, after the service took a longer list for too much. */
    most: z.number().optional(),
    /** Firings that its live firings held back when it was sent. */
    holds_back: HoldsBack.optional(),
    /** Answer of the receiver's way at the last attempt. */
    result: z.looseObject({ code: z.union([z.number(), z.string()]), description: z.string() }).optional(),
    attempts: z.number(),
    /** Unix seconds of the first attempt. */
    begun: z.number().optional(),
    /** Id of the message at the service. */
    ref: z.string().optional(),
    /** Settings of the service that has taken it; absent = the receiver is none. */
    sent_to: z.array(SentTo).optional(),
    /** Results of the attempts; absent on older notices. */
    deliveries: z.array(Delivery).optional(),
    /** Unix seconds of the next attempt. */
    next: z.number(),
    /** The action that sends it, and its name; absent = the receiver has a record. */
    action: Action.optional(),
    title: z.string().optional(),
    /** Id of the notice that did not arrive, in whose place this one is. */
    in_place_of: z.string().optional(),
    /** Id of the notice that this one sends once more. */
    resent: z.string().optional(),
  })),
);
export type Notice = z.infer<typeof Notice>;

/** A decision about a firing and a receiver, with the time for which it stood. */
export const Decision = object(() => ({
  id: z.string(),
  invocation: z.string(),
  /** Null = no receiver: no route matches. */
  receiver: z.string().nullable(),
  problem: z.string().optional(),
  verdict: Standpoint.shape.verdict,
  by: NoticeHold.optional(),
  also: z.array(NoticeHold).optional(),
  notice: z.string().optional(),
  from: z.number(),
  /** Null = now. */
  to: z.number().nullable(),
}));
export type Decision = z.infer<typeof Decision>;

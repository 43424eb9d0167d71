import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { object } from "../../wire/schemas/objects.ts";

/** The seed of stores that are older than routes of notices: a fresh one is past it with its first alerts. */
export const OLDER_THAN_ROUTES = "routes.before";

/** The hold that keeps a notice back, or the reason why there is none. */
export const NoticeHold = object(() => ({
  kind: z.enum([
    ...(["delay", "flapping", "dependency", "inhibition", "acknowledgement", "snooze", "silence", "job"] as const),
    ...(["no_route", "hours", "digest", "grouping", "rate", "receiver", "delivery", "brief"] as const),
    ...(["clear_none", "no_data"] as const),
  ]),
  id: z.string(),
  title: z.string(),
  /** Unix seconds at which it ends, where that is known. */
  until: z.number().optional(),
}));
export type NoticeHold = z.infer<typeof NoticeHold>;

/** A receiver that was told of a firing. Times are Unix seconds. */
export const ToldTo = object(() => ({
  receiver: z.string(),
  title: z.string(),
  first: z.number(),
  last: z.number(),
  count: z.number(),
  /** Time when its end was told; absent = it was not. */
  cleared: z.number().optional(),
}));
export type ToldTo = z.infer<typeof ToldTo>;

export const VERDICTS = ["told", "held", "failed", "none"] as const;

/** A time without a change in the alert's state on its subject, or in the decision for the receiver. */
const Interval = object(() => ({
  /** Unix seconds. */
  from: z.number(),
  /** Null = now. */
  to: z.number().nullable(),
  /** State of the alert. */
  state: z.enum(["idle", "warming", "live", "cooling"]).optional(),
  flapping: z.boolean().optional(),
  /** Verdict of a decision. */
  verdict: z.enum(VERDICTS).optional(),
  by: NoticeHold.optional(),
  also: z.array(NoticeHold).optional(),
  notice: z.string().optional(),
  reason: z.string().optional(),
}));

/** State of a firing's notices to one receiver (docs/contract/notices.md#why). */
export const Telling = named(
  "Telling",
  object(() => ({
    /** Null = no receiver: no route matches. */
    receiver: z.string().nullable(),
    /** Title of the receiver; "" = no receiver. */
    title: z.string(),
    state: z.enum(["idle", "warming", "live", "cooling"]),
    flapping: z.boolean().optional(),
    verdict: z.enum(VERDICTS),
    by: NoticeHold.optional(),
    /** Further holds. */
    also: z.array(NoticeHold),
    /** Id of the notice that told it last. */
    notice: z.string().optional(),
    /** Unix seconds of the next time at which something can happen by itself; null = never. */
    due: z.number().nullable(),
    told: z.array(ToldTo),
    reason: z.string(),
    history: z.array(Interval),
  })),
);
export type Telling = z.infer<typeof Telling>;

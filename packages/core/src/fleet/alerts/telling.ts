import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { object } from "../../wire/schemas/objects.ts";

/** Seed that marks an installation older than routes of notices. A new installation passes it with its first alerts. */
export const OLDER_THAN_ROUTES = "routes.before";

/** The hold that keeps a notice back, or the reason why there is no notice. */
export const NoticeHold = object(() => ({
  kind: z.enum([
    ...(["delay", "flapping", "dependency", "inhibition", "acknowledgement", "snooze", "silence", "job"] as const),
    ...(["no_route", "hours", "digest", "grouping", "rate", "receiver", "delivery", "brief"] as const),
    ...(["clear_none", "no_data"] as const),
  ]),
  id: z.string(),
  title: z.string(),
  /** Unix seconds at which it ends, if known. */
  until: z.number().optional(),
}));
export type NoticeHold = z.infer<typeof NoticeHold>;

/** A receiver that was notified of a firing. Times are Unix seconds. */
export const ToldTo = object(() => ({
  receiver: z.string(),
  title: z.string(),
  first: z.number(),
  last: z.number(),
  count: z.number(),
  /** When the receiver was notified of the end; absent = it was not. */
  cleared: z.number().optional(),
}));
export type ToldTo = z.infer<typeof ToldTo>;

export const VERDICTS = ["told", "held", "failed", "none"] as const;

/** A span in which neither the alert's phase on its subject nor the decision for the receiver changed. */
const Interval = object(() => ({
  /** Unix seconds. */
  from: z.number(),
  /** Null = now. */
  to: z.number().nullable(),
  /** State of the alert. */
  state: z.enum(["idle", "warming", "live", "cooling"]).optional(),
  flapping: z.boolean().optional(),
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
    /** Title of the receiver; "" when there is no receiver. */
    title: z.string(),
    state: z.enum(["idle", "warming", "live", "cooling"]),
    flapping: z.boolean().optional(),
    verdict: z.enum(VERDICTS),
    by: NoticeHold.optional(),
    /** Further holds. */
    also: z.array(NoticeHold),
    /** Id of the last notice that reported it. */
    notice: z.string().optional(),
    /** Unix seconds of the next moment at which something can change by itself; null = never. */
    due: z.number().nullable(),
    told: z.array(ToldTo),
    reason: z.string(),
    history: z.array(Interval),
  })),
);
export type Telling = z.infer<typeof Telling>;

import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { shownMembers } from "../../wire/schemas/shown-members.ts";

/** Data types that the contract names; plugins may add more. */
export const DATA_TYPES = ["integer", "float", "bytes", "seconds", "milliseconds"] as const;

/** A number read out of the minute data of each server (docs/contract/monitors.md#definition). */
export const Monitor = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Expression over the minute data. */
  source: z.string(),
  /** One of `DATA_TYPES`, or a type that a plugin adds. */
  data_type: z.string(),
  /** Falsy = not evaluated. */
  enabled: Flag.nullish(),
  /** Pattern whose first group, or whole match without groups, is the value. */
  data_match: z.string().nullish(),
  sort_order: z.number(),
  /** Truthy = shown in user interfaces. Evaluated in any case. */
  display: Flag.nullish(),
  /** Groups of servers that it applies to; empty = every server. */
  groups: z.array(z.string()).nullish(),
  suffix: z.string().nullish(),
  min_vert_scale: z.number().nullish(),
  /** The source is a counter. */
  delta: Flag.nullish(),
  /** Smallest delta; false = no minimum. */
  delta_min_value: z.union([z.number(), z.literal(false)]).nullish(),
  /** Divide the delta by the elapsed seconds. */
  divide_by_delta: Flag.nullish(),
  multiply: z.number().nullish(),
  divide: z.number().nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Monitor = z.infer<typeof Monitor>;

const Source = z.string().regex(/\S/);

/** Checked by `invalidField`, whose errors carry the domain's code. */
const further = {
  ...shownMembers(Monitor, ["enabled", "data_match", "sort_order", "display", "groups", "suffix", "min_vert_scale"]),
  ...shownMembers(Monitor, ["delta", "delta_min_value", "divide_by_delta", "multiply", "divide", "icon", "notes"]),
};

export const CreateMonitor = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  source: Source,
  data_type: z.string().regex(/^\w+$/),
  ...further,
}));
export type CreateMonitor = z.infer<typeof CreateMonitor>;

export const UpdateMonitor = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  source: Source.optional(),
  ...further,
}));

/** Names of the four timelines of a server (docs/contract/monitors.md#rows). */
export const SYSTEMS = ["hourly", "daily", "monthly", "yearly"] as const;
export type System = (typeof SYSTEMS)[number];

/** One second of a server: the time and one value per quick monitor (docs/contract/monitors.md#quick-monitors). */
export interface QuickSample {
  /** Unix seconds. */
  readonly date: number;
  readonly [quickMonitor: string]: number;
}

/** A whole number, as a number or as digits. */
export const Digits = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((text) => /^\d+$/.test(text))
  .transform(Number);
const MAX_ROWS = 10_000;
export const RowLimit = Digits.transform((limit) => Math.min(limit, MAX_ROWS));

/** Consecutive buckets of a timeline, as one column per monitor. */
export const TimelineColumns = object(() => ({
  /** Unix seconds of the first bucket; 0 when there is none. */
  date: z.number(),
  /** Seconds from one bucket to the next. */
  step: z.number(),
  /** Number of buckets; each list has this length. */
  length: z.number(),
  /** Monitor id → its value in each bucket, null where it has none. */
  monitors: z.record(z.string(), z.array(z.number().nullable())),
}));
export type TimelineColumns = z.infer<typeof TimelineColumns>;

/** The newest second of many servers, as one column per quick monitor. */
export const QuickColumns = object(() => ({
  /** Ids of servers; each list has this length. */
  servers: z.array(z.string()),
  /** Quick monitor → its value on each server, null where there are no samples. */
  monitors: z.record(z.string(), z.array(z.number().nullable())),
}));
export type QuickColumns = z.infer<typeof QuickColumns>;

/** One bucket of a timeline, as the timeline port stores it (docs/contract/monitors.md#buckets). */
export interface Bucket {
  readonly epoch_div: number;
  /** Unix seconds. */
  readonly date: number;
  /** Number of samples. */
  readonly count: number;
  /** Monitor id → sum. */
  readonly totals: Readonly<Record<string, number>>;
  readonly alerts?: Readonly<Record<string, true>>;
  /** Delta monitor id → sum of the deltas per minute. */
  readonly deltas?: Readonly<Record<string, number>>;
  /** Number of samples by monitor id, only where it differs from `count`. */
  readonly counts?: Readonly<Record<string, number>>;
}

/**
 * The newest sums of a server's timelines, cached so that the next minute need not read them back. Opaque to other
 * domains.
 */
export interface SeriesHead {
  /** Bucket of the newest minute; undefined = none yet. */
  readonly minute: number | undefined;
  /** Sums so far of the hour of the newest minute. */
  readonly hour?: Bucket;
  /** Sums of the earlier hours of the same half-day. */
  readonly halfDay?: Bucket;
}

/**
 * End of another domain's series: its newest minute, which may still get samples, and the head before it. Opaque to
 * other domains.
 */
export interface SeriesPlace {
  readonly before: SeriesHead;
  readonly open?: Bucket;
}

/** The range of a series to read. */
export interface SeriesAsk {
  readonly system: System;
  /** Unix seconds of the first value; absent = the newest values. */
  readonly date?: number | undefined;
  readonly limit: number;
}

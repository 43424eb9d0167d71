import * as z from "zod";
import { looseObject } from "../../../../wire/schemas/objects.ts";

const names = z.array(z.string()).nullish();

/** Conditions of a route. The values of a list are alternatives; every list that is not empty must match. */
export const RouteMatch = looseObject(() => ({
  severities: names,
  subjects: names,
  alerts: names,
  tags: names,
  groups: names,
  servers: names,
  categories: names,
}));
export type RouteMatch = z.infer<typeof RouteMatch>;

export const RouteStep = looseObject(() => ({
  /** Minutes without an acknowledgement after the first notice. */
  after: z.number(),
  /** Ids of receivers. */
  to: z.array(z.string()),
}));

/** Times at which a route sends notices, instead of immediately. */
export const RouteDigest = looseObject(() => ({
  /** Times like "08:00". */
  at: z.array(z.string()),
  /** Sunday = 0; absent or empty = every day. */
  weekdays: z.array(z.number()).nullish(),
  /** IANA name; absent = the time zone of the configuration. */
  timezone: z.string().nullish(),
}));
export type RouteDigest = z.infer<typeof RouteDigest>;

/** Defaults for members of a route that are `null` or absent. */
export const ROUTE_DEFAULTS = {
  match: {},
  continue: false,
  active: [],
  outside: "skip",
  group_by: ["alert"],
  loop: 0,
  group_wait: "auto",
  group_interval: 300,
  repeat_interval: 14_400,
  clear: "all",
} as const;

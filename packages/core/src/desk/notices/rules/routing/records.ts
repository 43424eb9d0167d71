import * as z from "zod";
import { looseObject } from "../../../../wire/schemas/objects.ts";

const names = z.array(z.string()).nullish();

/** Conditions of a route: the values of a list are alternatives, and all lists that are not empty must agree. */
export const RouteMatch = looseObject(() => ({
  ...{ severities: names, subjects: names, alerts: names, tags: names },
  ...{ groups: names, servers: names, categories: names },
}));
export type RouteMatch = z.infer<typeof RouteMatch>;

export const RouteStep = looseObject(() => ({
  /** Minutes after the first notice without an acknowledgement. */
  after: z.number(),
  /** Ids of receivers. */
  to: z.array(z.string()),
}));

/** Times at which a route tells, in place of at once. */
export const RouteDigest = looseObject(() => ({
  /** "08:00". */
  at: z.array(z.string()),
  /** Sunday = 0; absent or empty = every day. */
  weekdays: z.array(z.number()).nullish(),
  /** IANA name; absent = the zone of the configuration. */
  timezone: z.string().nullish(),
}));
export type RouteDigest = z.infer<typeof RouteDigest>;

import * as z from "zod";
import { Flag, Id } from "../../wire/fields.ts";
import { stampFields } from "../../wire/stamps.ts";
import { Action } from "../jobs/model.ts";

/** A condition over the minute data of each server, and what to do about it (part 22 §1). */
export const Alert = z.looseObject({
  id: Id,
  title: z.string(),
  /** Truthy = the condition holds. */
  expression: z.string(),
  /** Template. */
  message: z.string(),
  /** Falsy = not evaluated. */
  enabled: Flag,
  /** Minutes of warming up and of cooling down. */
  samples: z.int().min(1),
  actions: z.array(Action),
  /** Empty = every server. */
  groups: z.array(z.string()),
  /** Chart overlay only. */
  monitor_id: z.string().nullish(),
  /** While active, the server is not chosen for new jobs. */
  limit_jobs: Flag.nullish(),
  /** On firing, jobs on the server are aborted. */
  abort_jobs: Flag.nullish(),
  /** Actions of groups and of the configuration are left out. */
  exclusive_actions: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
});
export type Alert = z.infer<typeof Alert>;

/** One firing of an alert on one server (part 22 §3). */
export const Invocation = z.looseObject({
  id: z.string(),
  alert: z.string(),
  server: z.string(),
  /** Unix seconds of the first true sample. */
  date: z.number(),
  active: z.boolean(),
  /** Unix seconds. */
  modified: z.number(),
  tickets: z.array(z.string()),
  /** Expression at the first true sample. */
  exp: z.string(),
  message: z.string(),
  count: z.number(),
  notified: z.boolean(),
  /** Groups of the server when it fired. */
  groups: z.array(z.string()),
  /** Jobs on the server when it fired, and those sent there since. */
  jobs: z.array(z.string()),
  /** Actions that ran, with their results. */
  actions: z.array(Action).optional(),
  /** Ended because the server fell silent. */
  stale: z.boolean().optional(),
});
export type Invocation = z.infer<typeof Invocation>;

/** The part of an alert's state that samples move (part 22 §4.2). */
export interface Streak {
  /** Id that the invocation has, or will have. */
  readonly invocation: string;
  /** Unix seconds of the first true sample. */
  readonly date: number;
  readonly exp: string;
  readonly message: string;
  readonly count: number;
  /** It fired. */
  readonly notified: boolean;
  /** Unix seconds of the last sample. */
  readonly modified: number;
}

/** How far an alert has come on a server: warming up, live or cooling down. The id is server and alert. */
export interface AlertState extends Streak {
  id: string;
  readonly server: string;
  readonly alert: string;
  /** Unix seconds of the last copy into the invocation. */
  readonly copied: number;
}

export const stateKey = (server: string, alert: string): string => `${server}-${alert}`;

export type Condition = "alert_new" | "alert_cleared";

/** Payload of a queued notification. */
export const Notification = z.object({
  invocation: z.string(),
  condition: z.enum(["alert_new", "alert_cleared"]),
  /** Jobs on the server when it fired. */
  active_jobs: z.array(z.object({ id: z.string(), event: z.string() })).optional(),
  /** Seconds from the first true sample to the clearing. */
  elapsed: z.number().optional(),
});
export type Notification = z.infer<typeof Notification>;

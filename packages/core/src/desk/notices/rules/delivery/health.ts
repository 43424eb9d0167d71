import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** State of a receiver, derived from the results of its notices (docs/contract/notices.md#receivers). Times are Unix seconds. */
export const Health = object(() => ({
  /**
   * "failing" = a notice was given up and none has arrived since; "dead" = three were given up in a row, or "failing" for an
   * hour.
   */
  state: z.enum(["ok", "failing", "dead"]),
  /** Time at which the state began. */
  since: z.number(),
  last_ok: z.number().optional(),
  /** Description of the last failure. */
  last_error: z.string().optional(),
  /** Notices given up since the last one that arrived. */
  given_up: z.number(),
  /** Time of the last attempt. */
  tried: z.number(),
}));
export type Health = z.infer<typeof Health>;

/** Stored health. It is a separate record with the receiver's id, so that a delivery does not change the receiver. */
export type ReceiverHealth = Health & {
  readonly id: string;
  /** Unix seconds at which the service will have processed all requests so far, at the pace that it asks for. */
  readonly takenIn?: number | undefined;
};

/** Result of an attempt: it arrived, will be retried, or was given up. */
export interface Attempted {
  readonly outcome: "sent" | "pending" | "failed";
  readonly description: string;
  readonly now: number;
}

const DEAD_AFTER = 3;
const DEAD_AFTER_SEC = 3600;
/** Seconds between attempts at a dead receiver. */
const PACE_SEC = 60;

/** Health before the first attempt. */
const newHealth = (now: number): Health => ({ state: "ok", since: now, given_up: 0, tried: 0 });

export function afterAttempt(before: Health | undefined, { outcome, description, now }: Attempted): Health {
  const known = before ?? newHealth(now);
  if (outcome === "sent") {
    const since = known.state === "ok" ? known.since : now;
    return { ...known, state: "ok", since, last_ok: now, given_up: 0, tried: now };
  }
  const given_up = known.given_up + (outcome === "failed" ? 1 : 0);
  const next = { ...known, last_error: description, given_up, tried: now };
  const lasts = known.state === "failing" && now - known.since >= DEAD_AFTER_SEC;
  const state = known.state === "dead" || lasts || given_up >= DEAD_AFTER ? "dead" : given_up > 0 ? "failing" : "ok";
  return state === known.state ? next : { ...next, state, since: now };
}

/** Unix seconds of the next attempt at a receiver; undefined = any time. */
export const triedAgainAt = (health: Health | undefined): number | undefined =>
  health?.state === "dead" ? health.tried + PACE_SEC : undefined;

/** The change that people must be notified of: the receiver became dead, or is reachable again; undefined = neither. */
export function turnOf(before: Health | undefined, after: Health): "receiver_dead" | "receiver_back" | undefined {
  const was = before?.state === "dead";
  const is = after.state === "dead";
  return was === is ? undefined : is ? "receiver_dead" : "receiver_back";
}

/** A receiver that became unreachable, or is reachable again. */
export const Turned = object(() => ({
  /** Id. */
  receiver: z.string(),
  title: z.string(),
  /** Description of the last failure, or of the notice that arrived. */
  description: z.string(),
}));
export type Turned = z.infer<typeof Turned>;

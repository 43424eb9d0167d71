import { weightOf } from "../../../../fleet/alerts/rules/severity.ts";
import type { Member, Notice, NoticeHold, Route } from "../../model.ts";
import { type Flap, withAcknowledged } from "../flapping/flap.ts";

/** What there is to know about a firing now. */
export interface Sight {
  readonly severity: string;
  /** Unix seconds of its end; undefined = it is live. */
  readonly ended?: number | undefined;
  /** The firing ended for want of data, and no data have come back since. */
  readonly isQuestion?: boolean;
  /** Keeps news of a live firing back. */
  readonly hold?: NoticeHold | undefined;
  /** Puts news of the end off. */
  readonly endHold?: NoticeHold | undefined;
  /** Why the end is not told. */
  readonly endsUntold?: NoticeHold | undefined;
  /** Of a firing that flaps: Unix seconds of its last change; undefined = it flaps no more. */
  readonly changed?: number | undefined;
}

export type Timing = Pick<Route, "group_interval" | "repeat_interval" | "clear" | "steps" | "loop"> & {
  readonly group_wait: number;
};

export interface Facts {
  /** Unix seconds. */
  readonly now: number;
  readonly timing: Timing;
  /** By invocation. Of one that is gone there is nothing to know. */
  readonly sights: ReadonlyMap<string, Sight>;
  /** The route is outside of its hours. */
  readonly closed?: NoticeHold | undefined;
  /** Whether a time of the route's digest has come since a notice; absent = the route has none. */
  readonly digestDue?: ((since: number) => boolean) | undefined;
  /** Why a receiver cannot be told anything; undefined = it can. */
  readonly unreachable: (receiver: string) => NoticeHold | undefined;
  /** Why a receiver must not be told more now; undefined = it may. */
  readonly full: (receiver: string, severity: string) => NoticeHold | undefined;
  readonly newId: () => string;
}

/** A notice that is to be sent. */
export interface Draft {
  readonly id: string;
  readonly receiver: string;
  readonly seq: number;
  readonly kind: Notice["kind"];
  readonly severity: string;
  /** Ids of invocations. */
  readonly new: readonly string[];
  readonly repeated: readonly string[];
  readonly over: readonly string[];
  readonly still: readonly string[];
}

export const NEVER = Number.POSITIVE_INFINITY;

export const isLive = ({ ended }: Pick<Member, "ended">): boolean => ended === undefined;
export const isFree = (member: Member): boolean => isLive(member) && member.hold === undefined;

/** The beginning of a flapping that goes on. */
export const flapOf = ({ flap }: Pick<Member, "flap">): number | undefined =>
  flap?.settled === undefined ? flap?.since : undefined;

/** The invocation that a member stands for now. */
export const latestOf = ({ invocation, flap }: Pick<Member, "invocation" | "flap">): string =>
  flap?.latest ?? invocation;

/** When a flapping is over unless something changes before. */
export const settlesAt = (flap: Flap | undefined, { changed }: Pick<Sight, "changed">): number =>
  flap && flap.settled === undefined ? (changed ?? Number.NEGATIVE_INFINITY) + flap.quiet : NEVER;

/** Whether a receiver has heard of a firing and not of its end. */
export const isUncleared = ({ told }: Member, receiver: string): boolean => {
  const mark = told[receiver];
  return mark !== undefined && mark.cleared === undefined && !mark.failed;
};

export const worst = (members: readonly Pick<Member, "severity">[]): string | undefined =>
  members.map(({ severity }) => severity).toSorted((a, b) => weightOf(b) - weightOf(a))[0];

/** The member as it is now. One that flaps is live all the time. */
export function lookAt(member: Member, { now, sights }: Pick<Facts, "now" | "sights">): Member {
  const { free, hold: _hold, ended, question: _question, ...rest } = member;
  const sight = sights.get(member.invocation);
  if (!sight) return { ...rest, ended: ended ?? now };
  const flap = rest.flap && flapNow(rest.flap, sight, now);
  const seen: Member = { ...rest, severity: sight.severity, ...(flap && { flap }) };
  if (sight.ended !== undefined && flapOf(seen) === undefined)
    return { ...seen, ended: sight.ended, ...(sight.isQuestion ? { question: true } : {}) };
  const hold = acknowledgementOf(flap) ?? sight.hold;
  return hold ? { ...seen, hold } : { ...seen, free: free ?? now };
}

function flapNow(flap: Flap, sight: Sight, now: number): Flap {
  const seen = withAcknowledged(flap, sight.hold, now);
  return settlesAt(seen, sight) <= now ? { ...seen, settled: now } : seen;
}

function acknowledgementOf(flap: Flap | undefined): NoticeHold | undefined {
  const { acknowledged } = flap ?? {};
  const { of: _of, ...by } = acknowledged ?? {};
  return acknowledged && ({ kind: "acknowledgement", ...by } as NoticeHold);
}

import { weightOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import type { Member, Notice, NoticeHold, Route } from "../../model.ts";
import { type Flap, withAcknowledged } from "../flapping/flap.ts";
import type { TakenOver } from "../people/taken-over.ts";
import { settling } from "./settling.ts";

/** Current facts about a firing. */
export interface Sight {
  readonly severity: string;
  /** Unix seconds of its end; undefined = it is live. */
  readonly ended?: number | undefined;
  /** The firing ended for missing data, and no data have arrived since. */
  readonly isQuestion?: boolean;
  /** Hold on news of a live firing. */
  readonly hold?: NoticeHold | undefined;
  /** Additional holds at the same time. */
  readonly also?: readonly NoticeHold[];
  /** Name of the user who acknowledged it, or the link that was used. */
  readonly taker?: string | undefined;
  /** Unix seconds of the last data about it, if it was held by something that leaves time to settle. */
  readonly sampled?: number | undefined;
  /** Hold that delays news of the end. */
  readonly endHold?: NoticeHold | undefined;
  /** The reason why the end is never reported. */
  readonly endsUntold?: NoticeHold | undefined;
  /** Whether only its end is reported. */
  readonly isQuiet?: boolean | undefined;
  /** For a flapping firing: Unix seconds of its last change; undefined = it no longer flaps. */
  readonly changed?: number | undefined;
}

export type Timing = Pick<Route, "group_interval" | "repeat_interval" | "clear" | "tell_brief" | "steps" | "loop"> & {
  readonly group_wait: number;
};

export interface Facts {
  /** Unix seconds. */
  readonly now: number;
  readonly timing: Timing;
  /** By invocation; a deleted invocation has no entry. */
  readonly sights: ReadonlyMap<string, Sight>;
  /** Seconds that a firing has to end by itself after its hold has ended; absent = 120. */
  readonly settle?: number;
  /** The hold of a route that is outside its hours. */
  readonly closed?: NoticeHold | undefined;
  /** Whether a time of the route's digest has passed since a notice; absent = the route has no digest. */
  readonly digestDue?: ((since: number) => boolean) | undefined;
  /** Unix seconds of the digest's next time. */
  readonly digestAt?: number | undefined;
  /** The reason why a receiver cannot be notified; undefined = it can. `former`: people who were notified while on duty. */
  readonly unreachable: (receiver: string, former?: readonly string[]) => NoticeHold | undefined;
  /**
   * Whether nobody reads notices to a receiver now, so that the next step begins at once; absent = all are read. The notice is
   * still sent.
   */
  readonly isUnheard?: ((receiver: string) => boolean) | undefined;
  /** Whether a receiver is a service that keeps the state of a problem. */
  readonly keepsState: (receiver: string) => boolean;
  /** Whether the only reader of a receiver is the person who acknowledged. */
  readonly isTaker: (receiver: string, taker: string) => boolean;
  /** Name of the person on duty behind a receiver; undefined = it is no rota, or nobody is on duty. */
  readonly onDuty: (receiver: string) => string | undefined;
  /** The hold of a receiver that has had its maximum of notices for now; undefined = more are allowed. */
  readonly full: (receiver: string, severity: string) => NoticeHold | undefined;
  readonly newId: () => string;
}

/** A notice that the decision will send. */
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
  /** Firings that ended before their notice. */
  readonly brief?: readonly string[];
  readonly acknowledged?: TakenOver;
  readonly hand_over?: true;
  /** Names of users. */
  readonly former?: readonly string[];
}

const SETTLE_SEC = 120;

export const NEVER = Number.POSITIVE_INFINITY;

export const isLive = ({ ended }: Pick<Member, "ended">): boolean => ended === undefined;
export const isFree = (member: Member): boolean => isLive(member) && member.hold === undefined;

/** Unix seconds at which ongoing flapping began; undefined = the firing does not flap. */
export const flapOf = ({ flap }: Pick<Member, "flap">): number | undefined =>
  flap?.settled === undefined ? flap?.since : undefined;

/** The invocation that a member currently stands for. */
export const latestOf = ({ invocation, flap }: Pick<Member, "invocation" | "flap">): string =>
  flap?.latest ?? invocation;

/** Unix seconds at which flapping will be over if nothing changes before. */
export const settlesAt = (flap: Flap | undefined, { changed }: Pick<Sight, "changed">): number =>
  flap && flap.settled === undefined ? (changed ?? Number.NEGATIVE_INFINITY) + flap.quiet : NEVER;

/** Whether a receiver was notified of a firing but not of its end. */
export const isUncleared = ({ told }: Member, receiver: string): boolean => {
  const mark = told[receiver];
  return mark !== undefined && mark.cleared === undefined && !mark.failed;
};

/** Whether the route still names a receiver; a receiver that was dropped is notified only of ends. */
export const isNamed = (receiver: string, { timing }: Pick<Facts, "timing">): boolean =>
  timing.steps.some(({ to }) => to.includes(receiver));

/**
 * The reason why a receiver is not notified of an end. A service that keeps states is notified even if the firing was
 * acknowledged without notice of the end, because it would otherwise keep the state forever.
 */
export function endUntold(
  { invocation }: Member,
  receiver: string,
  { sights, keepsState }: Facts,
): NoticeHold | undefined {
  const by = sights.get(invocation)?.endsUntold;
  return by?.kind === "acknowledgement" && keepsState(receiver) ? undefined : by;
}

export const worst = (members: readonly Pick<Member, "severity">[]): string | undefined =>
  members.map(({ severity }) => severity).toSorted((a, b) => weightOf(b) - weightOf(a))[0];

/** The member updated with the current facts. A flapping member stays live all the time. */
export function lookAt(
  member: Member,
  { now, sights, settle = SETTLE_SEC }: Pick<Facts, "now" | "sights" | "settle">,
): Member {
  const { free, hold: before, also: behind, ended, question: _question, ...known } = member;
  const sight = sights.get(member.invocation);
  if (!sight) return { ...known, ended: ended ?? now };
  const rest = { ...known, ...lateness([before, ...(behind ?? [])], sight, now) };
  const flap = rest.flap && flapNow(rest.flap, sight, now);
  const seen: Member = { ...rest, severity: sight.severity, ...(flap && { flap }) };
  if (sight.ended !== undefined && flapOf(seen) === undefined)
    return { ...seen, ended: sight.ended, ...(sight.isQuestion ? { question: true } : {}) };
  const [hold, ...also] = holdsOf(flap, sight, settling(before, { now, settle, sampled: sight.sampled }));
  if (!hold) return { ...seen, free: free ?? now };
  return { ...seen, hold, ...(also.length > 0 ? { also } : {}) };
}

/** Records the silence or snooze that ended before the firing did, since the notice mentions it. */
function lateness(
  before: readonly (NoticeHold | undefined)[],
  { hold, also = [] }: Sight,
  now: number,
): Pick<Member, "late"> {
  const quiet = before.find((each) => each?.kind === "silence" || each?.kind === "snooze");
  const isSame = (each: NoticeHold | undefined): boolean => each?.kind === quiet?.kind && each?.id === quiet?.id;
  return !quiet || [hold, ...also].some(isSame) ? {} : { late: { ...quiet, until: Math.min(quiet.until ?? now, now) } };
}

/** Holds in the order of the contract. The acknowledgement of an earlier firing of a flapping episode applies to the newest. */
function holdsOf(flap: Flap | undefined, { hold, also = [] }: Sight, after: NoticeHold | undefined): NoticeHold[] {
  const now = hold ? [hold, ...also] : [];
  const taken = now.some(({ kind }) => kind === "acknowledgement") ? undefined : acknowledgementOf(flap);
  return [taken, ...now, now.length === 0 ? after : undefined].flatMap((each) => each ?? []);
}

/** Whether the firing is acknowledged, possibly among other holds. */
export const isTaken = ({ hold, also = [] }: Pick<Member, "hold" | "also">): boolean =>
  [hold, ...also].some((each) => each?.kind === "acknowledgement");

function flapNow(flap: Flap, sight: Sight, now: number): Flap {
  const taken = [sight.hold, ...(sight.also ?? [])].find((each) => each?.kind === "acknowledgement");
  const seen = withAcknowledged(flap, taken, now);
  return settlesAt(seen, sight) <= now ? { ...seen, settled: now } : seen;
}

function acknowledgementOf(flap: Flap | undefined): NoticeHold | undefined {
  const { acknowledged } = flap ?? {};
  const { of: _of, ...by } = acknowledged ?? {};
  return acknowledged && ({ kind: "acknowledgement", ...by } as NoticeHold);
}

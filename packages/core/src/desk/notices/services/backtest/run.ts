import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import { createBreath } from "../../../../kernel/breath.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { twoAtOnce } from "../../../../kernel/trials.ts";
import { rotaCollection } from "../../collection.ts";
import type { NoticeHold, Receiver, Route } from "../../model.ts";
import { type PastFiring, type PastRules, type Replayed, replay } from "../../rules/backtest/replay.ts";
import { perHourOf } from "../../rules/delivery/rate.ts";
import { keepsState } from "../../rules/providers/names.ts";
import { type Firing, waitOf } from "../../rules/routing/match.ts";
import { createDuty } from "../duty.ts";
import { firingOf, possibleSubjects } from "../firings.ts";
import { createHours } from "../hours.ts";
import { type PastSpan, pastFiring, pastHolds, pastInvocations, type Read } from "./past.ts";

/** Rules to be tried out over the firings that are stored. */
export interface NoticeBacktest extends PastSpan {
  readonly read: Read;
  readonly signal: AbortSignal;
  readonly routes: readonly Route[];
  readonly receivers: ReadonlyMap<string, Receiver>;
  /** Definitions as they are tried out; undefined = without it. */
  readonly alertOf: (id: string) => Alert | undefined;
  readonly isMeant: (invocation: Invocation) => boolean;
  /** Minutes after which each firing is acknowledged; undefined = as it was. */
  readonly acknowledgeAfter: number | undefined;
}

/** Undefined = there is more to look at than is allowed. */
export interface BacktestedNotices extends Replayed {
  readonly firings: readonly PastFiring[];
  readonly invocations: ReadonlyMap<string, Invocation>;
}

/** Tells what would have been told. Nothing is stored or sent. Throws `RateError` while too many run. */
export type BacktestNotices = (request: NoticeBacktest) => Promise<BacktestedNotices | undefined>;

export const MAX_FIRINGS = 5000;
const MOST = { notices: 10_000, looks: 5_000_000 };
/** What fired within a day before may flap, be due for a repetition, or end. Seconds. */
const LEAD_SEC = 86_400;

type Deps = Pick<
  Cradle,
  "alerts" | "checks" | "clock" | "config" | "definitions" | "expectations" | "heartbeats" | "servers" | "snapshot"
>;

export const createNoticeBacktest = (deps: Deps): BacktestNotices =>
  twoAtOnce("Too many back-tests are running.", (request) => run(deps, request));

async function run(deps: Deps, request: NoticeBacktest): Promise<BacktestedNotices | undefined> {
  const { from, to, read, signal, isMeant } = request;
  const found = await pastInvocations(read, { from: from - LEAD_SEC, to }, MAX_FIRINGS + 1);
  if (found.length > MAX_FIRINGS) return undefined;
  const meant = found.filter(isMeant);
  const firings = await firingsOf(deps, request, meant);
  const rules = await rulesOf(deps, request, firings);
  const breathe = createBreath(deps.clock, signal);
  const steps = replay(firings, rules, MOST);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done)
      return { ...step.value, firings, invocations: new Map(meant.map((invocation) => [invocation.id, invocation])) };
    await breathe();
    signal.throwIfAborted();
  }
}

async function firingsOf(
  deps: Deps,
  { read, alertOf, acknowledgeAfter }: NoticeBacktest,
  invocations: readonly Invocation[],
): Promise<PastFiring[]> {
  const holds = await pastHolds(read, invocations);
  return invocations.flatMap((invocation) => {
    const alert = alertOf(invocation.alert);
    const firing = alert && firingOf(deps, invocation);
    if (!alert?.enabled || !firing) return [];
    return [pastFiring(invocation, { alert, firing, holds: holds.get(invocation.id) ?? [], acknowledgeAfter })];
  });
}

async function rulesOf(
  deps: Deps,
  { to, read, routes, receivers, alertOf }: NoticeBacktest,
  firings: readonly PastFiring[],
): Promise<PastRules> {
  const subjects = new Map<string, number>();
  for (const id of new Set(firings.map(({ firing }) => firing.alert))) {
    const alert = alertOf(id);
    if (alert) subjects.set(id, await read((tx) => possibleSubjects(tx, deps, alert)));
  }
  const { personOn, ...past } = timesOf(deps);
  const onDuty = (id: string, at: number): string | undefined => {
    const receiver = receivers.get(id);
    return receiver?.type === "rota" ? personOn(receiver, at) : undefined;
  };
  return {
    ...{ until: Math.floor(to), routes, ...past },
    waitOf: (route: Route, { alert }: Firing) => waitOf(route, subjects.get(alert) ?? 2),
    onDuty,
    keepsState: (id) => keepsState(receivers.get(id) ?? { type: "" }),
    unreachable(id, at, former = []) {
      const receiver = receivers.get(id);
      const isStaffed = receiver?.type !== "rota" || onDuty(id, at) !== undefined || former.length > 0;
      const isThere = receiver?.enabled && isStaffed;
      return isThere ? undefined : ({ kind: "receiver", id, title: receiver?.title ?? "" } satisfies NoticeHold);
    },
    perHour: (id, severity) => perHourOf(receivers.get(id), severity),
    hasHours:
      routes.some(({ active, digest }) => active.length > 0 || Boolean(digest)) ||
      [...receivers.values()].some(({ type }) => type === "rota"),
  };
}

/** Hours and duties by a clock that stands where it is put. */
function timesOf({ config, clock, definitions }: Deps) {
  let now = 0;
  const then = { ...clock, now: () => now };
  const hours = createHours({ clock: then, config });
  const duty = createDuty({ clock: then, definitions });
  return {
    isOpen(route: Route, at: number) {
      now = at;
      return hours.isOpen(route);
    },
    isDigestDue(digest: NonNullable<Route["digest"]>, since: number, at: number) {
      now = at;
      return hours.isDigestDue(digest, since);
    },
    personOn({ rota: id = "" }: Receiver, at: number) {
      const rota = definitions.get(rotaCollection, id);
      return rota && duty.at(rota, at);
    },
  };
}

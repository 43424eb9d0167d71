import { withoutResult } from "../../../../fleet/actions/rules/list.ts";
import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, below, hasWord, type SearchNode } from "../../../../search/ast.ts";
import { noticeCollection, problemCollection } from "../../collection.ts";
import type { Notice, NoticeHold, Problem, Route } from "../../model.ts";
import { DELIVER_KIND } from "../../rules/delivery/delivery.ts";
import { HOUR, perHourOf, type Usage } from "../../rules/delivery/rate.ts";
import type { Draft, Facts, Timing } from "../../rules/problem/facts.ts";
import { type Settled, settle } from "../../rules/problem/settle.ts";
import { mismatch, waitOf } from "../../rules/routing/match.ts";
import { firingOf, possibleSubjects } from "../problems/firings.ts";
import { lastOf } from "../problems/last-of.ts";
import { routeOf } from "../problems/routes.ts";
import { actionRouteOf, targetIn } from "../receivers/action-routes.ts";
import { receiverOf } from "../receivers/receiver-of.ts";
import { keepDecisions } from "./decisions.ts";
import type { DutyRoster } from "./duty.ts";
import type { Hours } from "./hours.ts";
import { readersOf, unheardOf } from "./readers.ts";
import { look, type Routing } from "./sights.ts";
import { withTwins } from "./twins.ts";

export type DecideDeps = Pick<
  Cradle,
  | ("alerts" | "apart" | "checks" | "clock" | "config" | "definitions" | "expectations")
  | ("heartbeats" | "ids" | "live" | "mailer" | "servers" | "snapshot" | "state" | "transact")
>;

/** A decision about an open problem, and whether anything is to be stored or sent. */
export interface Decided extends Settled {
  readonly stored: Problem;
  readonly isChanged: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** Decides about one problem and stores nothing; undefined = it is closed or gone. */
export async function decisionOn(tx: ReadTx, deps: DecideDeps, times: Times, id: string): Promise<Decided | undefined> {
  const stored = await tx.collection(problemCollection).get(id);
  if (!stored || stored.closed !== null) return undefined;
  const route = routeOf(deps, stored.route) ?? actionRouteOf(deps, stored);
  const routingOf = createRouting(deps, stored, route);
  const seen = await look(tx, deps, stored, routingOf, times.breathe);
  const { sights } = seen;
  const members = await withTwins(tx, deps, { ...stored, members: [...seen.members] });
  const facts: Facts = { ...(await factsOf(tx, deps, times, { route, problem: stored })), sights };
  const { problem, drafts } = settle({ ...stored, members: [...members] }, facts);
  const isChanged = drafts.length > 0 || JSON.stringify(problem) !== JSON.stringify(stored);
  return { stored, problem, drafts, isChanged, now: facts.now };
}

/** Decides about one open problem, in one transaction under its lock; answers the time at which something is due next. */
export async function decideOne(deps: DecideDeps, times: Times, id: string): Promise<number | undefined> {
  return deps.transact(async (unit) => {
    const { tx, emit } = unit;
    await tx.lock(`notices:problem:${id}`);
    const decided = await decisionOn(tx, deps, times, id);
    if (!decided?.isChanged) return dueOf(decided);
    const { stored, problem, drafts, now } = decided;
    await tx.collection(problemCollection).update(id, () => problem);
    await keepDecisions(tx, stored, problem, now);
    for (const draft of drafts) await send(unit, deps, { problem, draft, now });
    if (problem.closed !== null) emit("problem.closed", { id });
    return dueOf(decided);
  });
}

/** Unix seconds at which something is due for the problem; undefined = nothing is. */
export const dueOf = (decided: Decided | undefined): number | undefined => decided?.problem.due ?? undefined;

/** How firings are routed: by a route, or by the actions that replace one. */
function createRouting(deps: DecideDeps, problem: Problem, route: Route | undefined): (found: Invocation) => Routing {
  if (problem.title === undefined)
    return (invocation) => ({
      isRouted: route !== undefined && Boolean(route.enabled) && isFor(deps, route, invocation),
    });
  return (invocation) => {
    const target = targetIn(deps, problem, invocation);
    const isJudged = Boolean(deps.alerts.definition(invocation.alert)?.enabled);
    return {
      isRouted: target !== undefined,
      isQuiet: target !== undefined && target.fires === undefined,
      tellsEnd: isJudged && target?.ends !== undefined,
    };
  };
}

/**
 * Whether a route that once matched a firing still does, as both are now. A server that has moved to other groups since then also
 * keeps the routes of its earlier groups.
 */
function isFor(deps: DecideDeps, route: Route, invocation: Invocation): boolean {
  const firing = firingOf(deps, invocation);
  if (!firing) return true;
  const groups = [...new Set([...firing.groups, ...invocation.groups])];
  return mismatch(route, { ...firing, groups }) === undefined;
}

/** Opening hours of routes, and people on duty. */
export interface Times {
  readonly hours: Hours;
  readonly duty: DutyRoster;
  readonly breathe: () => Promise<void>;
}

interface About {
  readonly route: Route | undefined;
  readonly problem: Problem;
}

async function factsOf(
  tx: ReadTx,
  deps: DecideDeps,
  { hours, duty }: Times,
  { route, problem }: About,
): Promise<Omit<Facts, "sights">> {
  const now = Math.floor(deps.clock.now());
  const receivers = [...new Set([...Object.keys(problem.sides), ...(route?.steps.flatMap(({ to }) => to) ?? [])])];
  const counts = new Map<string, Usage>();
  for (const receiver of receivers) counts.set(receiver, await usageOf(tx, receiver, now));
  const crowded = await crowding(tx, deps, now);
  const closed = route && hours.closedNow(route);
  const digest = route?.digest;
  return {
    now,
    settle: deps.config.notices.settle_sec,
    timing: await timingOf(tx, deps, { route, problem }),
    ...(closed ? { closed } : {}),
    ...(digest ? { digestDue: (since) => hours.isDigestDue(digest, since), digestAt: hours.nextDigest(digest) } : {}),
    ...readersOf(deps, duty, problem),
    isUnheard: await unheardOf(tx, deps, { duty, steps: route?.steps ?? [] }),
    full: (id, severity) => fullness(deps, { id, severity, usage: counts.get(id) }) ?? crowded,
    newId: () => deps.ids.short("no"),
  };
}

/** Timing for a route that was removed: only ends are still reported. */
const GONE: Timing = { group_wait: 0, group_interval: 300, repeat_interval: 0, clear: "all", steps: [], loop: 0 };

async function timingOf(tx: ReadTx, deps: DecideDeps, { route, problem }: About): Promise<Timing> {
  if (!route) return GONE;
  const alert = deps.alerts.definition(problem.members[0]?.alert ?? "");
  const subjects = alert ? await possibleSubjects(tx, deps, alert) : 2;
  return { ...route, group_wait: waitOf(route, subjects) };
}

const notSkipped: SearchNode = { kind: "not", node: hasWord("outcome", "skipped") };

/**
 * Notices of the past hour to one receiver, or to all if `receiver` is undefined. Notices with a future date are ignored, as a
 * clock that was set back since wrote them; so are skipped ones, which reached nobody.
 */
async function usageOf(tx: ReadTx, receiver: string | undefined, now: number): Promise<Usage> {
  const lately = allOf([above("date", now - HOUR), below("date", now + 1), notSkipped]);
  const where: SearchNode = receiver === undefined ? lately : allOf([hasWord("receiver", receiver), lately]);
  const { rows, total } = await tx.collection(noticeCollection).find(where, { sortBy: "date", limit: 1 });
  return { count: total, oldest: rows[0]?.date ?? now };
}

/** The hold once all receivers together have had the maximum number of notices per hour. */
async function crowding(tx: ReadTx, { config }: DecideDeps, now: number): Promise<NoticeHold | undefined> {
  const most = config.notices.max_per_hour;
  const usage = most === 0 ? undefined : await usageOf(tx, undefined, now);
  if (!usage || usage.count < most) return undefined;
  return { kind: "rate", id: "", title: "all receivers", until: usage.oldest + HOUR };
}

interface Filling {
  readonly id: string;
  readonly severity: string;
  readonly usage: Usage | undefined;
}

function fullness(deps: DecideDeps, { id, severity, usage }: Filling): NoticeHold | undefined {
  const receiver = receiverOf(deps, id);
  const most = perHourOf(receiver, severity);
  if (most === 0 || !usage || usage.count < most) return undefined;
  return { kind: "rate", id, title: receiver?.title ?? "", until: usage.oldest + HOUR };
}

interface Sending {
  readonly problem: Problem;
  readonly draft: Draft;
  /** Unix seconds. */
  readonly now: number;
}

interface Found {
  readonly isEnd: boolean;
  readonly found: readonly (Invocation | undefined)[];
}

/** The action that sends a notice, for a receiver that stands for actions. */
function actionIn(deps: DecideDeps, problem: Problem, { isEnd, found }: Found): Pick<Notice, "action" | "title"> {
  if (problem.title === undefined) return {};
  const targets = found.flatMap((invocation) => (invocation && targetIn(deps, problem, invocation)) ?? []);
  const [action] = targets.flatMap(({ fires, ends }) => (isEnd ? ends : (fires ?? ends)) ?? []);
  return action ? { action: withoutResult(action), title: problem.title } : { title: problem.title };
}

/** Inserts the notice in the transaction of the decision, so that it is sent at least once even after a crash. */
async function send({ tx, emit }: Unit, deps: DecideDeps, { problem, draft, now }: Sending): Promise<void> {
  const { id, receiver, kind } = draft;
  const { brief, acknowledged, hand_over, former } = draft;
  const others = [...(brief ?? []), ...(acknowledged?.invocations ?? []), ...(hand_over ? draft.still : [])];
  const named = [...draft.new, ...draft.repeated, ...draft.over, ...others];
  const found = await tx.collection(invocationRecords).getMany(named);
  const last = await lastOf(tx, deps, { receiver, usage: await usageOf(tx, receiver, now) });
  const notice: Notice = {
    id,
    problem: problem.id,
    receiver,
    route: problem.route,
    seq: draft.seq,
    kind,
    date: now,
    new: [...draft.new],
    repeated: [...draft.repeated],
    over: [...draft.over],
    still: [...draft.still],
    ...(brief ? { brief: [...brief] } : {}),
    ...(acknowledged ? { acknowledged } : {}),
    ...(hand_over ? { hand_over } : {}),
    ...(former ? { former: [...former] } : {}),
    ...(last ? { last } : {}),
    severity: draft.severity,
    alerts: [...new Set(found.flatMap((invocation) => invocation?.alert ?? []))],
    subjects: [...new Set(found.flatMap((invocation) => (invocation ? placeOf(invocation) : [])))],
    groups: [...new Set(found.flatMap((invocation) => invocation?.groups ?? []))],
    categories: [...new Set(found.flatMap((invocation) => invocation?.category ?? []))],
    outcome: "pending",
    text: "",
    attempts: 0,
    next: now,
    ...actionIn(deps, problem, { isEnd: kind === "cleared", found }),
  };
  await tx.collection(noticeCollection).insert(notice);
  await tx.enqueue(DELIVER_KIND, { receiver }, { key: receiver });
  emit("notice.decided", { id, problem: problem.id, receiver, kind });
}

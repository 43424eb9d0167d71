import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import { healthCollection, noticeCollection, problemCollection } from "../../collection.ts";
import type { Notice, Receiver } from "../../model.ts";
import { isFallbackDue, isTooLarge, isUnanswered, nextAttempt, SHORT_LIST } from "../../rules/delivery/attempts.ts";
import { type Delivery, statusIn } from "../../rules/delivery/delivery.ts";
import { afterAttempt, triedAgainAt, turnOf } from "../../rules/delivery/health.ts";
import { afterRequest, pacedAt, paceOf } from "../../rules/delivery/pace.ts";
import { withFailed } from "../../rules/problem/marks.ts";
import type { HoldsBack } from "../../rules/texts/holds-back.ts";
import { keepDecisions } from "../decisions/decisions.ts";
import { fallbackOf, tellFallback, tellTurn } from "./fallback.ts";
import { noteResults } from "./results.ts";
import type { Carried } from "./service-call.ts";

/** Result of an attempt at a notice. */
interface Attempted {
  readonly notice: Notice;
  readonly receiver: Receiver | undefined;
  readonly text: string;
  readonly holdsBack: HoldsBack | undefined;
  /** Id of the firing that represents all of them. */
  readonly lead: string;
  readonly outcome: Carried;
  /** Milliseconds that the attempt took. */
  readonly elapsedMs: number;
}

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "ids" | "storage" | "transact">;

/** Unix seconds of the earliest time at which a receiver may be tried. */
export async function attemptAt(
  tx: ReadTx,
  receiver: Receiver | undefined,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<number> {
  const health = await tx.collection(healthCollection).get(id);
  const pace = receiver && paceOf(receiver);
  const paced = pace ? Math.ceil(pacedAt(health?.takenIn, now, pace)) : Number.NEGATIVE_INFINITY;
  // A time in the future was stored before the clock was set back.
  const again = health && health.tried <= now ? triedAgainAt(health) : undefined;
  return Math.max(paced, again ?? Number.NEGATIVE_INFINITY);
}

/** Stores the result of an attempt, and notifies the fallback if the notice did not arrive. */
export async function settleOutcome(attempted: Attempted, deps: Deps): Promise<void> {
  const { clock, storage, transact } = deps;
  const { notice, text, holdsBack } = attempted;
  const { resultId: ref, sentTo } = attempted.outcome;
  const now = Math.floor(clock.now());
  const { begun = now } = notice;
  const came = cameOf(attempted, storage.coordination.nodeId, now);
  const { state, result, deliveries, next = now, shorter } = came;
  const places = sentTo && sentTo.length > 0 ? { sent_to: [...sentTo] } : {};
  const heldBack = holdsBack ? { holds_back: holdsBack } : {};
  const named = { ...(ref === undefined ? {} : { ref }), ...places, ...heldBack, ...shorter };
  const changes = { outcome: state, text, result, deliveries, ...named, begun, next };
  await transact(async (unit) => {
    await unit.tx.lock(`notices:problem:${notice.problem}`);
    const notices = unit.tx.collection(noticeCollection);
    if (!isStillOurs(await notices.get(notice.id), notice)) return;
    await notices.update(notice.id, (stored) => ({ ...stored, ...changes }));
    await tellOutcome(unit, deps, attempted, { state, description: result.description, now });
  });
}

interface Outcome {
  readonly state: Notice["outcome"];
  readonly description: string;
  readonly now: number;
}

/** Notes the result in firings, receiver health and in-process events, and notifies the fallback. */
async function tellOutcome(
  unit: Unit,
  deps: Deps,
  attempted: Attempted,
  { state, description, now }: Outcome,
): Promise<void> {
  const { tx, emit } = unit;
  const { alerts, clock } = deps;
  const { id, problem, receiver, kind, date, severity, attempts } = attempted.notice;
  if (state !== "pending" || attempts === 1) await noteResults(unit, { alerts }, { ...attempted, date: now });
  const outcome = state === "sent" || state === "pending" ? state : "failed";
  await noteHealth(unit, deps, attempted, { outcome, description, now, exactly: clock.now() });
  if (outcome === "sent") emit("notice.sent", { id, problem, receiver, kind });
  if (outcome === "failed") await giveUp(unit, deps, attempted, { now, isUncertain: state === "uncertain" });
  else if (outcome === "pending" && isFallbackDue({ severity, date, now }))
    await tellFallback(unit, attempted, await fallbackOf(tx, deps, attempted), now);
}

/** False when another node has taken the notice over, which happens if this node stood still for longer than its claim lasted. */
export const isStillOurs = (stored: Notice | undefined, { attempts }: Notice): boolean =>
  stored?.outcome === "pending" && stored.attempts === attempts;

/** Maximum attempts stored with a notice. */
const MAX_DELIVERIES = 20;

/** Changes of a notice after an attempt; without `next` there are no more attempts. */
function cameOf({ notice, outcome }: Attempted, node: string, now: number) {
  const { code, description, isFinal, waitSec, resultId: ref } = outcome;
  const { date, attempts, begun: first = now } = notice;
  const shorter = code === 0 ? undefined : shorterAfter(description, notice);
  const again = code === 0 ? undefined : nextAttempt({ date, first, attempts, now, description, isFinal, waitSec });
  const next = shorter ? now : again;
  const result = { code, description: description.slice(0, 1000) };
  const came = code === 0 ? "sent" : isUnanswered(result) ? "uncertain" : "failed";
  const status = statusIn(result.description);
  const delivery: Delivery = {
    attempt: attempts,
    node,
    date: now,
    outcome: came,
    description: result.description,
    ...(status === undefined ? {} : { status }),
    ...(ref === undefined ? {} : { ref }),
  };
  const deliveries = [...(notice.deliveries ?? []), delivery].slice(-MAX_DELIVERIES);
  const state = code === 0 ? "sent" : next === undefined ? givenUp(deliveries) : "pending";
  return { next, result, deliveries, state, shorter } as const;
}

/** A shorter list for a notice that was too large for its service; it is retried with fewer firings. */
function shorterAfter(description: string, notice: Notice): Pick<Notice, "most"> | undefined {
  const { new: fresh, repeated, over, still, brief = [], acknowledged, most } = notice;
  const all = [fresh, repeated, over, still, brief, acknowledged?.invocations ?? []];
  const count = all.reduce((sum, { length }) => sum + length, 0);
  return isTooLarge(description) && most === undefined && count > SHORT_LIST ? { most: SHORT_LIST } : undefined;
}

/** A notice with one unanswered attempt may have arrived. */
const givenUp = (deliveries: readonly Delivery[]): "uncertain" | "failed" =>
  deliveries.some(({ outcome }) => outcome === "uncertain") ? "uncertain" : "failed";

type Came = Parameters<typeof afterAttempt>[1] & {
  /** Unix seconds with fractions. */
  readonly exactly: number;
};

async function noteHealth(unit: Unit, deps: Deps, { notice, receiver }: Attempted, came: Came): Promise<void> {
  if (!receiver) return;
  const { tx, audit } = unit;
  const { id, title } = receiver;
  const stored = await tx.collection(healthCollection).get(id);
  const pace = paceOf(receiver);
  const after = afterAttempt(stored, came);
  const takenIn = pace && afterRequest(stored?.takenIn, came.exactly, pace);
  await tx.overwrite(healthCollection, [{ id, json: JSON.stringify({ ...after, id, takenIn }) }]);
  const turn = turnOf(stored, after);
  const description =
    turn === "receiver_dead" ? `${title} cannot be reached: ${came.description}` : `${title} is reached again`;
  if (!turn) return;
  audit(turn, { description, receiver: { id, title }, keywords: [id, notice.id] });
  const { severity } = notice;
  await tellTurn(unit, deps, { kind: turn, receiver, description: came.description, severity, now: came.now });
}

interface GivenUp {
  readonly now: number;
  /** True when the notice may have arrived, so that its end is reported as well. */
  readonly isUncertain: boolean;
}

async function noteFailed(tx: WriteTx, notice: Notice, now: number): Promise<void> {
  const problems = tx.collection(problemCollection);
  const stored = await problems.get(notice.problem);
  if (!stored) return;
  const failed = withFailed(stored, notice, now);
  await problems.update(stored.id, () => failed);
  await keepDecisions(tx, stored, failed, now);
}

/**
 * Gives a notice up. Its firings count as not reported to the receiver, so that no end is reported either; the fallback is
 * notified. A notice that was resent, or that replaces another, changes no marks of its receiver.
 */
async function giveUp(unit: Unit, deps: Deps, attempted: Attempted, { now, isUncertain }: GivenUp): Promise<void> {
  const { notice, receiver, outcome } = attempted;
  const { tx, emit, audit } = unit;
  const { id, problem, kind, resent, in_place_of: instead } = notice;
  if (!isUncertain && resent === undefined && instead === undefined) await noteFailed(tx, notice, now);
  const title = receiver?.title ?? notice.receiver;
  const fallback = await fallbackOf(tx, deps, attempted);
  const description = `${title}: ${outcome.description}${fallback ? `; ${fallback} is told in its place` : "; no fallback"}`;
  audit("notice_failed", { description, notice: { id, problem, receiver: notice.receiver }, keywords: [id, problem] });
  emit("notice.failed", { id, problem, receiver: notice.receiver, kind });
  await tellFallback(unit, attempted, fallback, now);
}

import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import { noticeCollection } from "../../collection.ts";
import type { Notice, Receiver } from "../../model.ts";
import { isFallbackDue, patienceEnds } from "../../rules/delivery/attempts.ts";
import { DELIVER_KIND } from "../../rules/delivery/delivery.ts";
import { nextFallback } from "../../rules/delivery/fallback.ts";

/** Ids of the receivers that a notice was meant for, one after the other; its own receiver is the last. */
export async function chainOf(tx: ReadTx, { receiver, in_place_of }: Notice): Promise<string[]> {
  const chain = [receiver];
  for (let id = in_place_of; id !== undefined; ) {
    const before: Notice | undefined = await tx.collection(noticeCollection).get(id);
    if (before) chain.unshift(before.receiver);
    id = before?.in_place_of;
  }
  return chain;
}

interface Missed {
  readonly notice: Notice;
  /** Text of the failed notice. */
  readonly text: string;
  readonly receiver: Receiver | undefined;
}

type Deps = Pick<Cradle, "config" | "ids">;

/**
 * Id of the receiver that is notified instead of one that cannot be reached. Resent notices and notices about receivers have no
 * fallback.
 */
export async function fallbackOf(
  tx: ReadTx,
  { config }: Deps,
  { notice, receiver }: Missed,
): Promise<string | undefined> {
  const { kind, resent, turned } = notice;
  // A person has acknowledged already, so the fallback is not needed.
  if (kind === "acknowledged" || resent !== undefined || turned) return undefined;
  return nextFallback(await chainOf(tx, notice), receiver?.fallback, config.notices.fallback);
}

/** Notifies the fallback, once for each notice. */
export async function tellFallback(
  { tx }: Unit,
  { notice, text }: Missed,
  fallback: string | undefined,
  now: number,
): Promise<void> {
  const id = `${notice.id}f`;
  const notices = tx.collection(noticeCollection);
  if (!fallback || (await notices.get(id))) return;
  const { result: _none, deliveries: _others, ref: _ref, action: _action, title: _title, ...rest } = notice;
  const { last: _last, most: _most, begun: _begun, sent_to: _places, ...shared } = rest;
  await notices.insert({
    ...shared,
    id,
    receiver: fallback,
    date: now,
    next: now,
    attempts: 0,
    in_place_of: notice.id,
    text,
    outcome: "pending",
  });
  await tx.enqueue(DELIVER_KIND, { receiver: fallback }, { key: fallback });
}

interface Line {
  /** Waiting notices. */
  readonly waiting: readonly Notice[];
  readonly receiver: Receiver | undefined;
  readonly now: number;
}

/**
 * Notifies the fallback of each notice that has waited too long, behind others or for its next attempt. Answers when the next one
 * will have waited too long, in Unix seconds.
 */
export async function tellLate(unit: Unit, deps: Deps, { waiting, receiver, now }: Line): Promise<number> {
  const late = waiting.filter(({ severity, date }) => isFallbackDue({ severity, date, now }));
  const told = await unit.tx.collection(noticeCollection).getMany(late.map(({ id }) => `${id}f`));
  for (const [at, notice] of late.entries()) {
    const missed = { notice, text: notice.text, receiver };
    if (!told[at]) await tellFallback(unit, missed, await fallbackOf(unit.tx, deps, missed), Math.floor(now));
  }
  return Math.min(Number.POSITIVE_INFINITY, ...waiting.map(patienceEnds).filter((end) => end > now));
}

interface Turn {
  readonly kind: "receiver_dead" | "receiver_back";
  readonly receiver: Receiver;
  readonly description: string;
  /** Severity of the notice whose attempt changed the receiver's state. */
  readonly severity: string;
  readonly now: number;
}

/** Notifies the fallback once when a receiver is dead, and once when it is back. */
export async function tellTurn({ tx, emit }: Unit, { config, ids }: Deps, turn: Turn): Promise<void> {
  const { kind, receiver: of, description, severity, now } = turn;
  const receiver = nextFallback([of.id], of.fallback, config.notices.fallback);
  if (!receiver) return;
  const notices = tx.collection(noticeCollection);
  const about = hasWord("problem", of.id);
  const to = hasWord("receiver", receiver);
  const { total } = await notices.find(allOf([about, to]), { limit: 1 });
  const id = ids.short("no");
  await notices.insert({
    id,
    problem: of.id,
    receiver,
    route: "",
    seq: total + 1,
    kind,
    severity,
    date: now,
    new: [],
    repeated: [],
    over: [],
    still: [],
    groups: [],
    turned: { receiver: of.id, title: of.title, description },
    outcome: "pending",
    text: "",
    attempts: 0,
    next: now,
  });
  await tx.enqueue(DELIVER_KIND, { receiver }, { key: receiver });
  emit("notice.decided", { id, problem: of.id, receiver, kind });
}

import * as z from "zod";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import { lateSignal } from "../../../../kernel/running/loops.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import { noticeCollection, problemCollection } from "../../collection.ts";
import type { Member, Notice, Receiver } from "../../model.ts";
import { inLine, timesAgain } from "../../rules/delivery/attempts.ts";
import { DELIVER_KIND } from "../../rules/delivery/delivery.ts";
import { flapOf, latestOf } from "../../rules/problem/facts.ts";
import { withoutNotice } from "../../rules/problem/marks.ts";
import { idsOf } from "../../rules/problem/tell.ts";
import { turnMessage } from "../../rules/texts/apart.ts";
import { type Composed, messageOf, withAckLink } from "../messages/message.ts";
import { actionReceiver } from "../receivers/action-routes.ts";
import { receiverOf } from "../receivers/receiver-of.ts";
import { attemptAt, isStillOurs, settleOutcome } from "./attempts.ts";
import { tellLate } from "./fallback.ts";
import type { CallDeps } from "./service-call.ts";
import { carry, soleUser } from "./ways.ts";

const Order = object(() => ({ receiver: z.string() }));

/** Seconds for which no other node attempts the same notice. */
const LEASE_SEC = 60;
const RENEW_MS = 20_000;

/**
 * Queued work: sends the waiting notices of one receiver one after another, in the order of the decisions, so that an end never
 * overtakes its firing. After a crash in between, a notice is sent again with the same idempotency key.
 */
export const deliverWorker: WorkHandler = async (item, cradle, signal) => {
  const { receiver } = Order.parse(item.payload);
  for (;;) {
    const notice = await claim(cradle, receiver);
    if (!notice || signal.aborted) return;
    await using _claim = holdClaim(notice, cradle);
    await deliver(notice, cradle, signal);
  }
};

/** Renews the claim on a notice while it is being sent: busy mail servers and slow services can take minutes. */
function holdClaim(
  notice: Notice,
  { clock, log, transact }: Pick<Needs, "clock" | "log" | "transact">,
): AsyncDisposable {
  let renewing = Promise.resolve();
  const renew = (): Promise<void> =>
    transact(async ({ tx }) => {
      const notices = tx.collection(noticeCollection);
      if (!isStillOurs(await notices.get(notice.id), notice)) return;
      await notices.update(notice.id, (stored) => ({ ...stored, next: clock.now() + LEASE_SEC }));
    }).catch((error: unknown) => log.warn({ error, notice: notice.id }, "The claim on a notice could not be renewed"));
  const later = (): Disposable =>
    clock.after(RENEW_MS, () => {
      renewing = renew();
      timer = later();
    });
  let timer = later();
  return {
    async [Symbol.asyncDispose]() {
      timer[Symbol.dispose]();
      await renewing;
    },
  };
}

type Deps = Pick<Cradle, "clock" | "snapshot" | "storage" | "transact">;
type Needs = Deps &
  CallDeps &
  Pick<
    Cradle,
    | "alerts"
    | "config"
    | "definitions"
    | "events"
    | "expressions"
    | "handlers"
    | "ids"
    | "log"
    | "mailer"
    | "noticeLinks"
    | "problems"
    | "webHooks"
  >;

/**
 * Claims the oldest waiting notice. If it is not due yet, the work is put off until it is, or until the fallback must be
 * notified.
 */
async function claim(cradle: Needs, receiver: string): Promise<Notice | undefined> {
  const { alerts, clock, definitions, transact } = cradle;
  return transact(async (unit) => {
    const { tx } = unit;
    await tx.lock(`notices:receiver:${receiver}`);
    const now = clock.now();
    const waiting = await waitingFor(tx, receiver, now);
    const [notice, ...behind] = waiting;
    if (!notice) return undefined;
    const found = receiverOf({ alerts, definitions }, receiver);
    const next = Math.max(notice.next, await attemptAt(tx, found, { id: receiver, now }));
    const isDue = next <= now;
    const late = await tellLate(unit, cradle, { waiting: isDue ? behind : waiting, receiver: found, now });
    if (!isDue) {
      await tx.enqueue(DELIVER_KIND, { receiver }, { key: receiver, runAt: Math.min(next, late) });
      return undefined;
    }
    const known = notice.attempts === 0 ? await withKnownEnds(tx, notice) : notice;
    const claimed = { ...known, attempts: notice.attempts + 1, next: now + LEASE_SEC };
    await tx.collection(noticeCollection).update(notice.id, () => claimed);
    return claimed;
  });
}

/** Removes the ends of firings that were never reported to the receiver: an earlier notice may have been given up since. */
async function withKnownEnds(tx: ReadTx, notice: Notice): Promise<Notice> {
  const { over, problem, receiver, resent, in_place_of: instead } = notice;
  const isOwn = over.length > 0 && resent === undefined && instead === undefined;
  const members = isOwn ? (await tx.collection(problemCollection).get(problem))?.members : undefined;
  if (!members) return notice;
  const isUntold = ({ told }: Member): boolean => told[receiver] === undefined || told[receiver].failed === true;
  const untold = new Set(idsOf(members.filter(isUntold)));
  return { ...notice, over: over.filter((id) => !untold.has(id)) };
}

/** Pending notices to a receiver: the oldest ones, in the order of their decisions. */
async function waitingFor(tx: WriteTx, receiver: string, now: number): Promise<Notice[]> {
  const where = allOf([hasWord("receiver", receiver), hasWord("outcome", "pending")]);
  const notices = tx.collection(noticeCollection);
  const { rows } = await notices.find(where, { sortBy: "date", limit: 100 });
  const waiting: Notice[] = [];
  for (const row of inLine(rows)) {
    const times = timesAgain(row, Math.floor(now));
    waiting.push(times ? await notices.update(row.id, (stored) => ({ ...stored, ...times })) : row);
  }
  return waiting;
}

async function deliver(notice: Notice, cradle: Needs, signal: AbortSignal): Promise<void> {
  if (await isBrief(cradle, notice)) return skip(notice, cradle);
  const { clock, config, definitions, events, handlers, mailer, webHooks } = cradle;
  const ways = { config, definitions, events, mailer, webHooks };
  const { contents, duty } = cradle.problems;
  const { action } = notice;
  const receiver =
    receiverOf(cradle, notice.receiver) ?? (action && actionReceiver({ definitions }, notice.receiver, action));
  const message = await contents.of(notice, () => contentFor(cradle, notice, receiver));
  if (!message) return skip(notice, cradle);
  const beginMs = clock.monotonicMs();
  using late = lateSignal(clock, signal);
  const outcome = receiver?.enabled
    ? await carry(
        { receiver, notice, message, signal: late.signal },
        { ...ways, act: handlers.act, duty, service: cradle },
      )
    : { code: "notice", description: "The receiver is disabled or not found" };
  // A notice that was cut off by the stop is sent after the next start.
  if (late.signal.aborted) return;
  if (outcome.code === 0) contents.forget(notice);
  const { text, lead, holdsBack } = message;
  const elapsedMs = Math.round(clock.monotonicMs() - beginMs);
  await settleOutcome({ notice, receiver, text, lead, holdsBack, outcome, elapsedMs }, cradle);
}

/** Content of a notice. One about a receiver that is dead or back has no firings, and no link to acknowledge. */
async function contentFor(
  cradle: Needs,
  notice: Notice,
  receiver: Receiver | undefined,
): Promise<Composed | undefined> {
  const { config, definitions, noticeLinks, problems } = cradle;
  const { turned } = notice;
  const { base_app_url: baseUrl, client } = config;
  if (turned) return turnMessage({ notice, turned, product: client.name, baseUrl });
  const plain = await messageOf(cradle, notice);
  const reader = receiver && soleUser(receiver, { definitions, duty: problems.duty });
  return plain && withAckLink(plain, receiver && noticeLinks.urlOf(notice, receiver, reader));
}

/** Whether all firings of a notice ended before its first attempt. */
async function isBrief({ snapshot }: Deps, notice: Notice): Promise<boolean> {
  const isOfEnds = notice.over.length > 0 || (notice.kind === "digest" && notice.brief !== undefined);
  if (notice.attempts > 1 || isOfEnds || notice.resent !== undefined || notice.turned) return false;
  const { acknowledged, hand_over, still } = notice;
  const named = [...notice.new, ...notice.repeated, ...(acknowledged?.invocations ?? []), ...(hand_over ? still : [])];
  return snapshot(async (tx) => {
    const members = (await tx.collection(problemCollection).get(notice.problem))?.members ?? [];
    const meant = members.filter(({ invocation }) => named.includes(invocation));
    if (meant.some((member) => flapOf(member) !== undefined)) return false;
    const found = await tx.collection(invocationRecords).getMany([...named, ...meant.map(latestOf)]);
    return found.every((invocation) => !invocation?.active);
  });
}

const skip = (notice: Notice, { transact }: Pick<Cradle, "transact">): Promise<void> =>
  transact(async ({ tx }) => {
    await tx.lock(`notices:problem:${notice.problem}`);
    await tx.collection(noticeCollection).update(notice.id, (stored) => ({ ...stored, outcome: "skipped" }));
    const problems = tx.collection(problemCollection);
    // A notice that replaces another never changed the marks of its receiver, so they stay.
    if (notice.in_place_of === undefined && (await problems.get(notice.problem)))
      await problems.update(notice.problem, (stored) => withoutNotice(stored, notice));
  });

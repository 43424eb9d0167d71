import { targetsOf } from "../../../../directory/web-hooks/rules/targets.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ActionOutcome } from "../../../../kernel/plugins/action-type.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import type { WebHookClient } from "../../../../ports/outside/web-hook-client.ts";
import { receiverCollection } from "../../collection.ts";
import type { Notice, Receiver } from "../../model.ts";
import { readAnswer, type Verdict } from "../../rules/providers/answers.ts";
import type { Service } from "../../rules/providers/names.ts";
import { requestOf, type ServiceCall, type ServiceRequest } from "../../rules/providers/requests.ts";
import { isSamePlace, placesOf, presentOf, type SentTo, takenBy } from "../../rules/providers/sent-to.ts";
import type { Message } from "../messages/message.ts";
import { earlierNotices } from "./earlier.ts";

/** Result of an attempt, with what the service asks for; `resultId` is the service's id of the message. */
export interface Carried extends ActionOutcome {
  /** Seconds to wait before the next attempt. */
  readonly waitSec?: number | undefined;
  /** True when the same request would be refused again. */
  readonly isFinal?: boolean | undefined;
  /** Settings with which the service accepted the notice, even if another attempt follows. */
  readonly sentTo?: readonly SentTo[] | undefined;
}

export type CallDeps = Pick<Cradle, "clock" | "config" | "keptSecrets" | "snapshot" | "transact" | "webHookClient">;

/** A notice with its message, and the receiver that it goes to. */
export interface Errand {
  readonly receiver: Receiver;
  readonly notice: Notice;
  readonly message: Message;
  readonly signal: AbortSignal;
}

const failed = (description: string): Carried => ({ code: "notice", description });

/** Sends a notice to a service in that service's format. The rules about targets of web hooks apply. */
export async function callService(service: Service, errand: Errand, deps: CallDeps): Promise<Carried> {
  const { receiver, notice, signal } = errand;
  const { webHookClient: client } = deps;
  if (!client) return failed("Web hooks are not configured: the host gave no web hook client");
  const earlier = await earlierNotices(notice, deps);
  const sentTo = [...(notice.sent_to ?? [])];
  let fault: Verdict | undefined;
  let last: Verdict | undefined;
  for (const place of placesOf(notice, receiver, earlier)) {
    const told = await tellAt(service, { ...errand, place, earlier }, { client, signal, deps });
    if (told.verdict.isGood) sentTo.push(told.place);
    else fault ??= told.verdict;
    last = told.verdict;
  }
  const verdict = fault ?? last;
  return verdict ? { ...carriedBy(verdict), sentTo } : { code: 0, description: "Success", sentTo };
}

interface At extends Errand {
  readonly place: SentTo;
  readonly earlier: readonly Notice[];
}

/** Calls the service with one of the current or former settings of its receiver. */
async function tellAt(service: Service, { receiver, notice, message, place, earlier }: At, sending: Sending) {
  const { deps } = sending;
  const sealed = place.sealed ? await deps.keptSecrets.values(place.sealed) : {};
  const settings = { ...place.settings, ...sealed };
  const preset = { ...message.preset, settings };
  const call: ServiceCall = { preset, key: notice.id, first: firstAt(place, presentOf(receiver), earlier) };
  const ask = (asked: ServiceCall) => send(service, requestOf(service, asked), sending);
  const verdict = await ask(call);
  const { moved } = verdict;
  if (moved === undefined) return { verdict, place };
  await follow(receiver, moved, deps);
  const again = await ask({ ...call, preset: { ...preset, settings: { ...settings, chat: moved } } });
  return { verdict: again, place: { ...place, settings: { ...place.settings, chat: moved } } };
}

const carriedBy = ({ isGood, description, ref, waitSec, isFinal }: Verdict): Carried => ({
  code: isGood ? 0 : "notice",
  description,
  ...(ref === undefined ? {} : { resultId: ref }),
  ...(waitSec === undefined ? {} : { waitSec }),
  ...(isFinal ? { isFinal } : {}),
});

/** The service's id of the first message about the problem that was sent with the same settings. */
const firstAt = (place: SentTo, present: SentTo, earlier: readonly Notice[]): string | undefined =>
  earlier.find((each) => each.ref !== undefined && takenBy(each, present).some((by) => isSamePlace(by, place)))?.ref;

/** Stores the new chat id: Telegram gives a group a new one when it becomes a supergroup. */
const follow = ({ id }: Receiver, chat: string, { transact }: CallDeps): Promise<unknown> =>
  transact(async ({ tx }) => {
    const receivers = tx.collection(receiverCollection);
    if (!(await receivers.get(id))) return;
    await receivers.update(id, (stored) => ({ ...stored, settings: { ...stored.settings, chat } }));
  });

const TIMEOUT_MS = 10_000;

interface Sending {
  readonly client: WebHookClient;
  readonly signal: AbortSignal;
  readonly deps: CallDeps;
}

async function send(service: Service, request: ServiceRequest, { client, signal, deps }: Sending): Promise<Verdict> {
  const { clock, config } = deps;
  const patience = new AbortController();
  const late = new Error(`The service took longer than ${config.action_timeout} s`);
  using _timer = clock.after(config.action_timeout * 1000, () => patience.abort(late));
  const rules = { timeoutMs: TIMEOUT_MS, followRedirects: false, skipCertificateCheck: false };
  try {
    const asked = { ...request, ...rules, targets: targetsOf(config) };
    return readAnswer(service, await client.send(asked, AbortSignal.any([signal, patience.signal])));
  } catch (error) {
    const isRefused = error instanceof TypeError;
    return { isGood: false, description: `Error: ${messageOf(error)}`, isFinal: isRefused };
  }
}

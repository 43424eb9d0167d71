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

/** Result of an attempt, with the wishes of the service; `resultId` is its id of the message. */
export interface Carried extends ActionOutcome {
  /** Seconds before which it need not be tried again. */
  readonly waitSec?: number | undefined;
  /** The same request will be refused again. */
  readonly isFinal?: boolean | undefined;
  /** Settings of the service by which it was taken, also where another attempt is to come. */
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

/** Tells a service in its own words, under the rules about targets that web hooks have. */
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

/** Asks the service by some of the settings that its receiver has or had. */
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

/** Id at the service of the first message about the problem that went by the same settings. */
const firstAt = (place: SentTo, present: SentTo, earlier: readonly Notice[]): string | undefined =>
  earlier.find((each) => each.ref !== undefined && takenBy(each, present).some((by) => isSamePlace(by, place)))?.ref;

/** A group of Telegram that became another has a new id. */
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

import type { Cradle } from "../../../../kernel/container.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import { readableDuration } from "../../../../lib/time/readable.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { WebHookClient, WebHookRequest } from "../../../../ports/outside/web-hook-client.ts";
import type { WebHook } from "../../model.ts";
import type { Redact } from "../../rules/redact.ts";
import { describeHook, statusLine } from "./details.ts";
import type { PreparedHook } from "./prepare.ts";
import { settingsOf } from "./request.ts";
import { type Answer, sendWithRetries } from "./send.ts";

/** Outcome of a firing (docs/contract/web-hooks.md#report). */
export interface WebHookOutcome {
  /** 0 or "webhook". */
  readonly code: number | string;
  readonly description: string;
  /** Markdown; absent when nothing was sent. */
  readonly details?: string;
}

export const failed = (description: string): WebHookOutcome => ({ code: "webhook", description });

interface Order extends PreparedHook {
  readonly client: WebHookClient;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly patienceSec?: number;
}

const NEVER_ABORTED = new AbortController().signal;

/** Sends a prepared hook and logs each delivery in one line, without address and content. */
export async function deliver(
  hook: WebHook,
  { client, request, shown, sign, redact, signal = NEVER_ABORTED, idempotencyKey: delivery, patienceSec }: Order,
  { clock, config, log }: Pick<Cradle, "clock" | "config" | "log">,
): Promise<WebHookOutcome> {
  log.debug({ hook: hook.id, delivery, method: request.method }, "Sending web hook request");
  const retries = settingsOf(hook, config.web_hook_custom_opts).retries ?? 0;
  const started = clock.monotonicMs();
  using patience = patienceOf(clock, patienceSec ?? config.action_timeout);
  const given = { clock, retries, signal: AbortSignal.any([signal, patience.signal]), sign };
  const answer = await sendWithRetries(client, request, given);
  const totalMs = clock.monotonicMs() - started;
  const { attempts, response } = answer;
  const outcome = outcomeOf(answer, shown, redact);
  const fields = { hook: hook.id, delivery, status: response?.status ?? null, attempts, ms: Math.round(totalMs) };
  if (outcome.code === 0) log.info(fields, "A web hook was delivered");
  else log.warn(fields, "A web hook failed");
  return { ...outcome, details: describeHook({ request: shown, redact, retries, attempts, totalMs, response }) };
}

/** Bounds the time of all attempts together: 33 of them, an hour each, would occupy a place of the queue for more than a day. */
function patienceOf(clock: Clock, seconds: number): Disposable & { readonly signal: AbortSignal } {
  const end = new AbortController();
  const error = new Error(`The web hook took longer than ${readableDuration(seconds)}`);
  const timer = clock.after(seconds * 1000, () => end.abort(error));
  return { signal: end.signal, [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

function outcomeOf({ response, error }: Answer, { url }: WebHookRequest, redact: Redact): WebHookOutcome {
  if (!response) return failed(`Error: ${redact(messageOf(error))}`);
  const line = redact(statusLine(response));
  const isSuccess = response.status >= 200 && response.status < 300;
  return isSuccess ? { code: 0, description: `Success (HTTP ${line})` } : failed(`Error: HTTP ${line}: ${url}`);
}

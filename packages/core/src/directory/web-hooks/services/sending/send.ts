import { pause } from "../../../../kernel/running/loops.ts";
import { unlessAborted } from "../../../../lib/turns/unless-aborted.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { WebHookClient, WebHookRequest, WebHookResponse } from "../../../../ports/outside/web-hook-client.ts";
import { isRetried, retryPauseSec } from "../../rules/retry.ts";
import type { Sign } from "./signature.ts";

export interface SendOptions {
  readonly clock: Clock;
  /** Number of attempts after the first. */
  readonly retries: number;
  readonly signal: AbortSignal;
  /** Signs each attempt separately, because receivers refuse old signatures. */
  readonly sign?: Sign | undefined;
}

/** Result of the last attempt: a response or an error. */
export interface Answer {
  readonly attempts: number;
  readonly response: WebHookResponse | undefined;
  readonly error: unknown;
}

/**
 * Sends a request, and retries while there is no response or a temporary one (docs/contract/web-hooks.md#retries). Never rejects.
 * The signal ends a running attempt and the pause before the next one.
 */
export async function sendWithRetries(
  client: WebHookClient,
  request: WebHookRequest,
  { clock, retries, signal, sign }: SendOptions,
): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    const { response, error } = await sendOnce(client, sign?.(request, clock.now()) ?? request, signal);
    // A refused target or a malformed request would be refused again.
    const isFinal = response ? !isRetried(response.status) : error instanceof TypeError;
    if (!isFinal && attempts <= retries) {
      const seconds = retryPauseSec(attempts - 1, headerOf(response, "retry-after"), clock.now());
      await pause(clock, seconds * 1000, signal);
      if (!signal.aborted) continue;
    }
    return { attempts, response, error };
  }
}

async function sendOnce(
  client: WebHookClient,
  request: WebHookRequest,
  signal: AbortSignal,
): Promise<Omit<Answer, "attempts">> {
  try {
    // A client of the host may ignore the signal.
    return { response: await unlessAborted(client.send(request, signal), signal), error: undefined };
  } catch (error) {
    return { response: undefined, error };
  }
}

function headerOf(response: WebHookResponse | undefined, name: string): string | undefined {
  return Object.entries(response?.headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}

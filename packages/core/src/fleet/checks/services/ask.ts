import { targetsOf } from "../../../directory/web-hooks/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Check, CheckResult } from "../model.ts";
import { judgeAnswer, judgeFailure } from "../rules/judge.ts";

/** Asks once. Never rejects: there being no answer is a result. */
export type Ask = (check: Check, signal: AbortSignal) => Promise<CheckResult>;

export function createAsk({ clock, config, webHookClient }: Pick<Cradle, "clock" | "config" | "webHookClient">): Ask {
  return async (check, outer) => {
    const begun = clock.monotonicMs();
    const since = () => ({ now: clock.now(), ms: clock.monotonicMs() - begun });
    const timeoutMs = check.timeout * 1000;
    // An answer that drips must end, too.
    const whole = new AbortController();
    const late = new Error(`No answer within ${timeoutMs} ms`);
    using _timer = clock.after(timeoutMs, () => whole.abort(late));
    try {
      if (!webHookClient) throw new TypeError("There is no client for web hooks, which checks use.");
      const signal = AbortSignal.any([outer, whole.signal]);
      const { status, body, elapsedMs, certificateEnds } = await webHookClient.send(
        {
          ...{ method: check.method, url: check.url, headers: {}, timeoutMs, targets: targetsOf(config) },
          ...{ followRedirects: Boolean(check.follow), skipCertificateCheck: !check.verify },
        },
        signal,
      );
      return judgeAnswer(check, { status, body, ms: elapsedMs, certificateEnds }, clock.now());
    } catch (error) {
      return judgeFailure(error, since());
    }
  };
}

import { targetsOf } from "../../../directory/web-hooks/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { WebHookClient, WebHookTargets } from "../../../ports/web-hook-client.ts";
import type { Check, CheckResult } from "../model.ts";
import { judgeAnswer, judgeFailure, judgeProbe } from "../rules/judge.ts";
import { probeOf } from "./probe.ts";

/** Asks once. Never rejects: there being no answer is a result. */
export type Ask = (check: Check, signal: AbortSignal) => Promise<CheckResult>;

type Deps = Pick<Cradle, "clock" | "config" | "webHookClient">;

interface Asking {
  readonly client: WebHookClient;
  readonly targets: WebHookTargets;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export function createAsk({ clock, config, webHookClient: client }: Deps): Ask {
  return async (check, outer) => {
    const begun = clock.monotonicMs();
    const timeoutMs = check.timeout * 1000;
    // An answer that drips must end, too.
    const whole = new AbortController();
    const late = new Error(`No answer within ${timeoutMs} ms`);
    using _timer = clock.after(timeoutMs, () => whole.abort(late));
    try {
      if (!client) throw new TypeError("There is no client for web hooks, which checks use.");
      const signal = AbortSignal.any([outer, whole.signal]);
      const asking: Asking = { client, targets: targetsFor(config), timeoutMs, signal };
      const judge = await (check.type === "http" ? askHttp(check, asking) : askOther(check, asking));
      return judge(clock.now());
    } catch (error) {
      return judgeFailure(error, { now: clock.now(), ms: clock.monotonicMs() - begun });
    }
  };
}

/** What web hooks may reach, and what is open to checks besides. */
function targetsFor(config: Deps["config"]): WebHookTargets {
  const targets = targetsOf(config);
  return { ...targets, allow: [...targets.allow, ...config.checks.allow] };
}

type Judge = (now: number) => CheckResult;

async function askHttp(check: Check, { client, targets, timeoutMs, signal }: Asking): Promise<Judge> {
  const { url, method, body, headers } = check;
  const { elapsedMs, ...answer } = await client.send(
    {
      ...{ method: method ?? "GET", url: url ?? "", timeoutMs, targets },
      headers: Object.fromEntries((headers ?? []).map(({ name, value }) => [name, value])),
      ...(body ? { body } : {}),
      ...{ followRedirects: Boolean(check.follow), skipCertificateCheck: !check.verify },
      // They were written for one address.
      originBound: { headers: (headers ?? []).map(({ name }) => name), body: true },
    },
    signal,
  );
  return (now) => judgeAnswer(check, { ...answer, ms: elapsedMs }, now);
}

async function askOther(check: Check, { client, targets, timeoutMs, signal }: Asking): Promise<Judge> {
  if (!client.probe) throw new TypeError(`The client for web hooks cannot ask by ${check.type}.`);
  const answer = await client.probe({ ...probeOf(check), timeoutMs, targets }, signal);
  return (now) => judgeProbe(check, answer, now);
}

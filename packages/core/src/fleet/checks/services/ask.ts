import { createRedact, type Redact } from "../../../directory/web-hooks/rules/redact.ts";
import { targetsOf } from "../../../directory/web-hooks/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { unlessAborted } from "../../../lib/turns/unless-aborted.ts";
import type { DnsProbe, TcpProbe, TlsProbe } from "../../../ports/outside/probe.ts";
import type { WebHookClient, WebHookTargets } from "../../../ports/outside/web-hook-client.ts";
import type { Check, CheckResult } from "../model.ts";
import { judgeAnswer, judgeFailure, judgeProbe } from "../rules/judge.ts";
import { withSecrets } from "../rules/secret-texts.ts";

/** Probes once. No answer is a result, too; rejects only when the storage fails. */
export type Ask = (check: Check, signal: AbortSignal) => Promise<CheckResult>;

type Deps = Pick<Cradle, "clock" | "config" | "vault" | "webHookClient">;

/** Most redirects that are followed. */
const MAX_REDIRECTS = 5;

interface Asking {
  readonly secrets: ReadonlyMap<string, string>;
  readonly client: WebHookClient;
  readonly targets: WebHookTargets;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export function createAsk({ clock, config, vault, webHookClient: client }: Deps): Ask {
  return async (check, outer) => {
    const secrets = new Map((await vault.variables("checks", check.id)).map(({ name, value }) => [name, value]));
    const redact = createRedact([...secrets.values()]);
    const begun = clock.monotonicMs();
    const timeoutMs = check.timeout * 1000;
    // Bounds the whole exchange, so that an answer that only trickles in ends, too.
    const whole = new AbortController();
    const late = new Error(`No answer within ${timeoutMs} ms`);
    using _timer = clock.after(timeoutMs, () => whole.abort(late));
    try {
      if (!client) throw new TypeError("There is no client for web hooks, which checks use.");
      const signal = AbortSignal.any([outer, whole.signal]);
      const asking: Asking = { secrets, client, targets: targetsFor(config), timeoutMs, signal };
      const judge = await (check.type === "http" ? askHttp(check, asking) : askOther(check, asking));
      return withoutSecrets(judge(clock.now()), redact);
    } catch (error) {
      return withoutSecrets(judgeFailure(error, { now: clock.now(), ms: clock.monotonicMs() - begun }), redact);
    }
  };
}

const withoutSecrets = (result: CheckResult, redact: Redact): CheckResult =>
  result.text === undefined ? result : { ...result, text: redact(result.text) };

/** Targets that checks may reach: the targets of web hooks, and `checks.allow`. */
export function targetsFor(config: Deps["config"]): WebHookTargets {
  const targets = targetsOf(config);
  return { ...targets, allow: [...targets.allow, ...config.checks.allow] };
}

type Judge = (now: number) => CheckResult;

async function askHttp(check: Check, { secrets, client, targets, timeoutMs, signal }: Asking): Promise<Judge> {
  const { url, method } = check;
  const { headers, body } = withSecrets(check, secrets);
  const { elapsedMs, ...answer } = await client.send(
    {
      method: method ?? "GET",
      url: url ?? "",
      timeoutMs,
      targets,
      headers,
      ...(body ? { body } : {}),
      followRedirects: Boolean(check.follow),
      maxRedirects: MAX_REDIRECTS,
      skipCertificateCheck: !check.verify,
      // Headers and body were written for one address.
      originBound: { headers: Object.keys(headers), body: true },
    },
    signal,
  );
  return (now) => judgeAnswer(check, { ...answer, ms: elapsedMs }, now);
}

async function askOther(check: Check, { client, targets, timeoutMs, signal }: Asking): Promise<Judge> {
  if (!client.probe) throw new TypeError(`The client for web hooks cannot ask by ${check.type}.`);
  // One check that never ends would hold up its whole round.
  const answer = await unlessAborted(client.probe({ ...probeOf(check), timeoutMs, targets }, signal), signal);
  return (now) => judgeProbe(check, answer, now);
}

/** The probe for a check of any type but HTTP. The record was validated when it was stored. */
function probeOf(check: Check): TcpProbe | TlsProbe | DnsProbe {
  const { host, port, name, record, starttls } = check;
  switch (check.type) {
    case "dns":
      return { kind: "dns", name: name ?? "", record: record ?? "A", resolver: check.resolver ?? undefined };
    case "tls": {
      const servername = check.servername ?? undefined;
      const at = { host: host ?? "", port: port ?? 443, servername };
      return { kind: "tls", ...at, starttls: starttls ?? "none", verify: Boolean(check.verify) };
    }
    default: {
      const said = { send: check.send ?? undefined, until: check.contains ?? undefined };
      return { kind: "tcp", host: host ?? "", port: port ?? 0, ...said };
    }
  }
}

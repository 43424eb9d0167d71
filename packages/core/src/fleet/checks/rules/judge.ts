import { sha256Hex } from "../../../lib/hash.ts";
import { ringOf } from "../../../lib/ring.ts";
import type { Check, CheckResult, CheckSight, CheckState, NetworkSight } from "../model.ts";
import { isStatusIn } from "./record.ts";

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}

/** What was found where no HTTP is spoken. */
export interface Found {
  readonly elapsedMs: number;
  readonly address?: string | undefined;
  /** What was said. */
  readonly text?: string | undefined;
  /** Of a name. */
  readonly values?: readonly string[] | undefined;
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}

type Reason = NonNullable<CheckResult["reason"]>;
type Fault = readonly [Reason, string] | undefined;
type Rules = Pick<Check, "status" | "contains" | "not_contains" | "max_ms">;
type ProbeRules = Pick<Check, "contains" | "not_contains" | "max_ms" | "equals" | "match">;

const DAY = 86_400;

/** What an answer says of a check. `now` is Unix seconds. */
export function judgeAnswer(check: Rules, answer: Answer, now: number): CheckResult {
  const { status, body, ms, certificateEnds } = answer;
  const isGood = isStatusIn(status, check.status ?? []);
  const fault: Fault = isGood ? wordFault(check, body) : ["status", `The status is ${status}.`];
  return resultOf(fault ?? slowFault(check, ms), { now, ms, certificateEnds, known: { status } });
}

/** What a server of another protocol, or a name, says of a check. */
export function judgeProbe(check: ProbeRules, answer: Found, now: number): CheckResult {
  const { elapsedMs: ms, address, text, values, certificateEnds } = answer;
  const fault = (text === undefined ? undefined : wordFault(check, text)) ?? (values && valueFault(check, values));
  const known = address === undefined ? {} : { address };
  return resultOf(fault ?? slowFault(check, ms), { now, ms, certificateEnds, known });
}

interface Facts {
  readonly now: number;
  readonly ms: number;
  readonly certificateEnds: number | undefined;
  readonly known: Partial<CheckResult>;
}

function resultOf(fault: Fault, { now, ms, certificateEnds, known }: Facts): CheckResult {
  const days = certificateEnds === undefined ? {} : { days_left: Math.floor((certificateEnds - now) / DAY) };
  const result = { date: Math.floor(now), ok: fault === undefined, ms: Math.round(ms), ...known, ...days };
  return fault ? { ...result, reason: fault[0], text: fault[1] } : result;
}

function wordFault({ contains, not_contains }: ProbeRules, said: string): Fault {
  if (contains && !said.includes(contains)) return ["content", `The answer does not hold "${contains}".`];
  return not_contains && said.includes(not_contains) ? ["content", `The answer holds "${not_contains}".`] : undefined;
}

const slowFault = ({ max_ms }: ProbeRules, ms: number): Fault =>
  max_ms && ms > max_ms ? ["slow", `The answer took ${Math.round(ms)} ms.`] : undefined;

/** Values that a sentence names. */
const NAMED = 5;

/** Names are the same with a dot at their end and in other cases. */
const plain = (value: string): string => value.toLowerCase().replace(/\.$/, "");

function valueFault({ equals, match }: ProbeRules, values: readonly string[]): Fault {
  if (!equals || equals.length === 0) return undefined;
  const known = new Set(values.map(plain));
  const missing = equals.filter((value) => !known.has(plain(value)));
  const isGood = match === "any" ? missing.length < equals.length : missing.length === 0;
  return isGood ? undefined : ["answer", `The answer is ${values.slice(0, NAMED).join(", ")}.`.slice(0, MAX_SENTENCE)];
}

const MAX_SENTENCE = 300;

const BY_CODE: readonly (readonly [RegExp, Reason])[] = [
  [/^(?:ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_\w+)$/, "dns"],
  [/^(?:ECONNREFUSED|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH)$/, "refused"],
  [/^(?:ETIMEDOUT|ETIMEOUT)$/, "timeout"],
  [/CERT|TLS|SSL|UNABLE_TO|SIGNATURE/, "tls"],
];

/** What a failure to get an answer says of a check. A `TypeError` means that the target is refused. */
export function judgeFailure(error: unknown, at: { readonly now: number; readonly ms: number }): CheckResult {
  const text = error instanceof Error ? error.message : String(error);
  return { date: Math.floor(at.now), ok: false, ms: Math.round(at.ms), reason: reasonOf(error, text), text };
}

function reasonOf(error: unknown, text: string): Reason {
  if (error instanceof TypeError) return "blocked";
  const code = codeOf(error) ?? codeOf((error as { cause?: unknown } | undefined)?.cause) ?? "";
  const known = BY_CODE.find(([pattern]) => pattern.test(code))?.[1];
  return known ?? (/ within \d+ ms$/.test(text) ? "timeout" : "answer");
}

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
};

/** Seconds after a failure that is no news yet, unless the check says it. */
const RETRY_SEC = 20;

/**
 * Unix seconds of the next asking in turn. Each check has a second of its own in its `every`, so that checks which were
 * made, or missed, together are not asked together for ever.
 */
export function turnAfter({ id, every }: Pick<Check, "id" | "every">, now: number): number {
  const own = Number.parseInt(sha256Hex(id).slice(0, 8), 16) % every;
  return now + every - ((((now - own) % every) + every) % every);
}

/** How a check stands after a result. A target that is refused is not asked again before its time. */
export function afterResult(
  state: CheckState,
  { id, every, retries, retry_every }: Pick<Check, "id" | "every" | "retries" | "retry_every">,
  result: CheckResult,
): CheckState {
  const failures = result.ok ? 0 : state.failures + 1;
  const down = failures > retries || (!result.ok && state.down);
  const isTriedAgain = failures > 0 && !down && result.reason !== "blocked";
  const turn = turnAfter({ id, every }, result.date);
  const next = isTriedAgain ? result.date + Math.min(retry_every ?? RETRY_SEC, every) : turn;
  return { ...state, next, failures, down, count: state.count + 1, latest: result };
}

export const newState = (id: string, now: number): CheckState => ({
  id,
  next: now,
  failures: 0,
  down: false,
  count: 0,
});

/** Results of a check that are kept. */
export const results = ringOf(60);

/** One check alone says nothing of the network. */
const UNJUDGED: NetworkSight = { hosts: 0, all_failed: false };

/** What alerts on a check see of it; a result that is too old is none. `now` is Unix seconds. */
export function sightOf(check: Check, state: CheckState | undefined, now: number): CheckSight {
  const { id, title, category, tags, every, warn_days, crit_days } = check;
  const fresh = state?.latest && now - state.latest.date <= 3 * every ? state : undefined;
  const { date, ...latest } = fresh?.latest ?? {};
  return {
    network: UNJUDGED,
    check: {
      ...{ id, title, category, tags: tags ?? [], warn_days, crit_days },
      ...latest,
      ...{ down: fresh?.down ?? false, failures: fresh?.failures ?? 0, last: date },
      // The engine is the one place from which checks are asked.
      ...{ vantages: fresh ? 1 : 0, failed: fresh?.latest?.ok === false ? 1 : 0 },
    },
  };
}

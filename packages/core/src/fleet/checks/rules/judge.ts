import type { Check, CheckResult } from "../model.ts";
import { isStatusIn } from "./record.ts";

/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}

/** The answer to a TCP, TLS or DNS probe. */
export interface Found {
  readonly elapsedMs: number;
  readonly address?: string | undefined;
  /** Text that the server sent first, or in reply to `send`. */
  readonly text?: string | undefined;
  /** DNS records that were found. */
  readonly values?: readonly string[] | undefined;
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}

type Reason = NonNullable<CheckResult["reason"]>;
type Fault = readonly [Reason, string] | undefined;
type Rules = Pick<Check, "status" | "contains" | "not_contains" | "max_ms">;
type ProbeRules = Pick<Check, "contains" | "not_contains" | "max_ms" | "equals" | "match">;

const DAY = 86_400;

/** Judges an HTTP answer. `now` is Unix seconds. */
export function judgeAnswer(check: Rules, answer: Answer, now: number): CheckResult {
  const { status, body, ms, certificateEnds } = answer;
  const isGood = isStatusIn(status, check.status ?? []);
  const fault: Fault = isGood ? wordFault(check, body) : ["status", `The status is ${status}.`];
  return resultOf(fault ?? slowFault(check, ms), { now, ms, certificateEnds, known: { status } });
}

/** Judges the answer to a TCP, TLS or DNS probe. `now` is Unix seconds. */
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

/** Most values that an error sentence lists. */
const NAMED = 5;

/** Normalises DNS names: upper case and a trailing dot make no difference. */
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

/** Result of a check that got no answer. A `TypeError` means that the target is not allowed. */
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

import { ringOf } from "../../../lib/ring.ts";
import type { Check, CheckResult, CheckSight, CheckState } from "../model.ts";
import { isStatusIn } from "./record.ts";

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}

type Reason = NonNullable<CheckResult["reason"]>;
type Rules = Pick<Check, "status" | "contains" | "not_contains" | "max_ms">;

const DAY = 86_400;

/** What an answer says of a check. `now` is Unix seconds. */
export function judgeAnswer(check: Rules, answer: Answer, now: number): CheckResult {
  const { status, ms, certificateEnds } = answer;
  const fault = faultOf(check, answer);
  const days = certificateEnds === undefined ? {} : { days_left: Math.floor((certificateEnds - now) / DAY) };
  const known = { date: Math.floor(now), ok: fault === undefined, ms: Math.round(ms), status, ...days };
  return fault ? { ...known, reason: fault[0], text: fault[1] } : known;
}

function faultOf(check: Rules, { status, body, ms }: Answer): [Reason, string] | undefined {
  const { contains, not_contains, max_ms } = check;
  if (!isStatusIn(status, check.status)) return ["status", `The status is ${status}.`];
  if (contains && !body.includes(contains)) return ["content", `The answer does not hold "${contains}".`];
  if (not_contains && body.includes(not_contains)) return ["content", `The answer holds "${not_contains}".`];
  if (max_ms && ms > max_ms) return ["slow", `The answer took ${Math.round(ms)} ms.`];
  return undefined;
}

const BY_CODE: readonly (readonly [RegExp, Reason])[] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, "dns"],
  [/^(?:ECONNREFUSED|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH)$/, "refused"],
  [/^(?:ETIMEDOUT)$/, "timeout"],
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
  return known ?? (/ within \d+ ms$/.test(text) ? "timeout" : "failed");
}

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
};

/** Seconds after a failure that is no news yet. */
const RETRY_SEC = 20;

/** How a check stands after a result. A target that is refused is not asked again before its time. */
export function afterResult(
  state: CheckState,
  { every, retries }: Pick<Check, "every" | "retries">,
  result: CheckResult,
): CheckState {
  const failures = result.ok ? 0 : state.failures + 1;
  const down = failures > retries || (!result.ok && state.down);
  const isTriedAgain = failures > 0 && !down && result.reason !== "blocked";
  const next = result.date + (isTriedAgain ? RETRY_SEC : every);
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

/** What alerts on a check see of it; a result that is too old is none. `now` is Unix seconds. */
export function sightOf(check: Check, state: CheckState | undefined, now: number): CheckSight {
  const { id, title, category, tags, every, warn_days, crit_days } = check;
  const fresh = state?.latest && now - state.latest.date <= 3 * every ? state : undefined;
  const { date, ...latest } = fresh?.latest ?? {};
  return {
    check: {
      ...{ id, title, category, tags: tags ?? [], warn_days, crit_days },
      ...latest,
      ...{ down: fresh?.down ?? false, failures: fresh?.failures ?? 0, last: date },
    },
  };
}

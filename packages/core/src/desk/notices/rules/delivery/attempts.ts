/** Seconds before the second attempt, the third … */
const PAUSES = [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
/** From the decision on. Seconds. */
const DEADLINE_SEC = 3600;

/** What the same request will meet again; answers of web hooks name the status. */
const PERMANENT = /HTTP (?:400|401|403|404|405|410|413|422)\b|not a mail address|not found|is disabled|refused target/i;

/** It was sent, and no answer came: its receiver may have taken it. */
const UNANSWERED = /timed? ?out|no answer|connection (?:was )?(?:lost|reset)|socket hang up|ECONNRESET|ETIMEDOUT/i;

export const isUnanswered = ({ code, description }: { readonly code: number | string; readonly description: string }) =>
  code === "timeout" || UNANSWERED.test(description);

/** Seconds after which somebody else is told, while the attempts go on. */
const PATIENCE_SEC = 900;
const PATIENCE_CRITICAL_SEC = 300;

interface Waiting {
  readonly severity: string;
  /** Unix seconds of the decision. */
  readonly date: number;
  readonly now: number;
}

/** Whether a notice that does not arrive has waited long enough for the fallback to be told. */
export const isFallbackDue = ({ severity, date, now }: Waiting): boolean =>
  now - date >= (severity === "critical" ? PATIENCE_CRITICAL_SEC : PATIENCE_SEC);

export interface Attempt {
  /** Unix seconds of the decision. */
  readonly date: number;
  /** Attempts so far, the failed one included. */
  readonly attempts: number;
  /** Unix seconds. */
  readonly now: number;
  readonly description: string;
  /** The service will refuse it again, or asks for so many seconds. */
  readonly isFinal?: boolean | undefined;
  readonly waitSec?: number | undefined;
}

/** When a notice that failed is tried again, Unix seconds; undefined = never. */
export function nextAttempt({ date, attempts, now, description, isFinal, waitSec = 0 }: Attempt): number | undefined {
  if (isFinal || PERMANENT.test(description) || now - date >= DEADLINE_SEC) return undefined;
  return now + Math.max(PAUSES[attempts - 1] ?? DEADLINE_SEC, waitSec);
}

const MAX_DESCRIPTION = 10_000;
/** Bounded because results are part of the job's record, which all readers of the job receive. */
const MAX_DETAILS = 256 * 1024;

const text = (value: unknown, limit: number): string => (typeof value === "string" ? value.slice(0, limit) : "");

/** Failure codes for types that return none; other types use their own name (docs/contract/actions.md#types). */
const FAILURE_CODES: ReadonlyMap<string, string> = new Map([
  ["web_hook", "webhook"],
  ["run_event", "event"],
  ["store", "bucket"],
  ["fetch", "bucket"],
]);

export const failureCode = (type: string): string => FAILURE_CODES.get(type) ?? type;

/** The outcome of an action as it is stored (docs/contract/actions.md#record). */
interface SoundOutcome {
  readonly code: number | string;
  readonly description: string;
  readonly details: string;
  readonly loc?: string;
}

/** Normalises the outcome of an action. It always gets a code, because an action without one would run again forever. */
export function soundOutcome(type: string, given: unknown): SoundOutcome {
  const outcome = Object(given) as Readonly<Record<keyof SoundOutcome, unknown>>;
  const { code, loc } = outcome;
  const isCode = Number.isFinite(code) || (typeof code === "string" && code !== "");
  const result = {
    description: text(outcome.description, MAX_DESCRIPTION),
    details: text(outcome.details, MAX_DETAILS),
    ...(typeof loc === "string" ? { loc } : {}),
  };
  if (isCode) return { ...result, code: code as number | string };
  return { ...result, code: failureCode(type), description: result.description || "The action gave no result." };
}

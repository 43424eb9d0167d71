export type ResultCode = number | string;

const MAX_CODE = 64;

/** Normalises a plugin's code (docs/contract/jobs.md#results): no code means success, text becomes a lower-case word. */
export function resultCode(code: unknown): ResultCode {
  if (code === undefined || code === null || code === false || code === "") return 0;
  if (typeof code === "number") return Number.isFinite(code) ? code : "unknown";
  if (typeof code !== "string") return "unknown";
  return code.slice(0, MAX_CODE).toLowerCase().replace(/\W+/g, "_");
}

/**
 * Those of a job's conditions for which actions, counters and hooks run; a test run may exclude some
 * (docs/contract/actions.md#conditions). Does not apply to wires of workflows.
 */
export function processedConditions(
  { test, test_conditions: wanted }: Readonly<Record<string, unknown>>,
  conditions: readonly string[],
): readonly string[] {
  return test && Array.isArray(wanted) ? conditions.filter((condition) => wanted.includes(condition)) : conditions;
}

const NAMED: ReadonlySet<ResultCode> = new Set(["warning", "critical", "abort"]);

/** The conditions that a result fires, in order; a retried attempt fires none. */
export function resultConditions(code: ResultCode, tags: readonly string[]): string[] {
  const result = code === 0 ? ["success"] : ["error", NAMED.has(code) ? String(code) : "user"];
  return ["complete", ...result, ...tags.map((tag) => `tag:${tag}`)];
}

import type { Verdict } from "./evaluate.ts";

/** One expression of a definition: whether it is truthy; undefined = it could not be evaluated. */
export type Test = (context: unknown) => boolean | undefined;

/** The definition has no recovery expression: it is over as soon as the condition does not hold. */
export const NONE: Test = () => true;

/**
 * Combines both expressions of a definition. The recovery is asked when the condition does not hold, so that a true
 * condition wins; a recovery that fails leaves the alert as it is. Undefined = it does not compile any more.
 */
export function createJudge(condition: Test | undefined, recovery: Test | undefined): (context: unknown) => Verdict {
  if (!condition) return () => "failed";
  return (context) => {
    const holds = condition(context);
    if (holds === undefined) return "failed";
    if (holds) return "holds";
    return recovery?.(context) ? "over" : "between";
  };
}

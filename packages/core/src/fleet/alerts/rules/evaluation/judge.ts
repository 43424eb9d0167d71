import type { Verdict } from "./evaluate.ts";

/** Evaluates one expression: true or false for its truthiness, undefined when it fails. */
export type Test = (context: unknown) => boolean | undefined;

/** Stands for an absent recovery expression: the alert clears as soon as the condition does not hold. */
export const NONE: Test = () => true;

/**
 * Combines condition and recovery. The recovery is evaluated only when the condition does not hold, so a true condition
 * wins. A recovery that fails leaves the alert as it is. An undefined `condition` no longer compiles.
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

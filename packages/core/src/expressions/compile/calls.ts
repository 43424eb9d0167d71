import { type Budget, callWithin } from "../bounds/budget.ts";
import { type Run, withoutFunction } from "../members.ts";

/** A function for expressions. It receives the arguments as written, undefined for missing ones, and must not be async. */
export type ExpressionFunction = (...args: unknown[]) => unknown;

/** Calls a function of this package: one closure per number of arguments, because an argument list is an allocation. */
export const runCall = (implementation: ExpressionFunction, args: readonly Run[]): Run => {
  const [first, second, third] = args;
  if (!first) return () => implementation();
  if (!second) return (relative, root) => implementation(first(relative, root));
  if (!third) return (relative, root) => implementation(first(relative, root), second(relative, root));
  return (relative, root) => implementation(...args.map((run) => run(relative, root)));
};

/** Calls a function of the host, which may be slow and may itself evaluate expressions. */
export const runHostCall = (implementation: ExpressionFunction, args: readonly Run[], budget: Budget): Run => {
  return (relative, root) => {
    const values = args.map((run) => run(relative, root));
    return withoutFunction(callWithin(budget, () => implementation(...values)));
  };
};

/** Fails only when it is reached, so the other branch of a conditional stays usable. */
export const fail = (error: Error): Run => {
  return () => {
    throw error;
  };
};

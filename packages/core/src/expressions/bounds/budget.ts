import { evaluationLimit, limits } from "./limits.ts";

/** Work done by the running evaluation; one budget per instance, as evaluation is synchronous. */
export interface Budget {
  steps: number;
  nextClockRead: number;
  /** Time of the first check, or -1: reading the clock costs more than most expressions. */
  startedAt: number;
  readonly monotonic: () => number;
}

export const createBudget = (monotonic: () => number): Budget => ({
  steps: 0,
  nextClockRead: limits.stepsBetweenClockReads,
  startedAt: -1,
  monotonic,
});

/** Starts a new evaluation. Most evaluations count nothing, so there is nothing to reset. */
export const resetBudget = (budget: Budget): void => {
  if (budget.steps === 0) return;
  budget.steps = 0;
  budget.nextClockRead = limits.stepsBetweenClockReads;
  budget.startedAt = -1;
};

/** Counts work; throws when the steps or the time of this evaluation are used up. */
export const charge = (budget: Budget, steps: number): void => {
  budget.steps += steps;
  if (budget.steps >= budget.nextClockRead) checkBudget(budget);
};

const checkBudget = (budget: Budget): void => {
  if (budget.steps > limits.steps) throw evaluationLimit();
  budget.nextClockRead = budget.steps + limits.stepsBetweenClockReads;
  checkTime(budget);
};

/** The first call starts the clock, later ones compare with it. */
export const checkTime = (budget: Budget): void => {
  // Marks the budget as used, see resetBudget.
  budget.steps++;
  const now = budget.monotonic();
  if (budget.startedAt < 0) budget.startedAt = now;
  else if (now - budget.startedAt > limits.evaluationMs) throw evaluationLimit();
};

/** Calls code of the host, which may evaluate other expressions of this instance; counts their work as well. */
export const callWithin = (budget: Budget, call: () => unknown): unknown => {
  checkTime(budget);
  const { steps, startedAt } = budget;
  const result = call();
  // A nested evaluation counts from zero; without one the count has not moved.
  const nested = budget.steps === steps ? 0 : budget.steps;
  budget.startedAt = startedAt;
  budget.steps = steps + nested;
  charge(budget, 1);
  return result;
};

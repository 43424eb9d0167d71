/**
 * Races many promises, one after the other, against one long-lived promise. Each `Promise.race` would add a listener to the
 * long-lived one, which retains the other's value until that settles: all output of a job.
 */
export function raceAgainst<Other>(lasting: Promise<Other>): <T>(work: Promise<T>) => Promise<T | Other> {
  let current: PromiseWithResolvers<unknown> | undefined;
  let isOver = false;
  const over = (): void => {
    isOver = true;
    current?.resolve(lasting);
  };
  lasting.then(over, over);
  return <T>(work: Promise<T>) => {
    const step = Promise.withResolvers<T | Other>();
    current = step as PromiseWithResolvers<unknown>;
    work.then(step.resolve, step.reject);
    if (isOver) step.resolve(lasting);
    return step.promise;
  };
}

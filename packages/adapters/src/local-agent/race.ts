/**
 * Races many pieces of work, one after the other, against one promise that lasts. `Promise.race` would leave a listener
 * on the lasting one each time, which keeps the value of the work until that settles: all output of a job.
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

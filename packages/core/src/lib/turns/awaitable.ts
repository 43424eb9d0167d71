export type Awaitable<T> = T | Promise<T>;

/**
 * `next` of a value that may still be on its way. One that is there goes on at once: a promise and its turn cost as
 * much as all the rest of a small call.
 */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A promise for another thenable, such as a query builder; all other values as they are. */
export function adopt<T>(value: Awaitable<T>): Awaitable<T> {
  if (value instanceof Promise || typeof value !== "object" || value === null) return value;
  return typeof (value as { then?: unknown }).then === "function" ? Promise.resolve(value) : value;
}

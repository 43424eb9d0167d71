export type Awaitable<T> = T | Promise<T>;

/**
 * Applies `next` to a value or to the result of a promise. A plain value is passed on synchronously: a promise and its turn cost
 * as much as all the rest of a small call.
 */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Converts other thenables, such as query builders, to promises; returns all other values unchanged. */
export function adopt<T>(value: Awaitable<T>): Awaitable<T> {
  if (value instanceof Promise || typeof value !== "object" || value === null) return value;
  return typeof (value as { then?: unknown }).then === "function" ? Promise.resolve(value) : value;
}

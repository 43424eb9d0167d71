import { isObject } from "../../../../lib/json/is-object.ts";

/** Readings that the host reports, by name; null removes one. */
export type HostReadings = Readonly<Record<string, number | string | null>>;

type Known = ReadonlyMap<string, number | string>;

const MAX_READINGS = 200;
const MAX_TEXT = 256;
const NAME = /^[A-Za-z_]\w{0,63}$/;
/** Names that expressions cannot refer to. */
const UNUSABLE: ReadonlySet<string> = new Set(["true", "false", "in", ...Object.getOwnPropertyNames(Object.prototype)]);

/**
 * Merges a report into the known readings, all of it or, when it throws, nothing. Throws `TypeError` that names the
 * faulty reading.
 */
export function mergeReadings(known: Known, reported: HostReadings): Known {
  if (!isObject(reported)) throw new TypeError("Readings are an object of names and values");
  const merged = new Map(known);
  for (const [name, value] of Object.entries(reported)) {
    if (!NAME.test(name) || UNUSABLE.has(name))
      throw new TypeError(`The reading ${name.slice(0, 80)} has no usable name`);
    if (value === null) merged.delete(name);
    else merged.set(name, checkValue(name, value));
  }
  if (merged.size > MAX_READINGS) throw new TypeError(`There are more than ${MAX_READINGS} readings`);
  return merged;
}

function checkValue(name: string, value: unknown): number | string {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && value.length <= MAX_TEXT) return value;
  throw new TypeError(`The reading ${name} is neither a finite number nor a text of up to ${MAX_TEXT} characters`);
}

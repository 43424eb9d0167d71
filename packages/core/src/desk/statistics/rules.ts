import { isObject } from "../../lib/json/is-object.ts";

/** The value at a dotted path; follows own members only. Undefined = none. */
export function atPath(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.split(".").filter(Boolean)) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The members whose names begin with the prefix; a value that is not an object is returned unchanged. */
export const withPrefix = (value: unknown, prefix: string): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith(prefix))) : value;

/** Whether a path asks for more than the totals of the installation. */
const SUMS: ReadonlySet<string> = new Set(["transactions", "requests", "bytes_in", "bytes_out"]);
export const asksForSections = (path: string): boolean => !SUMS.has(path.split(".")[0] ?? "");

/** Percentage of one processor core that a process used between two readings. */
export const cpuShare = (microseconds: number, elapsedMs: number): number =>
  elapsedMs > 0 ? Math.round(microseconds / elapsedMs) / 10 : 0;

import { isObject } from "../../lib/json/is-object.ts";

/** The value at a dotted path of own members; undefined = there is none. */
export function atPath(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.split(".").filter(Boolean)) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The members whose names begin so; anything but an object stays as it is. */
export const withPrefix = (value: unknown, prefix: string): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith(prefix))) : value;

/** Whether a path asks for more than sums of the installation. */
const SUMS: ReadonlySet<string> = new Set(["transactions", "requests", "bytes_in", "bytes_out"]);
export const asksForSections = (path: string): boolean => !SUMS.has(path.split(".")[0] ?? "");

/** Percent of one processor core that a process took between two looks. */
export const cpuShare = (microseconds: number, elapsedMs: number): number =>
  elapsedMs > 0 ? Math.round(microseconds / elapsedMs) / 10 : 0;

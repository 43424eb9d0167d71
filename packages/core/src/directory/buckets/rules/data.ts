import { isObject } from "../../../lib/is-object.ts";
import { isSurelyLonger } from "../../../lib/json-size.ts";
import type { BucketData } from "../model.ts";

/** The members of both, written ones over stored ones; undefined where a list is stored. */
export const mergeData = (
  stored: BucketData,
  written: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined => (isObject(stored) ? { ...stored, ...written } : undefined);

/** Data as a job is given it (docs/contract/buckets.md#fetch): a list becomes its member `items`. */
export const dataForJob = (data: BucketData): Record<string, unknown> => (isObject(data) ? data : { items: data });

/** `limit` is in bytes of the JSON text in UTF-8. */
export function isTooLarge(data: unknown, limit: number): boolean {
  if (isSurelyLonger(data, limit)) return true;
  const text = JSON.stringify(data);
  // No character takes more than three bytes per UTF-16 unit, so most texts need no exact count.
  return text.length * 3 > limit && Buffer.byteLength(text) > limit;
}

import { isObject } from "../../../lib/json/is-object.ts";
import type { BucketData } from "../model.ts";

/** The members of both, written ones over stored ones; undefined where a list is stored. */
export const mergeData = (
  stored: BucketData,
  written: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined => (isObject(stored) ? { ...stored, ...written } : undefined);

/** Data as a job is given it (docs/contract/buckets.md#fetch): a list becomes its member `items`. */
export const dataForJob = (data: BucketData): Record<string, unknown> => (isObject(data) ? data : { items: data });

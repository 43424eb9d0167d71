import { isObject } from "../../../lib/json/is-object.ts";
import type { BucketData } from "../model.ts";

/** Merges written members over stored ones; undefined when a list is stored. */
export const mergeData = (
  stored: BucketData,
  written: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined => (isObject(stored) ? { ...stored, ...written } : undefined);

/** Data in the form that a job receives (docs/contract/buckets.md#fetch): a list becomes its member `items`. */
export const dataForJob = (data: BucketData): Record<string, unknown> => (isObject(data) ? data : { items: data });

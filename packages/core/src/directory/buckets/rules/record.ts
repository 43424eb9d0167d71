import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import { filled } from "../../../wire/schemas/filled.ts";
import type { Bucket, CreateBucket } from "../model.ts";

/** Drops data and files, which are stored separately and must not be written with the record. */
export function withoutContent<T extends Readonly<Record<string, unknown>>>(sent: T): Omit<T, "data" | "files"> {
  const { data: _data, files: _files, ...record } = sent;
  return record;
}

/** A new bucket: everything but the title has a default (docs/contract/buckets.md#record). */
export function newBucket(input: CreateBucket, { id, username, now }: NewStamp): Bucket {
  const members = filled(withoutContent(input) as CreateBucket, { enabled: true, icon: "", notes: "" });
  return { ...members, id, ...newStamps(username, now) };
}

/** Imported records may lack `enabled`, and then count as enabled. */
export const isDisabled = ({ enabled }: Pick<Bucket, "enabled">): boolean => !(enabled ?? true);

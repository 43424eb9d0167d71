import { readable } from "../../ports/storage/collection.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { alertCollection, invocationCollection } from "./collection.ts";

/** Invocations, for other domains to read. */
export const invocationRecords = readable(invocationCollection);

/** True = no alert has a stored firing, which the storage knows without a query; false = there may be some. */
export const hasNoInvocations = (storage: Pick<Storage, "isKnownEmpty">): boolean =>
  storage.isKnownEmpty?.(invocationCollection) ?? false;

/** Alert definitions, for other domains to read. */
export const alertRecords = readable(alertCollection);

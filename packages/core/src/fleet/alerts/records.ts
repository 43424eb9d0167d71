import { readable } from "../../ports/storage/collection.ts";
import { alertCollection, invocationCollection } from "./collection.ts";

/** Invocations, for other domains to read. */
export const invocationRecords = readable(invocationCollection);

/** Alert definitions, for other domains to read. */
export const alertRecords = readable(alertCollection);

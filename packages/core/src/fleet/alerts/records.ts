import { readable } from "../../ports/storage/collection.ts";
import { alertCollection, invocationCollection } from "./collection.ts";

/** Alerts that fired, for other domains to read. */
export const invocationRecords = readable(invocationCollection);

/** Definitions, likewise. */
export const alertRecords = readable(alertCollection);

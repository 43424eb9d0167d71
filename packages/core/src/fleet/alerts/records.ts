import { readable } from "../../ports/collection.ts";
import { invocationCollection } from "./collection.ts";

/** Alerts that fired, for other domains to read. */
export const invocationRecords = readable(invocationCollection);

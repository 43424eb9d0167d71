import { readable } from "../../ports/storage/collection.ts";
import { monitorCollection } from "./collection.ts";

/** Monitors, for other domains to read. */
export const monitorRecords = readable(monitorCollection);

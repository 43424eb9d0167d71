import { readable } from "../../ports/storage/collection.ts";
import { activityCollection } from "./collection.ts";

/** The activity log, for other domains to read. */
export const activityRecords = readable(activityCollection);

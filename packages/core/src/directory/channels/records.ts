import { readable } from "../../ports/collection.ts";
import { channelCollection } from "./collection.ts";

/** Notification channels, for other domains to read. */
export const channelRecords = readable(channelCollection);

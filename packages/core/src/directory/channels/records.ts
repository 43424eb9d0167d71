import { readable } from "../../ports/storage/collection.ts";
import { channelCollection } from "./collection.ts";

/** Notification channels, for other domains to read. */
export const channelRecords = readable(channelCollection);

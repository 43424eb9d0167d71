import { readable } from "../../ports/storage/collection.ts";
import { hostCollection, serverCollection } from "./collection.ts";

/** The last minute of each server, for other domains to read. */
export const minuteRecords = readable(hostCollection);

/** Servers that have been connected, for other domains to read. */
export const serverRecords = readable(serverCollection);

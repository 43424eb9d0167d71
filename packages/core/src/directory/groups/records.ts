import { readable } from "../../ports/storage/collection.ts";
import { groupCollection } from "./collection.ts";

/** Server groups, for other domains to read. */
export const groupRecords = readable(groupCollection);

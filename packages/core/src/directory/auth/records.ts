import { readable } from "../../ports/storage/collection.ts";
import { sessionCollection } from "./collection.ts";

/** Sessions, for other domains to read. */
export const sessionRecords = readable(sessionCollection);

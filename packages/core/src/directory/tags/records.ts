import { readable } from "../../ports/storage/collection.ts";
import { tagCollection } from "./collection.ts";

/** Tags, for other domains to read. */
export const tagRecords = readable(tagCollection);

import { readable } from "../../ports/storage/collection.ts";
import { apiKeyCollection } from "./collection.ts";

/** API keys, for other domains to read. */
export const apiKeyRecords = readable(apiKeyCollection);

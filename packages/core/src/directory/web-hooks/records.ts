import { readable } from "../../ports/storage/collection.ts";
import { webHookCollection } from "./collection.ts";

/** Web hooks, for other domains to read. */
export const webHookRecords = readable(webHookCollection);

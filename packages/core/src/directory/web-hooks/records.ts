import { readable } from "../../ports/collection.ts";
import { webHookCollection } from "./collection.ts";

/** Web hooks, for other domains to read. */
export const webHookRecords = readable(webHookCollection);

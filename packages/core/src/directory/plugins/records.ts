import { readable } from "../../ports/storage/collection.ts";
import { pluginCollection } from "./collection.ts";

/** Plugins, for other domains to read. */
export const pluginRecords = readable(pluginCollection);

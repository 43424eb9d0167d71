import { readable } from "../../ports/collection.ts";
import { pluginCollection } from "./collection.ts";

/** Plugins, for other domains to read. */
export const pluginRecords = readable(pluginCollection);

import { readable } from "../../ports/storage/collection.ts";
import { stateCollection } from "./collection.ts";

/** Values that outlive the process, for other domains to read. */
export const stateRecords = readable(stateCollection);

import { readable } from "../../ports/storage/collection.ts";
import { silenceCollection } from "./collection.ts";

/** Silences, for other domains to read. */
export const silenceRecords = readable(silenceCollection);

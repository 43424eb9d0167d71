import { readable } from "../../ports/collection.ts";
import { silenceCollection } from "./collection.ts";

/** Silences, for other domains to read. */
export const silenceRecords = readable(silenceCollection);

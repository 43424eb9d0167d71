import { readable } from "../../ports/collection.ts";
import { categoryCollection } from "./collection.ts";

/** Categories, for other domains to read. */
export const categoryRecords = readable(categoryCollection);

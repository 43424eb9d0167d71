import { readable } from "../../ports/storage/collection.ts";
import { roleCollection } from "./collection.ts";

/** Roles, for other domains to read. */
export const roleRecords = readable(roleCollection);

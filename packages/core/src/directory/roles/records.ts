import { readable } from "../../ports/collection.ts";
import { roleCollection } from "./collection.ts";

/** Roles, for other domains to read. */
export const roleRecords = readable(roleCollection);

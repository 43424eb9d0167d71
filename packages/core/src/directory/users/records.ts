import { readable } from "../../ports/collection.ts";
import { userCollection } from "./collection.ts";

/** Accounts, for other domains to read. */
export const userRecords = readable(userCollection);

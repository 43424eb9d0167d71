import { readable } from "../../ports/storage/collection.ts";
import { userCollection } from "./collection.ts";

/** Accounts, for other domains to read. */
export const userRecords = readable(userCollection);

import { readable } from "../../ports/storage/collection.ts";
import { bucketCollection } from "./collection.ts";

/** Buckets, for other domains to read. */
export const bucketRecords = readable(bucketCollection);

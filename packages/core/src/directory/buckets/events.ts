export interface BucketEvents {
  "bucket.created": { id: string };
  "bucket.updated": { id: string };
  "bucket.deleted": { id: string };
  /** Data or files were changed by a write, an upload, a removal or a job. */
  "bucket.written": { id: string; data: boolean; files: boolean };
}

import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface BucketEvents extends DefinitionEvents<"bucket"> {
  /** Data or files were changed by a write, an upload, a removal or a job. */
  "bucket.written": { id: string; data: boolean; files: boolean };
}

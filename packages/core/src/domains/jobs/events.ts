export interface JobEvents {
  "job.launched": { id: string; event: string };
  /** Sent to its server. */
  "job.started": { id: string; event: string; server: string };
  /** Anything about an active job changed: state, readings, content. */
  "job.updated": { id: string };
  /** Somebody or a rule asked for the end. */
  "job.aborted": { id: string; event: string; reason: string };
  /** The record is final. */
  "job.completed": { id: string; event: string; code: number | string };
  "job.deleted": { id: string };
}

/** Published after the commit of the change. Ids and scalars only: a listener that needs the job reads it. */
export interface JobEvents {
  /** A job is in the active set. */
  "job.launched": { id: string; event: string };
  /** Sent to its server. */
  "job.started": { id: string; event: string; server: string };
  /**
   * Something about a job changed: state, readings, content, or a late report about a finished one. Readings are up to
   * five seconds ahead of the stored record.
   */
  "job.updated": { id: string };
  /** A caller or a rule asked for the end; `reason` is the description that the job gets. */
  "job.aborted": { id: string; event: string; reason: string };
  /** The record is final and stored. `code`: 0, an exit code or a lower-case word (docs/contract/jobs.md#results). */
  "job.completed": { id: string; event: string; code: number | string };
  /** The record is gone; log and files follow. */
  "job.deleted": { id: string };
}

/** Emitted after the commit of the change. Contain only ids and scalars: a listener that needs the job reads it. */
export interface JobEvents {
  /** A job has been added to the active jobs. */
  "job.launched": { id: string; event: string };
  /** A job has been sent to its server. */
  "job.started": { id: string; event: string; server: string };
  /**
   * A job has changed: its state, readings or content, or by a late report after its end. Readings are up to five seconds newer
   * than the stored record.
   */
  "job.updated": { id: string };
  /** A caller or a rule asked to abort a job; `reason` becomes the job's description. */
  "job.aborted": { id: string; event: string; reason: string };
  /** The record is final and stored. `code`: 0, an exit code or a lower-case word (docs/contract/jobs.md#results). */
  "job.completed": { id: string; event: string; code: number | string };
  /** The record has been deleted; log and files follow. */
  "job.deleted": { id: string };
}

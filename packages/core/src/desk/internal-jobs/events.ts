/** The end of work in the background (docs/contract/administration.md#internal-jobs). */
export interface InternalJobEvents {
  "internal_job.ended": {
    id: string;
    title: string;
    username: string;
    /** For the one who started it. */
    message: string;
    outcome: "done" | "failed" | "stopped";
    /** Nobody is told. */
    quiet: boolean;
  };
}

/** The end of an internal job (docs/contract/administration.md#internal-jobs). */
export interface InternalJobEvents {
  "internal_job.ended": {
    id: string;
    title: string;
    username: string;
    /** Sentence for the person who started it. */
    message: string;
    outcome: "done" | "failed" | "stopped";
    /** True = the person gets no notification. */
    quiet: boolean;
  };
}

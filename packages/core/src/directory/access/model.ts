/** Limits of the person or key that launched a job, which bind the job too. An empty list is no limit. */
export interface Reach {
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

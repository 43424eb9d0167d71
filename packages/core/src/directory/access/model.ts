/** Limits of the person or key that launched a job: what the job may use in their name. An empty list is no limit. */
export interface Reach {
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

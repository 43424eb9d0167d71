/** Restrictions of the person or key that launched a job; they also restrict the job. An empty list restricts nothing. */
export interface Reach {
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

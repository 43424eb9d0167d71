const HOUR = 3600;

/** The members of an account that count failed logins. */
export interface FailureCount {
  readonly fl_date_code?: number | null | undefined;
  readonly fl_count?: number | null | undefined;
}

export interface CountedFailure {
  readonly fl_date_code: number;
  readonly fl_count: number;
  /** Present when this failure locks the account. */
  readonly force_password_reset?: 1;
}

/**
 * Counts a failed login in its clock hour (docs/contract/credentials.md#login). More than `limit` failures lock the account if
 * `canLock`. `now` is Unix seconds.
 */
export function countFailure(
  { fl_date_code, fl_count }: FailureCount,
  now: number,
  { limit, canLock }: { readonly limit: number; readonly canLock: boolean },
): CountedFailure {
  const hour = Math.floor(now / HOUR);
  const count = fl_date_code === hour ? (fl_count ?? 0) + 1 : 1;
  const counted = { fl_date_code: hour, fl_count: count };
  return canLock && count > limit ? { ...counted, force_password_reset: 1 } : counted;
}

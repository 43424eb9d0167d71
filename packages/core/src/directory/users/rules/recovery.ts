import type { PasswordRecovery, User } from "../model.ts";

/** Seconds that a recovery key is good for (docs/contract/accounts.md#passwords). */
export const RECOVERY_LIFE = 86_400;
/** Keys of one account: more than the hourly throttle lets through in a day at its default. */
const MAX_KEYS = 100;

type Keys = PasswordRecovery["keys"];

export const liveKeys = (keys: Keys, now: number): Keys => keys.filter(({ expires }) => now < expires);

/** The keys after one more was sent: dead ones go, and of too many the oldest. */
export function addKey(keys: Keys, hash: string, now: number): Keys {
  return [...liveKeys(keys, now), { hash, expires: now + RECOVERY_LIFE }].slice(-MAX_KEYS);
}

/** Counts one mail in the current clock hour; undefined = there were enough. */
export function countMail(user: User, now: number, maxPerHour: number): User | undefined {
  const hour = Math.floor(now / 3600);
  const count = user.fp_date_code === hour ? (user.fp_count ?? 0) : 0;
  return count < maxPerHour ? { ...user, fp_date_code: hour, fp_count: count + 1 } : undefined;
}

/** Addresses are compared without case: most servers take them so, and people type them so. */
export const isAddressOf = (user: User, email: string): boolean =>
  user.email !== "" && user.email.toLowerCase() === email.toLowerCase();

import type { PasswordRecovery, User } from "../model.ts";

/** Seconds for which a recovery key is valid (docs/contract/accounts.md#passwords). */
export const RECOVERY_LIFE = 86_400;
/** Bound of keys per account: more than the default hourly throttle allows in a day. */
const MAX_KEYS = 100;

type Keys = PasswordRecovery["keys"];

export const liveKeys = (keys: Keys, now: number): Keys => keys.filter(({ expires }) => now < expires);

/** Adds a key that was sent; removes expired keys, and the oldest beyond the bound. */
export function addKey(keys: Keys, hash: string, now: number): Keys {
  return [...liveKeys(keys, now), { hash, expires: now + RECOVERY_LIFE }].slice(-MAX_KEYS);
}

/** Counts a mail in the current clock hour; undefined = the bound is reached. */
export function countMail(user: User, now: number, maxPerHour: number): User | undefined {
  const hour = Math.floor(now / 3600);
  const count = user.fp_date_code === hour ? (user.fp_count ?? 0) : 0;
  return count < maxPerHour ? { ...user, fp_date_code: hour, fp_count: count + 1 } : undefined;
}

/** Compares addresses without case, because most mail servers do, and people type them that way. */
export const isAddressOf = (user: User, email: string): boolean =>
  user.email !== "" && user.email.toLowerCase() === email.toLowerCase();

import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Session } from "../model.ts";

const DAY = 86_400;
/** Seconds between saves of a session's last use. */
const TOUCH_EVERY = 3600;
/** Characters of a user agent; longer ones are forged and would only fill the store. */
const MAX_USER_AGENT = 1024;

/**
 * True for text in the form of a session id; checked before the id becomes a key of the store
 * (docs/contract/credentials.md#resolution).
 */
export const isSessionId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Key of the record: a hash, so a reader of the store learns no session id (docs/contract/credentials.md#sessions). */
export const sessionKey = (id: string): string => sha256Hex(id);

/** CSRF token of a session. It is derived from the id, which only the holder has, so it need not be stored and cannot leak. */
export const csrfTokenOf = (id: string): string => sha256Hex(`csrf${id}`);

/** Seconds. */
export const sessionPeriod = (days: number): number => Math.round(days * DAY);

export const isExpired = ({ expires }: Session, now: number): boolean => now >= expires;

export const isTouchDue = ({ modified }: Session, now: number): boolean => now - modified >= TOUCH_EVERY;

/** Renews a session at a use: its period of inactivity starts again. */
export function touched(session: Session, now: number, period: number): Session {
  return { ...session, modified: now, expires: now + period };
}

export interface NewSession {
  readonly id: string;
  readonly user: string;
  readonly username: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Unix seconds. */
  readonly now: number;
  /** Seconds. */
  readonly period: number;
}

export function newSession({ id, user, username, ip, userAgent, now, period }: NewSession): Session {
  return {
    id: sessionKey(id),
    user,
    username,
    ip,
    useragent: userAgent.slice(0, MAX_USER_AGENT),
    created: now,
    modified: now,
    expires: now + period,
  };
}

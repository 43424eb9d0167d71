import { placeOf } from "../../../../lib/place-of.ts";

/** Stored records may be so many seconds behind those in memory. */
export const SAVE_EVERY_SEC = 300;

/** The facts about the stored record of a server. */
export interface SavedHost {
  /** Unix seconds of the minute that counts as the last stored one; undefined = none that is known of. */
  readonly savedAt: number | undefined;
}

/** True when the record of a minute is to be stored with it. */
export const isSaveDue = ({ savedAt }: SavedHost, date: number): boolean =>
  savedAt === undefined || date - savedAt >= SAVE_EVERY_SEC;

/**
 * When the record counts as stored: after the first time somewhat earlier than it was, by the name of the server, so
 * that a fleet that came at once is not stored at once ever after.
 */
export function savedNow(server: string, { savedAt }: SavedHost, date: number): number {
  return savedAt === undefined ? date - placeOf(server, SAVE_EVERY_SEC) : date;
}

import { placeOf } from "../../../../lib/place-of.ts";

/** Most seconds that a stored record may lag behind the one in memory. */
export const SAVE_EVERY_SEC = 300;

/** What is known about the stored record of a server. */
export interface SavedHost {
  /** Unix seconds of the minute that counts as the last stored one; undefined = unknown. */
  readonly savedAt: number | undefined;
}

/** True when the record of this minute must be stored with it. */
export const isSaveDue = ({ savedAt }: SavedHost, date: number): boolean =>
  savedAt === undefined || date - savedAt >= SAVE_EVERY_SEC;

/**
 * Time at which the record counts as stored. The first time it is dated back by an offset derived from the server's id:
 * otherwise all servers that connected together would be stored together ever after.
 */
export function savedNow(server: string, { savedAt }: SavedHost, date: number): number {
  return savedAt === undefined ? date - placeOf(server, SAVE_EVERY_SEC) : date;
}

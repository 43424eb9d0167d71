import { placeOf } from "../../../../lib/place-of.ts";

/** A blob of the ring: minutes of many servers, one JSON text per line. */
export interface RingPart {
  readonly key: string;
  /** Unix seconds at which it was stored; its minutes are up to a minute older. */
  readonly epoch: number;
  readonly bytes: number;
}

export const RING_FOLDER = "minutes/";

interface NewPart extends Omit<RingPart, "key"> {
  /** Makes the key unique. */
  readonly id: string;
}

/**
 * Key of a part. It contains time and size, so that a listing of keys is sorted by age and shows which parts to delete.
 */
export const partKey = ({ epoch, bytes, id }: NewPart): string =>
  `${RING_FOLDER}${String(Math.floor(epoch)).padStart(12, "0")}-${bytes}-${id}`;

/** Parses a key; undefined for one that does not belong to the ring. */
export function readPart(key: string): RingPart | undefined {
  const [, epoch, bytes] = /^minutes\/(\d{12})-(\d{1,12})-\w+$/.exec(key) ?? [];
  return epoch === undefined ? undefined : { key, epoch: Number(epoch), bytes: Number(bytes) };
}

/** Lowest key of parts whose minutes may be from this time or later. */
export const keyFrom = (epoch: number): string => `${RING_FOLDER}${String(Math.floor(epoch)).padStart(12, "0")}`;

interface RingBounds {
  readonly maxBytes: number;
  /** Unix seconds; older parts are deleted. */
  readonly since: number;
}

/** The oldest parts that must be deleted to keep the bounds. `parts` come oldest first. */
export function outdatedParts(parts: readonly RingPart[], { maxBytes, since }: RingBounds): RingPart[] {
  let over = parts.reduce((sum, { bytes }) => sum + bytes, -maxBytes);
  const end = parts.findIndex(({ bytes, epoch }) => {
    if (epoch >= since && over <= 0) return true;
    over -= bytes;
    return false;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}

/** Bytes of minutes that arrive per minute, and the bounds of the ring. */
export interface Offered {
  readonly bytes: number;
  /** Bytes of the whole ring. */
  readonly maxBytes: number;
  readonly hours: number;
}

/** The ring keeps one in this many minutes of a server, so that all its hours fit into its bytes; 1 = every minute. */
export const strideOf = ({ bytes, maxBytes, hours }: Offered): number =>
  Math.max(1, Math.ceil((bytes * hours * 60) / maxBytes));

/**
 * True when the ring keeps this minute. Servers are offset from each other, so that the ring gets about as much in each
 * minute.
 */
export const isTaken = (
  { server, date }: { readonly server: string; readonly date: number },
  stride: number,
): boolean => (Math.floor(date / 60) + placeOf(server, stride)) % stride === 0;

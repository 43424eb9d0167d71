import { placeOf } from "../../../../lib/place-of.ts";

/** A blob of the ring: minutes of many servers, one JSON text a line. */
export interface RingPart {
  readonly key: string;
  /** Time when it was stored: its minutes are up to a minute older. Unix seconds. */
  readonly epoch: number;
  readonly bytes: number;
}

export const RING_FOLDER = "minutes/";

interface NewPart extends Omit<RingPart, "key"> {
  /** Makes the key one of its own. */
  readonly id: string;
}

/** Time and size stand in the key: a list of keys says which are to go, and sorts them by age. */
export const partKey = ({ epoch, bytes, id }: NewPart): string =>
  `${RING_FOLDER}${String(Math.floor(epoch)).padStart(12, "0")}-${bytes}-${id}`;

/** Undefined for a key that is none of the ring's. */
export function readPart(key: string): RingPart | undefined {
  const [, epoch, bytes] = /^minutes\/(\d{12})-(\d{1,12})-\w+$/.exec(key) ?? [];
  return epoch === undefined ? undefined : { key, epoch: Number(epoch), bytes: Number(bytes) };
}

/** First key whose minutes may be of this time or later. */
export const keyFrom = (epoch: number): string => `${RING_FOLDER}${String(Math.floor(epoch)).padStart(12, "0")}`;

interface RingBounds {
  readonly maxBytes: number;
  /** Unix seconds: older ones go. */
  readonly since: number;
}

/** The oldest ones, as many as it takes; `parts` come oldest first. */
export function outdatedParts(parts: readonly RingPart[], { maxBytes, since }: RingBounds): RingPart[] {
  let over = parts.reduce((sum, { bytes }) => sum + bytes, -maxBytes);
  const end = parts.findIndex(({ bytes, epoch }) => {
    if (epoch >= since && over <= 0) return true;
    over -= bytes;
    return false;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}

/** Minutes offered to the ring within a minute, and the bounds of the ring. */
export interface Offered {
  readonly bytes: number;
  /** Bytes of the whole ring. */
  readonly maxBytes: number;
  readonly hours: number;
}

/** One of how many minutes of a server is kept, so that all hours of the ring fit into its bytes; 1 = each. */
export const strideOf = ({ bytes, maxBytes, hours }: Offered): number =>
  Math.max(1, Math.ceil((bytes * hours * 60) / maxBytes));

/** True when a minute is kept; each server has its own ones, so that the ring gets about as much in each minute. */
export const isTaken = (
  { server, date }: { readonly server: string; readonly date: number },
  stride: number,
): boolean => (Math.floor(date / 60) + placeOf(server, stride)) % stride === 0;

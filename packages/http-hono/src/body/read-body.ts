import { type Admission, STRANGER_BYTES } from "../input/admission.ts";
import { leadingTexts } from "../json/leading-texts.ts";
import { type BodySource, boundedChunks, tooLarge, wholeText } from "./body.ts";
import type { Arriving, BodyPool, Release } from "./body-pool.ts";
import type { SpareBuffer } from "./spare-buffer.ts";

/** A long body is held twice: as bytes, and parsed. */
export const HELD_TIMES = 2;

export interface BodyBounds {
  readonly maxBytes: number;
  readonly pool: BodyPool;
  readonly buffers: SpareBuffer;
  /** Called only for bodies that are, or may become, longer than a stranger's may be. */
  readonly openAdmission: () => Promise<Admission>;
}

export interface ReadBody {
  /** A long body stays in bytes: converting it to text in one go takes 60 ms for 15 MB when memory is scarce. */
  readonly body: string | Buffer;
  /** Frees the room of a long body, which stays reserved until its call has been answered. */
  readonly release: Release | undefined;
  readonly admission: Admission | undefined;
}

/**
 * Reads a body: up to 64 KB from any caller, more only from an admitted caller, who may have to wait in line. Throws `InputError`
 * (413) as soon as the declared or counted length exceeds `maxBytes`, and the refusal of the admission.
 */
export async function readBody(source: BodySource, bounds: BodyBounds): Promise<ReadBody> {
  const { maxBytes, pool } = bounds;
  const { declared } = source;
  if (declared !== undefined && declared > maxBytes) throw tooLarge();
  if (source.isRead) return whole(source, maxBytes);
  if (!source.counted || declared === undefined || declared > STRANGER_BYTES) return readLong(source, bounds);
  const release = pool.takeShort(declared, source.arrival);
  try {
    return await whole(source, maxBytes);
  } finally {
    release();
  }
}

async function whole(source: BodySource, maxBytes: number): Promise<ReadBody> {
  const body = await wholeText(source);
  if (body.length > maxBytes) throw tooLarge();
  return { body, release: undefined, admission: undefined };
}

/** The bytes of a body so far, and the room reserved for them. */
interface Held {
  bytes: Buffer;
  count: number;
  isLong: boolean;
  release: Release;
}

interface Sender {
  readonly admission: Admission;
  readonly arriving: Arriving;
  readonly pool: BodyPool;
  readonly buffers: SpareBuffer;
  /** Most bytes that the body may have. */
  readonly most: number;
}

async function readLong(source: BodySource, { maxBytes, pool, buffers, openAdmission }: BodyBounds): Promise<ReadBody> {
  const { arrival: arriving, counted, declared } = source;
  // Only a length that the HTTP parser enforces is trusted.
  const most = counted && declared !== undefined ? declared : maxBytes;
  const admission = await openAdmission();
  const first = Math.min(most, STRANGER_BYTES);
  const release = pool.takeShort(first, arriving);
  const held: Held = { bytes: Buffer.allocUnsafe(first), count: 0, isLong: false, release };
  try {
    for await (const chunk of boundedChunks(source, most)) {
      if (!held.isLong && held.count + chunk.length > STRANGER_BYTES)
        await makeLong(held, chunk, { admission, arriving, pool, buffers, most });
      held.bytes.set(chunk, held.count);
      held.count += chunk.length;
    }
    const bytes = held.bytes.subarray(0, held.count);
    if (held.isLong) return { body: bytes, release: held.release, admission };
    held.release();
    return { body: decode(bytes), release: undefined, admission };
  } catch (error) {
    held.release();
    throw error;
  }
}

/**
 * Reserves room for a long body, whose sender must be admitted by the first 64 KB at the latest. Memory is not allocated for
 * strangers in advance: unfilled memory counts for the garbage collector, which then stops everything for 30 ms. The operating
 * system provides memory only as it is filled.
 */
async function makeLong(
  held: Held,
  chunk: Uint8Array,
  { admission, arriving, pool, buffers, most }: Sender,
): Promise<void> {
  held.bytes.set(chunk.subarray(0, STRANGER_BYTES - held.count), held.count);
  if (!admission.isAdmitted && !(await admission.ask(leadingTexts(decode(held.bytes))))) throw admission.refusal();
  held.release();
  held.release = await pool.takeLong(HELD_TIMES * most, arriving);
  held.isLong = true;
  const begun = held.bytes;
  held.bytes = buffers.take(most);
  held.bytes.set(begun);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

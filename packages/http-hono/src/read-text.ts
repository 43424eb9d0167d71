import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Admission, STRANGER_BYTES } from "./admission.ts";
import { type BodySource, boundedChunks, tooLarge, wholeText } from "./body.ts";
import type { BodyPool, Release } from "./body-pool.ts";
import { leadingTexts } from "./leading-texts.ts";

/** A long body is held twice: as text, and as what is parsed of it. */
export const HELD_TIMES = 2;

export interface TextBounds {
  readonly maxBytes: number;
  readonly pool: BodyPool;
  /** Asked only for bodies that are longer than a stranger's, or may become so. */
  readonly openAdmission: () => Promise<Admission>;
}

export interface ReadText {
  readonly text: string;
  /** Of a long body, which is counted until its call is answered. */
  readonly release: Release | undefined;
  readonly admission: Admission | undefined;
}

/**
 * Reads the text of a body: of anybody up to 64 KB, more only of somebody who is admitted, and in turn when many do so.
 * Throws `InputError` (413) as soon as the length is declared or counted over `maxBytes`, and what admission refuses with.
 */
export async function readText(source: BodySource, bounds: TextBounds): Promise<ReadText> {
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

async function whole(source: BodySource, maxBytes: number): Promise<ReadText> {
  const text = await wholeText(source);
  if (text.length > maxBytes) throw tooLarge();
  return { text, release: undefined, admission: undefined };
}

async function readLong(source: BodySource, { maxBytes, pool, openAdmission }: TextBounds): Promise<ReadText> {
  const { arrival, counted, declared } = source;
  // Only a length that the HTTP parser holds the sender to is believed.
  const most = counted && declared !== undefined ? declared : maxBytes;
  const admission = await openAdmission();
  const takeLong = (): Promise<Release> => pool.takeLong(HELD_TIMES * most, arrival);
  let release = admission.isAdmitted ? await takeLong() : pool.takeShort(Math.min(most, STRANGER_BYTES), arrival);
  try {
    // The system gives the memory as it is filled. A text that grows by each chunk is copied once more when it is parsed,
    // and ten bodies of 15 MB, one after another, took 170 to 320 MB in place of 80 to 200. What strangers might send is
    // not even asked for: memory that is not filled counts for the collector, which then stops for 30 ms.
    let whole: Buffer = Buffer.allocUnsafe(admission.isAdmitted ? most : Math.min(most, STRANGER_BYTES));
    let bytes = 0;
    for await (const chunk of boundedChunks(source, most)) {
      if (bytes + chunk.length > whole.length) {
        const known = Buffer.concat([whole.subarray(0, bytes), chunk], STRANGER_BYTES);
        if (!(await admission.ask(leadingTexts(await decode(known))))) throw admission.refusal();
        release();
        release = await takeLong();
        whole = enlarged(whole, most);
      }
      whole.set(chunk, bytes);
      bytes += chunk.length;
    }
    return { text: await decode(whole.subarray(0, bytes)), release, admission };
  } catch (error) {
    release();
    throw error;
  }
}

function enlarged(bytes: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafe(length);
  bytes.copy(larger);
  return larger;
}

/** Bytes that are decoded in one go even if each of them has to be replaced: 4 ms. */
const DECODED_AT_ONCE = 1_048_576;

async function decode(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder();
  if (bytes.length <= DECODED_AT_ONCE || isUtf8(bytes)) return decoder.decode(bytes);
  let text = "";
  for (let at = 0; at < bytes.length; at += DECODED_AT_ONCE) {
    text += decoder.decode(bytes.subarray(at, at + DECODED_AT_ONCE), { stream: true });
    await nextTurn();
  }
  return text + decoder.decode();
}

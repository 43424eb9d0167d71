import { type Admission, STRANGER_BYTES } from "./admission.ts";
import { type BodySource, boundedChunks, tooLarge, wholeText } from "./body.ts";
import type { BodyPool, Release } from "./body-pool.ts";
import { leadingTexts } from "./leading-texts.ts";

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
  const { declared = maxBytes, arrival } = source;
  const admission = await openAdmission();
  const takeLong = (): Promise<Release> => pool.takeLong(declared, arrival);
  let release = admission.isAdmitted ? await takeLong() : pool.takeShort(Math.min(declared, STRANGER_BYTES), arrival);
  try {
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for await (const chunk of boundedChunks(source, maxBytes)) {
      bytes += chunk.length;
      text += decoder.decode(chunk, { stream: true });
      if (admission.isAdmitted || bytes <= STRANGER_BYTES) continue;
      if (!(await admission.ask(leadingTexts(text.slice(0, STRANGER_BYTES))))) throw admission.refusal();
      release();
      release = await takeLong();
    }
    return { text: text + decoder.decode(), release, admission };
  } catch (error) {
    release();
    throw error;
  }
}

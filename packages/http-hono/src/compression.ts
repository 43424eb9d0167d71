import { promisify } from "node:util";
import { brotliCompress, constants, deflate, gzip } from "node:zlib";

/** Below this the headers would outweigh what is saved. */
const MIN_LENGTH = 1024;
/** The library's default of 11 takes a hundred times longer for a tenth less. */
const BROTLI_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Text, or the bytes of a long one. */
type Text = string | Buffer;

const brotliText = promisify<Text, object, Buffer>(brotliCompress);
const ENCODERS = {
  br: (text: Text) => brotliText(text, BROTLI_QUALITY),
  gzip: promisify<Text, Buffer>(gzip),
  deflate: promisify<Text, Buffer>(deflate),
} as const;
type Encoding = keyof typeof ENCODERS;
/** In the order of part 10 §5.1. */
const ENCODINGS = Object.keys(ENCODERS) as Encoding[];

/** The first of br, gzip and deflate that the caller takes. */
export function chooseEncoding(accepted: string | null): Encoding | undefined {
  if (!accepted) return undefined;
  const weights = new Map<string, boolean>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    weights.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  return ENCODINGS.find((encoding) => weights.get(encoding) ?? weights.get("*"));
}

export const isWorthCompressing = (text: Text): boolean => text.length >= MIN_LENGTH;

/** Packs a text outside the event loop; undefined when the caller takes none of our encodings. */
export async function compressText(
  text: Text,
  accepted: string | null,
): Promise<{ readonly encoding: Encoding; readonly packed: Buffer<ArrayBuffer> } | undefined> {
  const encoding = chooseEncoding(accepted);
  return encoding && { encoding, packed: (await ENCODERS[encoding](text)) as Buffer<ArrayBuffer> };
}

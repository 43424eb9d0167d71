import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createDeflate, createGzip, deflate, gzip } from "node:zlib";

/** Bytes below which the headers would outweigh the saving. */
const MIN_LENGTH = 1024;
/**
 * The library's default of quality 11 takes a hundred times longer for a tenth less. Its window of 4 MB takes 10 MB of
 * memory for each answer; a window of 256 KB packs JSON as well.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

const brotliText = promisify<string, object, Buffer>(brotliCompress);
const ENCODERS = {
  br: (text: string) => brotliText(text, BROTLI),
  gzip: promisify<string, Buffer>(gzip),
  deflate: promisify<string, Buffer>(deflate),
} as const;
const PACKERS = {
  br: () => createBrotliCompress(BROTLI),
  gzip: createGzip,
  deflate: createDeflate,
} as const;
export type Encoding = keyof typeof ENCODERS;
/** Encodings in the order of docs/contract/requests.md#compression. */
const ENCODINGS = Object.keys(ENCODERS) as Encoding[];

/** The first of br, gzip and deflate that the caller takes. */
export function chooseEncoding(accepted: string | null | undefined): Encoding | undefined {
  if (!accepted) return undefined;
  const weights = new Map<string, boolean>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    weights.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  return ENCODINGS.find((encoding) => weights.get(encoding) ?? weights.get("*"));
}

export const isWorthCompressing = (text: string): boolean => text.length >= MIN_LENGTH;

/** Packs a text outside the event loop. */
export const compressText = (text: string, encoding: Encoding): Promise<Buffer<ArrayBuffer>> =>
  ENCODERS[encoding](text) as Promise<Buffer<ArrayBuffer>>;

/** Packs a long text piece by piece outside the event loop: the next piece is asked for when the last one has been read. */
export function packSlices(slices: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array> {
  // The reader of the packed bytes hears of an error in the pieces.
  return pipeline(Readable.from(slices, { objectMode: false }), PACKERS[encoding](), () => undefined);
}

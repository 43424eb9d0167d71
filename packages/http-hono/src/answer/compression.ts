import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createDeflate, createGzip, deflate, gzip } from "node:zlib";

/** Bytes below which the headers would outweigh the savings. */
const MIN_LENGTH = 1024;
/**
 * The library's default quality of 11 takes a hundred times as long for a tenth less output. Its window of 4 MB needs 10 MB of
 * memory per answer; a window of 256 KB compresses JSON just as well.
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

/** The first of br, gzip and deflate that the caller accepts. */
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

/** Compresses a text outside of the event loop. */
export const compressText = (text: string, encoding: Encoding): Promise<Buffer<ArrayBuffer>> =>
  ENCODERS[encoding](text) as Promise<Buffer<ArrayBuffer>>;

/** Compresses a long text piece by piece outside of the event loop; requests a piece when the last one has been read. */
export function packSlices(slices: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array> {
  // An error in the pieces reaches the reader of the compressed bytes.
  return pipeline(Readable.from(slices, { objectMode: false }), PACKERS[encoding](), () => undefined);
}

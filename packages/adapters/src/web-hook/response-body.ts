import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

export interface ReadBodyOptions {
  /** Bytes that are kept; applies before and after decompression. */
  readonly maxBytes: number;
  readonly onBytes: () => void;
}

/** Reads and decompresses a body up to the bound; the rest stays unread. */
export async function readBody(response: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
  let body = await collect(response, options);
  const encodings = String(response.headers["content-encoding"] ?? "").split(",", 4);
  for (const name of encodings.reverse()) body = await unpack(body, name.trim().toLowerCase(), options.maxBytes);
  return body;
}

async function collect(stream: AsyncIterable<Buffer>, { maxBytes, onBytes }: ReadBodyOptions): Promise<Buffer> {
  const kept = createKept(maxBytes);
  for await (const chunk of stream) {
    onBytes();
    // Leaving the loop destroys the stream, because a small answer can decompress to gigabytes.
    if (!kept.add(chunk)) break;
  }
  return kept.bytes();
}

async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const decoder = decoderOf(packed, encoding);
  if (!decoder || packed.length === 0) return packed;
  const kept = createKept(maxBytes);
  decoder.end(packed);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) if (!kept.add(chunk)) break;
  } catch {
    // Corrupt or truncated compression must not hide the status of the answer: the part read so far is the body.
  }
  return kept.bytes();
}

interface Kept {
  /** Returns false when the bound is reached. */
  add(chunk: Buffer): boolean;
  bytes(): Buffer;
}

const FIRST_BYTES = 16_384;

/** A single growing buffer: a list of one-byte segments would take two hundred times the memory. */
function createKept(maxBytes: number): Kept {
  let whole = Buffer.alloc(0);
  let size = 0;
  return {
    add(chunk) {
      const end = Math.min(maxBytes, size + chunk.length);
      if (end > whole.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(FIRST_BYTES, 2 * end)));
        whole.copy(larger, 0, 0, size);
        whole = larger;
      }
      chunk.copy(whole, size, 0, end - size);
      size = end;
      return size < maxBytes;
    },
    bytes: () => whole.subarray(0, size),
  };
}

function decoderOf(packed: Buffer, encoding: string): Transform | undefined {
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip(zlib);
  if (encoding === "br") return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
  if (encoding !== "deflate") return undefined;
  // Some servers send bare deflate under this name; the zlib header is recognised by its checksum.
  const wrapped = packed.length > 1 && (packed[0] ?? 0) % 16 === 8 && packed.readUInt16BE(0) % 31 === 0;
  return wrapped ? createInflate(zlib) : createInflateRaw(zlib);
}

import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** Compresses the content as a stream; a failure of the source reaches the reader. */
export async function* gzipped(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  const done = pipeline(source, gzip, { signal });
  // The reader gets the error from the stream itself.
  done.catch(() => undefined);
  try {
    yield* gzip as AsyncIterable<Buffer>;
    await done;
  } finally {
    gzip.destroy();
  }
}

import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** The content compressed on its way; a failure of the source is one of the reader. */
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

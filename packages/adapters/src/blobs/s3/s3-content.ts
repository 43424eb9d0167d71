import type { IncomingMessage } from "node:http";

/**
 * The body of an answer, in pieces as its reader asks for them. The connection is given up when reading does not begin,
 * when the reader stops, and when the store falls silent; not when the reader takes its time.
 */
export function contentOf(response: IncomingMessage, timeoutMs: number): AsyncIterable<Uint8Array> {
  const iterator = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const giveUp = (reason: string) => (): void => void response.destroy(new Error(reason));
  // Heard here: an error of a content that is not read must not end the process.
  response.on("error", () => undefined);
  const unread = setTimeout(giveUp("Nobody read the blob in time"), timeoutMs);
  unread.unref();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        clearTimeout(unread);
        const silence = setTimeout(giveUp("The object store fell silent"), timeoutMs);
        try {
          return await iterator.next();
        } finally {
          clearTimeout(silence);
        }
      },
      async return() {
        clearTimeout(unread);
        response.destroy();
        return { done: true, value: undefined };
      },
    }),
  };
}

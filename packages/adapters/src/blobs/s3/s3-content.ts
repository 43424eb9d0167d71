import type { IncomingMessage } from "node:http";

/**
 * The body of an answer, in pieces as its reader asks for them. The connection is closed when the reader does not start in time
 * or stops, or when the store falls silent, but not when the reader is slow.
 */
export function contentOf(response: IncomingMessage, timeoutMs: number): AsyncIterable<Uint8Array> {
  const iterator = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const giveUp = (reason: string) => (): void => void response.destroy(new Error(reason));
  // Without this listener, an error of unread content would end the process.
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

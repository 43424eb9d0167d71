import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readBody } from "./response-body.ts";

function answer(chunks: Iterable<Buffer>, encoding?: string): IncomingMessage {
  const headers = encoding === undefined ? {} : { "content-encoding": encoding };
  return Object.assign(Readable.from(chunks, { objectMode: true }), { headers }) as unknown as IncomingMessage;
}

const read = (chunks: Iterable<Buffer>, maxBytes: number, encoding?: string) =>
  readBody(answer(chunks, encoding), { maxBytes, onBytes: () => undefined });

const inSegments = function* (bytes: Buffer, length: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
};

describe("the body of an answer", () => {
  const text = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index & 0xff));

  test.each([1, 7, 16_384, 50_000])("is the same in segments of %d bytes", async (length) => {
    expect(await read(inSegments(text, length), 1_000_000)).toEqual(text);
  });

  test.each([1, 100, 16_384, 49_999])("is cut after %d bytes, wherever a segment ends", async (maxBytes) => {
    expect(await read(inSegments(text, 333), maxBytes)).toEqual(text.subarray(0, maxBytes));
  });

  test("is cut after it is unpacked as well", async () => {
    expect(await read([gzipSync(text)], 40_000, "gzip")).toEqual(text.subarray(0, 40_000));
  });

  test("keeps no segment in memory, because a host may send a million", async () => {
    const segment = Buffer.alloc(1);
    const reused = function* (): Generator<Buffer> {
      for (const byte of text) {
        segment[0] = byte;
        yield segment;
      }
    };
    expect(await read(reused(), 1_000_000)).toEqual(text);
  });

  test("may be empty", async () => {
    expect(await read([], 1000)).toEqual(Buffer.alloc(0));
    expect(await read([], 1000, "gzip")).toEqual(Buffer.alloc(0));
  });
});

import { pipeline, Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import type { BlobStore } from "../../../../ports/storage/blob-store.ts";

/** An uploaded file, decompressed if it starts like gzip. */
export interface Content {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Share of the file that has been read, from 0 to 1. */
  share(): number;
  /** True if a compressed file ends before its content does. */
  isShort(): boolean;
}

const GZIP = [0x1f, 0x8b];
/** Length of the trailer of a gzip file, which contains the uncompressed length. */
const LENGTH_BYTES = 4;
const PIECE = 65_536;

interface Seen {
  packed: number;
  unpacked: number;
  last: Buffer;
}

export async function openContent(blobs: BlobStore, key: string): Promise<Content | undefined> {
  const found = await blobs.get(key);
  if (!found) return undefined;
  const start = await blobs.get(key, { start: 0, end: Math.min(1, Math.max(0, found.sizeBytes - 1)) });
  const isPacked =
    found.sizeBytes > 1 && start !== undefined && Buffer.concat(await all(start.content)).equals(Buffer.from(GZIP));
  const seen: Seen = { packed: 0, unpacked: 0, last: Buffer.alloc(0) };
  const counted = countPacked(found.content, seen);
  return {
    bytes: isPacked ? unpack(counted, seen) : counted,
    share: () => (found.sizeBytes === 0 ? 1 : seen.packed / found.sizeBytes),
    isShort: () =>
      isPacked && (seen.last.length < LENGTH_BYTES || seen.last.readUInt32LE() !== seen.unpacked % 2 ** 32),
  };
}

async function all(content: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return pieces;
}

async function* countPacked(content: AsyncIterable<Uint8Array>, seen: Seen): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    seen.packed += piece.length;
    seen.last = Buffer.concat([seen.last, piece.slice(-LENGTH_BYTES)]).subarray(-LENGTH_BYTES);
    yield piece;
  }
}

/** Decompresses a truncated file up to its last byte instead of failing before the last piece. */
async function* unpack(content: AsyncIterable<Uint8Array>, seen: Seen): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: PIECE });
  pipeline(Readable.from(content), gunzip, () => undefined);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      seen.unpacked += piece.length;
      yield piece;
    }
  } finally {
    gunzip.destroy();
  }
}

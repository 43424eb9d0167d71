import { createHash } from "node:crypto";
import type { S3Body } from "./s3-requests.ts";

const SLAB = 256 * 1024;

/**
 * A part of a blob during its upload. Filled by copying, so that a stream of single bytes costs no more memory than any other.
 */
export interface Part {
  readonly isFull: boolean;
  readonly sizeBytes: number;
  /** Takes the bytes that fit and returns the rest. */
  add(chunk: Uint8Array): Uint8Array;
  body(): S3Body;
  /** Empties the part for reuse. */
  clear(): void;
}

export function createPart(capacity: number): Part {
  const slabs: Buffer[] = [];
  let size = 0;
  let hash = createHash("sha256");
  const bytesIn = (index: number): number => Math.min(SLAB, size - index * SLAB);
  return {
    get isFull() {
      return size >= capacity;
    },
    get sizeBytes() {
      return size;
    },
    add(chunk) {
      const index = Math.floor(size / SLAB);
      slabs[index] ??= Buffer.allocUnsafeSlow(Math.min(SLAB, capacity - index * SLAB));
      const taken = chunk.subarray(0, Math.min(slabs[index].length - (size % SLAB), capacity - size));
      slabs[index].set(taken, size % SLAB);
      // Hashed incrementally: hashing a whole part at once would block the event loop.
      hash.update(taken);
      size += taken.length;
      return chunk.subarray(taken.length);
    },
    body() {
      const used = slabs.slice(0, Math.ceil(size / SLAB));
      const pieces = used.map((slab, index) => slab.subarray(0, bytesIn(index)));
      return { pieces, sizeBytes: size, sha256: hash.copy().digest("hex") };
    },
    clear() {
      size = 0;
      hash = createHash("sha256");
    },
  };
}

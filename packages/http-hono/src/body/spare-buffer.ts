/** Reuses the memory of one long body for the next: otherwise the garbage collector would leave 150 MB of ten bodies unfreed. */
export interface SpareBuffer {
  /** A buffer of at least the given size, with arbitrary content. */
  take(bytes: number): Buffer;
  /** Returns a buffer, or a part of one, that is no longer read. */
  giveBack(part: Buffer): void;
}

/** Keeps at most one buffer, and only until the next garbage collection. */
export function createSpareBuffer(): SpareBuffer {
  let spare: WeakRef<Buffer> | undefined;
  return {
    take(bytes) {
      const buffer = spare?.deref();
      if (!buffer || buffer.length < bytes) return Buffer.allocUnsafe(bytes);
      spare = undefined;
      return buffer;
    },
    giveBack({ buffer }) {
      spare = new WeakRef(Buffer.from(buffer));
    },
  };
}

/** Passes the memory of one long body on to the next: the collector would leave 150 MB of ten bodies unfreed. */
export interface SpareBuffer {
  /** A buffer of at least so many bytes, with any content. */
  take(bytes: number): Buffer;
  /** Takes back a buffer, or a part of one, that is read no longer. */
  giveBack(part: Buffer): void;
}

/** Holds one buffer, and only until the collector comes by. */
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

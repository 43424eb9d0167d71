import { randomBytes } from "node:crypto";

/** The only source of randomness. */
export interface Random {
  /** Cryptographically strong bytes. */
  bytes(size: number): Uint8Array;
  /** Uniform in [0, 1). */
  fraction(): number;
}

const POOL_BYTES = 4096;

/**
 * Randomness from the operating system. Bytes come from a pool: one small `randomBytes` call costs more than a thousand copies.
 */
export function systemRandom(): Random {
  let pool = new Uint8Array(0);
  let used = 0;
  const bytes = (size: number): Uint8Array => {
    if (size > POOL_BYTES / 4) return Uint8Array.from(randomBytes(size));
    if (used + size > pool.length) {
      pool = Uint8Array.from(randomBytes(POOL_BYTES));
      used = 0;
    }
    const out = pool.slice(used, used + size);
    // Erases the bytes it hands out: they may become a key.
    pool.fill(0, used, used + size);
    used += size;
    return out;
  };
  return {
    bytes,
    fraction() {
      const word = bytes(6);
      return Buffer.from(word).readUIntBE(0, 6) / 2 ** 48;
    },
  };
}

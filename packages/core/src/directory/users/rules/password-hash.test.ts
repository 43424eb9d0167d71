import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatScrypt, parseScrypt, SCRYPT_COSTS } from "./password-hash.ts";

const salt = "AAECAwQFBgcICQoLDA0ODw==";
const hash = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

test("the stored form contains the costs, the salt and the hash", () => {
  const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index);
  const text = formatScrypt({ ...SCRYPT_COSTS, salt: bytes(16), hash: bytes(32) });
  expect(text).toBe(`scrypt$16384$8$5$${salt}$${hash}`);
  expect(parseScrypt(text)).toEqual({ n: 16_384, r: 8, p: 5, salt: bytes(16), hash: bytes(32) });
});

test("a formatted hash reads back unchanged", async () => {
  const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
  await fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), bytes(2, 64), bytes(16, 64), (log, someSalt, someHash) => {
      const stored = { n: 2 ** log, r: 8, p: 1, salt: someSalt, hash: someHash };
      expect(parseScrypt(formatScrypt(stored))).toEqual(stored);
    }),
  );
});

test.each([
  "",
  "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
  `scrypt$16384$8$5$${salt}`,
  `scrypt$16383$8$5$${salt}$${hash}`,
  `scrypt$0$8$5$${salt}$${hash}`,
  `scrypt$16384$0$5$${salt}$${hash}`,
  `scrypt$16384$8$0$${salt}$${hash}`,
  `scrypt$16384$8$99$${salt}$${hash}`,
  `scrypt$1048576$8$5$${salt}$${hash}`,
  `scrypt$-2$8$5$${salt}$${hash}`,
  `scrypt$16384$8$5$${salt}$AAAA`,
  `scrypt$16384$8$5$${salt}$${hash}\n`,
])("%j is not a hash of ours", (text) => {
  expect(parseScrypt(text)).toBeUndefined();
});

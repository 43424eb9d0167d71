/** A stored password hash: costs, salt and derived bytes. */
export interface ScryptHash {
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

/** See docs/contract/accounts.md#passwords. */
export const SCRYPT_COSTS = { n: 16_384, r: 8, p: 5 } as const;

/** Costs of hashes of random passwords, which cannot be guessed, so that a fast hash suffices. */
export const RANDOM_COSTS = { n: 16, r: 8, p: 1 } as const;

/** Costs that mark a placeholder, which is stored until the given password has been hashed. */
export const AWAITED_COSTS = { n: 16, r: 8, p: 2 } as const;

/** Bytes (32 MB). A record that asks for more is treated as malformed instead of being computed. */
const MAX_MEMORY = 2 ** 25;
const MAX_PARALLEL = 16;
const MAX_BYTES = 128;
const FORM = /^scrypt\$(\d{1,7})\$(\d{1,3})\$(\d{1,2})\$([A-Za-z0-9+/]{2,200}={0,2})\$([A-Za-z0-9+/]{20,200}={0,2})$/;

/** `scrypt$16384$8$5$<salt>$<hash>`, both in Base64. */
export const formatScrypt = ({ n, r, p, salt, hash }: ScryptHash): string =>
  ["scrypt", n, r, p, Buffer.from(salt).toString("base64"), Buffer.from(hash).toString("base64")].join("$");

/** Returns undefined for hashes of other systems, and for costs that would occupy a thread too long. */
export function parseScrypt(text: string): ScryptHash | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [n = 0, r = 0, p = 0] = match.slice(1, 4).map(Number);
  const [salt, hash] = match.slice(4).map((part) => new Uint8Array(Buffer.from(part, "base64")));
  if (!salt || !hash || hash.length < 16 || hash.length > MAX_BYTES || !isAffordable(n, r, p)) return undefined;
  return { n, r, p, salt, hash };
}

/** True for a placeholder, which is stored until the given password has been hashed. */
export function isAwaited(text: string): boolean {
  const { n, r, p } = parseScrypt(text) ?? {};
  return n === AWAITED_COSTS.n && r === AWAITED_COSTS.r && p === AWAITED_COSTS.p;
}

function isAffordable(n: number, r: number, p: number): boolean {
  const isPowerOfTwo = n >= 2 && (n & (n - 1)) === 0;
  return isPowerOfTwo && r >= 1 && p >= 1 && p <= MAX_PARALLEL && 128 * n * r <= MAX_MEMORY;
}

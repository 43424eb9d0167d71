import { scrypt } from "node:crypto";
import { availableParallelism } from "node:os";
import { createLimiter } from "../../../../lib/turns/limiter.ts";
import { KEY_BYTES } from "../../rules/crypto.ts";

/** Costs of a key derivation. A sealed record does not contain them, so it opens only in engines with the same costs. */
export interface KeyCosts {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}
export const KEY_COSTS: KeyCosts = { N: 16_384, r: 8, p: 1 };
/** A derivation takes 16 MB and a core for about 30 ms, so a caller behind a thousand others is refused instead of waiting. */
const MAX_WAITING = 1000;

/** Derives a key on the thread pool, never on the event loop (docs/contract/secrets.md#sealed-form). */
export function deriveKey(passphrase: string, salt: Uint8Array, costs = KEY_COSTS): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, KEY_BYTES, costs, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Number of simultaneous derivations: one core stays free for the host, and the thread pool has other users. */
export const deriveWidth = (cores = availableParallelism()): number => Math.max(1, Math.min(4, cores - 1));

/** The queue of all derivations of a key ring. */
export const createDerivations = () =>
  createLimiter({
    atOnce: deriveWidth(),
    most: MAX_WAITING,
    refusal: () => new Error("Too many secrets are being opened; try again."),
  });

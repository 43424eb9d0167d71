import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import type { Cradle } from "../../../kernel/container.ts";
import { RateError } from "../../../kernel/errors.ts";
import { formatScrypt, parseScrypt, SCRYPT_COSTS, type ScryptHash } from "../rules/password-hash.ts";

/** Hashes and checks passwords outside of the event loop's thread (part 11 §5.3). */
export interface Passwords {
  /** Throws `RateError` when too many passwords wait already. */
  hash(password: string): Promise<string>;
  /**
   * Compares in constant time; without a stored hash it takes as long and says no. `outdated` = the stored hash is of
   * another system or of older costs and wants to be replaced. Throws `RateError` like `hash`.
   */
  verify(password: string, stored: string | undefined): Promise<{ readonly ok: boolean; readonly outdated: boolean }>;
}

type Verdict = Awaited<ReturnType<Passwords["verify"]>>;

/** Each one holds a thread of four and 16 MB for a tenth of a second. */
const CONCURRENCY = 2;
const MAX_WAITING = 64;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const REFUSED: Verdict = { ok: false, outdated: false };

/** Compared with where there is no hash, so that the time does not tell which accounts exist. */
const NOBODY: ScryptHash = { ...SCRYPT_COSTS, salt: new Uint8Array(SALT_BYTES), hash: new Uint8Array(KEY_BYTES) };

export function createPasswords({ random, verifyPassword }: Pick<Cradle, "random" | "verifyPassword">): Passwords {
  const inTurn = createTurns();

  async function verifyOwn(password: string, stored: ScryptHash): Promise<Verdict> {
    const ok = timingSafeEqual(await derive(password, stored), stored.hash);
    return { ok, outdated: ok && !hasCurrentCosts(stored) };
  }

  async function verify(password: string, stored: string | undefined): Promise<Verdict> {
    const own = stored === undefined ? undefined : parseScrypt(stored);
    if (own) return verifyOwn(password, own);
    if (stored && verifyPassword) {
      const ok = (await verifyPassword(password, stored)) === true;
      return { ok, outdated: ok };
    }
    await verifyOwn(password, NOBODY);
    return REFUSED;
  }

  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = random.bytes(SALT_BYTES);
        const hash = await derive(password, { ...SCRYPT_COSTS, salt, hash: NOBODY.hash });
        return formatScrypt({ ...SCRYPT_COSTS, salt, hash });
      }),
    verify: (password, stored) => inTurn(() => verify(password, stored)),
  };
}

const hasCurrentCosts = ({ n, r, p }: ScryptHash): boolean =>
  n === SCRYPT_COSTS.n && r === SCRYPT_COSTS.r && p === SCRYPT_COSTS.p;

/** As many bytes as the hash it is compared with, on a thread of the pool. */
function derive(password: string, { n, r, p, salt, hash }: ScryptHash): Promise<Uint8Array> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 256 * (n + p) * r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hash.length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Runs few at once and lets a bounded line wait: what hashes for strangers must not take the host's threads. */
function createTurns(): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = (): void => {
    const next = waiting.shift();
    // The place is handed over, so that nobody who comes now gets in between.
    if (next) next();
    else running -= 1;
  };
  return async (work) => {
    if (running < CONCURRENCY) running += 1;
    else if (waiting.length < MAX_WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new RateError("Too many passwords are being checked.  Please try again later.");
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

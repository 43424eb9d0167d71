import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import type { Cradle } from "../../../kernel/container.ts";
import { RateError } from "../../../kernel/errors/errors.ts";
import { createLimiter } from "../../../lib/turns/limiter.ts";
import type { Random } from "../../../ports/random.ts";
import { formatScrypt, parseScrypt, SCRYPT_COSTS, type ScryptHash } from "../rules/password-hash.ts";

/** Hashes and checks passwords outside of the event loop's thread (docs/contract/accounts.md#passwords). */
export interface Passwords {
  /** Throws `RateError` when too many passwords are waiting. */
  hash(password: string): Promise<string>;
  /**
   * Compares in constant time. Without a stored hash, or with one that is cheaper to check, it takes as long as with a hash of
   * the current costs. `outdated` = the stored hash has older costs or comes from another system and should be replaced. Throws
   * `RateError` like `hash`.
   */
  verify(password: string, stored: string | undefined): Promise<{ readonly ok: boolean; readonly outdated: boolean }>;
}

type Costs = Pick<ScryptHash, "n" | "r" | "p">;
type Verdict = Awaited<ReturnType<Passwords["verify"]>>;

/** Each check occupies one of four threads and 16 MB for a tenth of a second: strangers must not take the host's threads. */
const CONCURRENCY = 2;
const MAX_WAITING = 64;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const tooMany = () => new RateError("Too many passwords are being checked.  Please try again later.");
const REFUSED: Verdict = { ok: false, outdated: false };

/** `costs` apply to new hashes; every check does at least that much work. */
export function createPasswords(
  { random, verifyPassword }: Pick<Cradle, "random" | "verifyPassword">,
  costs: Costs = SCRYPT_COSTS,
): Passwords {
  const inTurn = createLimiter({ atOnce: CONCURRENCY, most: MAX_WAITING, refusal: tooMany });
  /** Replaces a missing hash, so that the time does not reveal which accounts exist. */
  const nobody: ScryptHash = { ...costs, salt: new Uint8Array(SALT_BYTES), hash: new Uint8Array(KEY_BYTES) };

  async function verifyOwn(password: string, stored: ScryptHash): Promise<Verdict> {
    const ok = timingSafeEqual(await derive(password, stored), stored.hash);
    const missing = missingRounds(stored, costs);
    if (missing > 0) await derive(password, { ...nobody, p: missing });
    return { ok, outdated: ok && !isSame(stored, costs) };
  }

  async function verify(password: string, stored: string | undefined): Promise<Verdict> {
    const own = stored === undefined ? undefined : parseScrypt(stored);
    if (own) return verifyOwn(password, own);
    if (stored && verifyPassword) {
      const [verdict] = await Promise.all([verifyPassword(password, stored), derive(password, nobody)]);
      const ok = verdict === true;
      return { ok, outdated: ok };
    }
    await verifyOwn(password, nobody);
    return REFUSED;
  }

  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = random.bytes(SALT_BYTES);
        const hash = await derive(password, { ...nobody, salt });
        return formatScrypt({ ...costs, salt, hash });
      }),
    verify: (password, stored) => inTurn(() => verify(password, stored)),
  };
}

const isSame = (one: Costs, other: Costs): boolean => one.n === other.n && one.r === other.r && one.p === other.p;

const work = ({ n, r, p }: Costs): number => n * r * p;

/** Rounds of the usual hash that a cheaper one lacks. */
const missingRounds = (stored: Costs, costs: Costs): number =>
  Math.round((work(costs) - work(stored)) / work({ ...costs, p: 1 }));

/** Derives as many bytes as the compared hash has, on a thread of the pool. */
function derive(password: string, { n, r, p, salt, hash }: ScryptHash): Promise<Uint8Array> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 256 * (n + p) * r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hash.length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** For random passwords only: too fast for passwords that people choose. */
export async function quickHash(password: string, costs: Costs, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  const hash = await derive(password, { ...costs, salt, hash: new Uint8Array(KEY_BYTES) });
  return formatScrypt({ ...costs, salt, hash });
}

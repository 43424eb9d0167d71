import type { Cradle } from "../../../kernel/container.ts";
import { userCollection } from "../collection.ts";
import { ADMINISTRATOR } from "../rules/administrator.ts";
import { AWAITED_COSTS, isAwaited, RANDOM_COSTS } from "../rules/password-hash.ts";
import { quickHash } from "./passwords.ts";

/**
 * The given password of the first administrator. A slow hash takes a quarter of a first start, so it is computed a second later,
 * or by an earlier login. Until then the stored hash is a placeholder that no password opens.
 */
export interface FirstPassword {
  /** Hashes random passwords only: it is fast, and the first login replaces the hash. */
  hashRandom(plain: string): Promise<string>;
  /**
   * Makes the placeholder that no password opens. It is recognised by its costs, so that a start after a crash finishes the work.
   */
  placeholder(): Promise<string>;
  /** `isNeeded` = the administrator still has the placeholder. */
  plan(given: string | undefined, isNeeded: boolean): void;
  /** Resolves when the account has its password, or at once when nothing was planned. Rejects when it cannot be stored. */
  settle(): Promise<void>;
  /** The same, but logs a failure instead of rejecting. */
  finish(): Promise<void>;
}

type Deps = Pick<Cradle, "accountChanges" | "clock" | "ids" | "log" | "passwords" | "random" | "transact">;

const LATER_MS = 1000;
const LENGTH = 24;

export function createFirstPassword(deps: Deps): FirstPassword {
  const { clock, ids, log, random } = deps;
  let planned: { readonly plain: string; readonly timer: Disposable } | undefined;
  let working: Promise<void> | undefined;

  async function store(): Promise<void> {
    if (!planned) return;
    await replacePlaceholder(deps, planned.plain);
    planned.timer[Symbol.dispose]();
    planned = undefined;
  }
  const settle = (): Promise<void> => {
    // After a failure the next login tries again.
    working ??= store().finally(() => {
      working = undefined;
    });
    return working;
  };
  const finish = (): Promise<void> =>
    settle().catch((error: unknown) => log.error({ error }, "The administrator's password could not be stored yet"));
  return {
    hashRandom: (plain) => quickHash(plain, RANDOM_COSTS, random),
    placeholder: () => quickHash(ids.alphanumeric(LENGTH), AWAITED_COSTS, random),
    plan(given, isNeeded) {
      if (!isNeeded) return;
      if (given) planned = { plain: given, timer: clock.after(LATER_MS, () => void finish()) };
      else log.warn({}, "The user admin has no password yet: start with the one that was given before");
    },
    settle,
    finish,
  };
}

async function replacePlaceholder({ accountChanges, passwords, transact }: Deps, plain: string): Promise<void> {
  // Hashed beforehand, because a transaction must not wait for the hash.
  const hash = await passwords.hash(plain);
  await transact(async ({ tx }) => {
    const user = await tx.collection(userCollection).get(ADMINISTRATOR);
    // The account may have been changed or removed meanwhile.
    if (user && isAwaited(user.password)) await accountChanges.rehash(tx, ADMINISTRATOR, hash);
  });
}

import type { Config } from "../../../config.ts";
import type { Client } from "../../../kernel/context.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { Transact } from "../../../kernel/unit-of-work.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import type { Services } from "../../../services.ts";
import { userCollection } from "../../users/collection.ts";
import type { User } from "../../users/model.ts";
import { countFailure } from "../rules/lockout.ts";
import { accountActor, accountStub } from "./accounts.ts";
import type { LoginThrottle } from "./login-throttle.ts";

/** Judges passwords at the door: counts failures, locks accounts (part 11 §4.5). */
export interface Logins {
  /**
   * Compares a password with that of an account, if there is one. Must not run inside a transaction: it takes the time
   * of a hash, and a failure is counted in a transaction of its own. Throws `DomainError` when the login is refused.
   */
  check(attempt: LoginAttempt, client: Client): Promise<CheckedLogin>;
  /** The account if it may still log in; throws `DomainError` when it was changed since it was checked. */
  confirm(user: User | undefined, checked: CheckedLogin, username: string): User;
}

export interface LoginAttempt {
  /** The account that the name means. */
  readonly user: User | undefined;
  /** As it was typed. */
  readonly username: string;
  readonly password: string;
}

export interface CheckedLogin {
  /** The hash that the password was compared with. */
  readonly hash: string;
  /** To replace it, when that hash is of older costs or another system. */
  readonly renewed: string | undefined;
}

interface Deps extends Pick<Services, "passwords" | "securityLog" | "activity"> {
  readonly loginThrottle: LoginThrottle;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly config: Config;
}

export function createLogins(deps: Deps): Logins {
  const { passwords, loginThrottle } = deps;
  return {
    async check({ user, username, password }, client) {
      const giveBack = loginThrottle.take(client.ip);
      const { ok, outdated } = await judged(passwords.verify(password, user?.password), giveBack);
      if (user) requireUnlocked(user);
      if (!user || !ok) {
        if (user) await recordFailure(deps, user.id, client);
        throw incorrect();
      }
      requireActive(user, username);
      giveBack();
      return { hash: user.password, renewed: outdated ? await passwords.hash(password) : undefined };
    },
    confirm(user, { hash }, username) {
      if (user) requireUnlocked(user);
      if (user?.password !== hash) throw incorrect();
      requireActive(user, username);
      return user;
    },
  };
}

/** An attempt that could not be judged, because too many wait, is no failure. */
async function judged<T>(verdict: Promise<T>, giveBack: () => void): Promise<T> {
  try {
    return await verdict;
  } catch (error) {
    giveBack();
    throw error;
  }
}

const refuse = (text: string): DomainError => new DomainError("login", "conflict", text);

const incorrect = (): DomainError => new DomainError("login", "malformed", "Username or password incorrect.");

/** Before all else: a locked account says so to a wrong password too. */
export function requireUnlocked({ force_password_reset }: User): void {
  if (force_password_reset) throw refuse("Account is locked out.  Please reset your password to unlock it.");
}

/** `username` as it was typed. */
export function requireActive({ active }: User, username: string): void {
  if (!active) throw refuse(`User account is disabled: ${username}`);
}

/** Counted where it is stored, so that failures at the same moment and on other nodes count too. */
function recordFailure(deps: Deps, id: string, client: Client): Promise<void> {
  const { clock, config, transact } = deps;
  return transact(async ({ tx }) => {
    const users = tx.collection(userCollection);
    const user = await users.get(id);
    if (!user || user.force_password_reset) return;
    const counted = countFailure(user, clock.now(), config.User.max_failed_logins_per_hour);
    const changed = await users.update(id, (current) => ({ ...current, ...counted }));
    if (counted.force_password_reset) await tellOfLock(deps, tx, changed, client);
  });
}

async function tellOfLock({ activity, securityLog }: Deps, tx: WriteTx, user: User, client: Client): Promise<void> {
  const entry = { action: "user_locked", detail: { user: accountStub(user), keywords: [user.username] } };
  await activity.write(tx, entry, accountActor(user), client);
  await securityLog.write(tx, user.id, entry, client);
}

import type { Client } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { isAdministrator } from "../../../access/rules/effective.ts";
import { roleRecords } from "../../../roles/records.ts";
import type { User } from "../../../users/model.ts";
import { userRecords } from "../../../users/records.ts";
import { userKey } from "../../../users/rules/account.ts";
import { countFailure } from "../../rules/lockout.ts";
import { requireOpen, requireUnlocked, writeOfAccount } from "../accounts.ts";

const DELAYED = "Too many failed logins; further attempts are delayed.";

/** Checks passwords at login: counts failures, delays guesses, locks accounts that are not administrators. */
export interface Logins {
  /**
   * Compares a password with the account's, if the account exists. Must not run inside a transaction: it takes the time of a hash,
   * and counts a failure in a separate transaction. Throws `DomainError` when the login is refused.
   */
  check(attempt: LoginAttempt, client: Client): Promise<CheckedLogin>;
  /** Returns the account if it may log in; throws `DomainError` when it is locked, disabled, or changed since the check. */
  confirm(user: User | undefined, checked: CheckedLogin): User;
}

export interface LoginAttempt {
  /** The account of that name, if it exists. */
  readonly user: User | undefined;
  /** Name as it was typed. */
  readonly username: string;
  readonly password: string;
}

export interface CheckedLogin {
  /** Name as it was typed. */
  readonly username: string;
  /** The hash that the password was compared with. */
  readonly hash: string;
  /** New hash of the same password, when the stored one has older costs or comes from another system. */
  readonly renewed: string | undefined;
}

type Deps = Pick<
  Cradle,
  "accountChanges" | "activity" | "clock" | "config" | "loginThrottle" | "passwords" | "securityLog" | "transact"
>;

/**
 * An unknown name, a wrong password and an attempt that came too early get the same refusal after the same work. Every password
 * gets the refusal of a locked account, which reveals nothing about the right one. Only the right password gets the refusal of a
 * disabled account, and it counts for the delays like a wrong one.
 */
export function createLogins(deps: Deps): Logins {
  const { passwords, loginThrottle } = deps;
  return {
    async check({ user, username, password }, client) {
      const attempt = await loginThrottle.attempt(userKey(username), client.ip);
      const { ok, outdated } = await attempt.judge(passwords.verify(password, user?.password));
      if (user) requireUnlocked(user);
      if (attempt.delayed) throw incorrect();
      if (!ok) await recordFailure(deps, userKey(username), client);
      if (!user || !ok) throw incorrect();
      requireOpen(user, username);
      attempt.forgive();
      return { username, hash: user.password, renewed: outdated ? await passwords.hash(password) : undefined };
    },
    confirm(user, { username, hash }) {
      if (user?.password !== hash) throw incorrect();
      requireOpen(user, username);
      return user;
    },
  };
}

const incorrect = (): DomainError => new DomainError("login", "malformed", "Username or password incorrect.");

/**
 * Counts a failure in the store, so that simultaneous failures and those on other nodes count too. The transaction also runs for
 * unknown names, so that the time does not reveal which names exist.
 */
function recordFailure(deps: Deps, id: string, client: Client): Promise<void> {
  const { accountChanges, clock, config, transact } = deps;
  const limit = config.User.max_failed_logins_per_hour;
  return transact(async ({ tx }) => {
    const [user, roles] = [await tx.collection(userRecords).get(id), await tx.collection(roleRecords).list()];
    if (!user || user.force_password_reset) return;
    const counted = countFailure(user, clock.now(), { limit, canLock: !isAdministrator(user, roles) });
    const changed = await accountChanges.countFailures(tx, id, counted);
    if (counted.fl_count !== limit + 1) return;
    const isLocked = changed.force_password_reset;
    const told = isLocked ? { action: "user_locked" } : { action: "warning", description: DELAYED };
    await writeOfAccount(deps, { tx, client }, changed, told);
  });
}

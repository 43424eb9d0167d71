import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { userCollection } from "../collection.ts";
import type { User } from "../model.ts";
import { requireAccount } from "./require-account.ts";

/**
 * Returns the caller's account after checking the password. This occupies a thread for a while, so call it in `prepare`; the
 * handler then calls `requireSamePassword`. `code` is the wire code of a wrong password.
 */
export async function requireOwnPassword(
  { actor, client, read, services }: PrepareContext,
  password: string,
  code: "user" | "login",
): Promise<User> {
  const id = requireAccount(actor);
  const user = await read((tx) => tx.collection(userCollection).get(id));
  if (!user) throw unknownUser(actor.id);
  // Shares the throttle of logins: a stolen session must not be a way to guess the password.
  const attempt = await services.loginThrottle.attempt(id, client.ip);
  const { ok } = await attempt.judge(services.passwords.verify(password, user.password));
  if (!ok || attempt.delayed) throw wrongPassword(code);
  attempt.forgive();
  return user;
}

/** Throws when the password has changed since it was checked. */
export function requireSamePassword(stored: User | undefined, checked: User, code: "user" | "login"): User {
  if (!stored) throw unknownUser(checked.username);
  if (stored.password !== checked.password) throw wrongPassword(code);
  return stored;
}

/** Throws for a password shorter than the configuration allows. `parameter` is the name of the member. */
export function requireLength(password: string, minimum: number, parameter: string): void {
  if (password.length < minimum) throw new InputError(`Malformed parameter: ${parameter}`);
}

export const unknownUser = (username: string): DomainError =>
  new DomainError("user", "unknown", `User not found: ${username}`);

const wrongPassword = (code: "user" | "login"): DomainError =>
  new DomainError(code, "malformed", "Your password is incorrect.");

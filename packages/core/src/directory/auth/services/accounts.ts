import type { Client } from "../../../kernel/calls/context.ts";
import { type Actor, anonymous } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { User } from "../../users/model.ts";

/** The actor of rows about logins, during which nobody is signed in yet; has no rights. */
const accountActor = ({ username, full_name }: User): Actor => ({
  ...anonymous,
  kind: "user",
  id: username,
  title: full_name || username,
});

/** Members of an account in rows about logins. */
export function accountStub({ username, full_name, icon }: User): Readonly<Record<string, string>> {
  return { username, full_name, ...(icon ? { icon } : {}) };
}

/** Throws `DomainError` for a locked account. Every caller gets this error, so a guesser does not learn the password from it. */
export function requireUnlocked({ force_password_reset }: User): void {
  if (force_password_reset) throw closed("Account is locked out.  Please reset your password to unlock it.");
}

/**
 * Throws `DomainError` for a locked or disabled account; `username` is its name as it was typed. Call it only for callers that
 * have proved the password or a session: others would learn which names exist.
 */
export function requireOpen(user: User, username: string): void {
  requireUnlocked(user);
  if (!user.active) throw closed(`User account is disabled: ${username}`);
}

const closed = (text: string): DomainError => new DomainError("login", "conflict", text);

/** Logs in the activity log, and in the account's security log, something that the account did or that happened to it. */
export async function writeOfAccount(
  { activity, securityLog }: Pick<Cradle, "activity" | "securityLog">,
  { tx, client }: { readonly tx: WriteTx; readonly client: Client },
  user: User,
  { action, ...more }: { readonly action: string; readonly description?: string },
): Promise<void> {
  const entry = { action, detail: { user: accountStub(user), keywords: [user.username], ...more } };
  await activity.write(tx, entry, accountActor(user), client);
  await securityLog.write(tx, user.id, entry, client);
}

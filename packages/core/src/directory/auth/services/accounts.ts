import type { Client } from "../../../kernel/calls/context.ts";
import { type Actor, anonymous } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { User } from "../../users/model.ts";

/** The actor of rows about logins, where no account is signed in yet; holds no right. */
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

/** Throws `DomainError` for a locked account. It is told to every caller, so that a guesser does not learn its password. */
export function requireUnlocked({ force_password_reset }: User): void {
  if (force_password_reset) throw closed("Account is locked out.  Please reset your password to unlock it.");
}

/**
 * Throws `DomainError` for a locked or disabled account, `username` being its name as it was typed. For callers alone that
 * have shown its password or a session: others would learn which names exist.
 */
export function requireOpen(user: User, username: string): void {
  requireUnlocked(user);
  if (!user.active) throw closed(`User account is disabled: ${username}`);
}

const closed = (text: string): DomainError => new DomainError("login", "conflict", text);

/** Writes into the activity log that an account did something or met with it, and the same into its security log. */
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

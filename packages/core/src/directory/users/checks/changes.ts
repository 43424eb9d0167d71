import type { CommandContext } from "../../../kernel/calls/context.ts";
import { DomainError, DuplicateError, InputError } from "../../../kernel/errors/errors.ts";
import { roleRecords } from "../../roles/records.ts";
import { userCollection } from "../collection.ts";
import type { User } from "../model.ts";
import { type AccountInput, accountLock, newUser, publicUser } from "../rules/account.ts";
import { isBlockedName, isValidName } from "../rules/names.ts";
import { keepAdministrator } from "./keep-administrator.ts";

/** Throws for a name that the configuration does not allow. */
export function requireValidName(username: string, { config }: Pick<CommandContext, "config">): void {
  if (!isValidName(username, config.User.valid_username_match)) throw new InputError("Malformed parameter: username");
}

/** Throws for a name that only administrators may assign. */
export function requireUnblockedName(username: string, { config }: Pick<CommandContext, "config">): void {
  if (isBlockedName(username, config.User.block_username_match))
    throw new DomainError("user", "conflict", `Username is blocked: ${username}`);
}

export const userExists = (code: "user" | "user_exists", username: string, cause?: unknown): DomainError =>
  new DomainError(code, "conflict", `User already exists: ${username}`, { cause });

/** Stores a new account. `code` is the wire code for a name that is taken. */
export async function insertUser(
  { config, now, tx }: CommandContext,
  input: AccountInput,
  { code, password }: { code: "user" | "user_exists"; password: string },
): Promise<User> {
  const roles = await tx.collection(roleRecords).list();
  const { default_user_privileges: privileges, default_user_prefs: preferences } = config;
  const user = newUser(input, { password, now, privileges, preferences, roles });
  await tx.lock(accountLock(user.id));
  try {
    await tx.collection(userCollection).insert(user);
  } catch (error) {
    if (error instanceof DuplicateError) throw userExists(code, input.username, error);
    throw error;
  }
  return user;
}

/** Ends the sessions of an account except the one with the record key `except`. */
export async function endSessions(
  { emit, services, tx }: CommandContext,
  user: string,
  except?: string,
): Promise<void> {
  if ((await services.sessions.endAll(tx, user, except)) > 0) emit("session.ended", { user });
}

/**
 * Removes an account with all its records, and emits its events. `admin` = the administrator who removed
 * another person's account.
 */
export async function removeUser(context: CommandContext, user: User, admin?: string): Promise<void> {
  const { audit, emit, services, tx } = context;
  await tx.lock(accountLock(user.id));
  await keepAdministrator(tx, () => tx.collection(userCollection).delete(user.id));
  await services.securityLog.clear(tx, user.id);
  await services.recovery.clear(tx, user.id);
  await endSessions(context, user.id);
  audit("user_delete", aboutUser(user, admin));
  emit("user.deleted", { id: user.id });
}

/** Members of a row of the activity log about a changed account. */
export function aboutUser(user: User, admin?: string): Readonly<Record<string, unknown>> {
  return { user: publicUser(user), account: user.username, ...(admin === undefined ? {} : { admin }) };
}

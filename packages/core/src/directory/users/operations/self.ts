import type { CommandContext, OperationContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { requireRevision } from "../../../wire/fields/revision.ts";
import { asList, Done, listOf } from "../../../wire/schemas/lists.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { aboutUser, endSessions, removeUser } from "../checks/changes.ts";
import { requireAccount } from "../checks/require-account.ts";
import { requireLength, requireOwnPassword, requireSamePassword, unknownUser } from "../checks/require-password.ts";
import { securityLogCollection, userCollection } from "../collection.ts";
import { PublicUser, SecurityEntry, type User } from "../model.ts";
import { accountLock, ownUpdate, publicUser, userKey, withPassword } from "../rules/account.ts";
import { publicRow, rowsOf } from "../rules/security-rows.ts";
import { DeleteOwnUser, PageOf50, UpdateUser, UserSettings } from "./inputs.ts";

const refusal = { code: "user", noun: userCollection.noun } as const;

export const updateUser = defineCommand({
  name: "update",
  namespace: "user",
  summary: "Change one's own name, address, icon, preferences or password; needs the password.",
  access: credentials,
  refuses: ["login"],
  input: UpdateUser,
  output: object(() => ({ user: PublicUser })),
  async prepare({ username, old_password, new_password }, context) {
    requireOwnName(username, context);
    if (new_password) requireLength(new_password, context.config.User.min_password_length, "new_password");
    const user = await requireOwnPassword(context, old_password, "user");
    return { user, password: new_password ? await context.services.passwords.hash(new_password) : undefined };
  },
  async handler(input, context) {
    const { audit, client, emit, now, prepared, services, tx } = context;
    const { id } = prepared.user;
    await tx.lock(accountLock(id));
    const users = tx.collection(userCollection);
    const stored = requireSamePassword(await users.get(id), prepared.user, "user");
    requireRevision(refusal, stored, input);
    const changed = { ...ownUpdate(stored, input, "profile"), modified: now };
    const user = prepared.password === undefined ? changed : withPassword(changed, prepared.password);
    await users.update(id, () => user);
    audit("user_update", aboutUser(user));
    await services.securityLog.write(tx, id, { action: "user_update", detail: {} }, client);
    if (prepared.password !== undefined) await tellOfPassword(context, stored, user);
    emit("user.updated", { id });
    return { user: publicUser(user) };
  },
});

/** Mails the previous address, because an intruder may have changed the address as well. */
async function tellOfPassword(context: CommandContext, stored: User, user: User): Promise<void> {
  const { actor, audit, client, services, tx } = context;
  await endSessions(context, user.id, actor.session);
  audit("user_password", aboutUser(user));
  await services.securityLog.write(tx, user.id, { action: "user_password", detail: {} }, client);
  await services.accountMails.queue(tx, { template: "changed_password", user: stored, client });
}

export const deleteUser = defineCommand({
  name: "delete",
  namespace: "user",
  summary: "Delete one's own account with its sessions and its security log; needs the password.",
  access: credentials,
  refuses: ["login"],
  input: DeleteOwnUser,
  output: Done,
  async prepare({ username, password }, context) {
    requireAccount(context.actor);
    if (!context.config.User.self_delete)
      throw new DomainError("user", "conflict", "User account deletion has been disabled by your administrator.");
    requireOwnName(username, context);
    return requireOwnPassword(context, password, "login");
  },
  async handler(_input, context) {
    const { prepared, services, tx } = context;
    const stored = await tx.collection(userCollection).get(prepared.id);
    await removeUser(context, requireSamePassword(stored, prepared, "login"));
    services.sessions.clearCookie(context);
    return {};
  },
});

function requireOwnName(username: string, { actor }: OperationContext): void {
  if (userKey(username) !== requireAccount(actor)) throw new DomainError("user", "conflict", "Username mismatch.");
}

export const userSettings = defineCommand({
  name: "user_settings",
  summary: "Change one's own preferences; members not sent stay unchanged.",
  access: credentials,
  input: UserSettings,
  output: object(() => ({ user: PublicUser })),
  // Pages save a preference with every click, so no row of the activity log is written.
  async handler(input, { actor, emit, now, tx }) {
    const id = requireAccount(actor);
    const users = tx.collection(userCollection);
    const before = await users.get(id);
    if (!before) throw unknownUser(actor.id);
    requireRevision(refusal, before, input);
    const user = await users.update(id, (stored) => ({ ...ownUpdate(stored, input, "settings"), modified: now }));
    emit("user.updated", { id });
    return { user: publicUser(user) };
  },
});

export const getUserActivity = defineQuery({
  name: "get_user_activity",
  summary: "Read the security log of one's own account, newest first.",
  access: credentials,
  input: PageOf50,
  output: listOf(SecurityEntry),
  async handler({ offset = 0, limit = 50 }, { actor, tx }) {
    const page = { sortBy: "id", descending: true, offset, limit };
    const { rows, total } = await tx.collection(securityLogCollection).find(rowsOf(requireAccount(actor)), page);
    return asList(rows.map(publicRow), total);
  },
});

import type { CommandContext } from "../../../kernel/calls/context.ts";
import { admin, defineCommand, defineQuery } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { requireRevision } from "../../../wire/fields/revision.ts";
import { asList, Done, listOf } from "../../../wire/schemas/lists.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { roleRecords } from "../../roles/records.ts";
import { aboutUser, endSessions, insertUser, removeUser, requireValidName, userExists } from "../checks/changes.ts";
import { keepAdministrator } from "../checks/keep-administrator.ts";
import { requireLength, unknownUser } from "../checks/require-password.ts";
import { userCollection } from "../collection.ts";
import { PublicUser, type User } from "../model.ts";
import { accountLock, adminUpdate, publicUser, unlocked, userKey, withPassword } from "../rules/account.ts";
import { AdminCreateUser, AdminUpdateUser, NamedUser, PageOf50 } from "./inputs.ts";

export const adminCreateUser = defineCommand({
  name: "admin_create",
  namespace: "user",
  summary: "Create an account for a user; without privileges it gets the default ones.",
  access: admin,
  refuses: ["user_exists"],
  accepts: [PublicUser],
  input: AdminCreateUser,
  output: Done,
  async prepare({ username, password }, { config, read, services }) {
    requireValidName(username, { config });
    requireLength(password, config.User.min_password_length, "password");
    if (await read((tx) => tx.collection(userCollection).get(userKey(username))))
      throw userExists("user_exists", username);
    return services.passwords.hash(password);
  },
  async handler(input, context) {
    const { actor, audit, client, emit, prepared, services, tx } = context;
    const user = await insertUser(context, input, { code: "user_exists", password: prepared });
    audit("user_create", aboutUser(user, actor.id));
    if (input.send_email) await services.accountMails.queue(tx, { template: "welcome_new_user", user, client });
    emit("user.created", { id: user.id });
    return {};
  },
});

export const adminUpdateUser = defineCommand({
  name: "admin_update",
  namespace: "user",
  summary: "Change an account; members not sent stay unchanged. A new password also unlocks it and ends its sessions.",
  access: admin,
  input: AdminUpdateUser,
  output: object(() => ({ user: PublicUser })),
  async prepare({ username, new_password }, { config, read, services }) {
    if (!new_password) return undefined;
    requireLength(new_password, config.User.min_password_length, "new_password");
    if (!(await read((tx) => tx.collection(userCollection).get(userKey(username))))) throw unknownUser(username);
    return services.passwords.hash(new_password);
  },
  async handler(input, context) {
    const { actor, audit, emit, prepared, tx } = context;
    const id = userKey(input.username);
    await tx.lock(accountLock(id));
    const before = await tx.collection(userCollection).get(id);
    const user = await keepAdministrator(tx, () => changeUser(context, input, prepared));
    // Attempts with the right password count as failures while the account is disabled.
    const isBack = user.active && !before?.active;
    if (prepared !== undefined || input.unlock || isBack) emit("user.unlocked", { id });
    if (prepared !== undefined || !user.active) await endSessions(context, id, ownSession(context, user));
    audit("user_update", aboutUser(user, actor.id));
    emit("user.updated", { id });
    return { user: publicUser(user) };
  },
});

async function changeUser(
  { now, tx }: CommandContext,
  input: AdminUpdateUser,
  password: string | undefined,
): Promise<User> {
  const users = tx.collection(userCollection);
  const id = userKey(input.username);
  if (!(await users.get(id))) throw unknownUser(input.username);
  const roles = await tx.collection(roleRecords).list();
  return users.update(id, (stored) => {
    requireRevision({ code: "user", noun: userCollection.noun }, stored, input);
    const base = password === undefined ? stored : withPassword(stored, password);
    const open = password === undefined && !input.unlock ? base : unlocked(base);
    return { ...adminUpdate(open, input, roles), modified: now };
  });
}

/** The caller's session if the caller changes the own account: like with `user/update`, it stays signed in. */
function ownSession({ actor }: CommandContext, user: User): string | undefined {
  const isOwn = actor.kind === "user" && userKey(actor.id) === user.id;
  return isOwn && user.active ? actor.session : undefined;
}

export const adminDeleteUser = defineCommand({
  name: "admin_delete",
  namespace: "user",
  summary: "Delete an account with its sessions and its security log.",
  access: admin,
  input: NamedUser,
  output: Done,
  async handler({ username }, context) {
    const user = await context.tx.collection(userCollection).get(userKey(username));
    if (!user) throw unknownUser(username);
    await removeUser(context, user, context.actor.id);
    return {};
  },
});

export const adminGetUser = defineQuery({
  name: "admin_get_user",
  namespace: "user",
  summary: "Read one account.",
  access: admin,
  input: NamedUser,
  output: object(() => ({ user: PublicUser })),
  async handler({ username }, { tx }) {
    const user = await tx.collection(userCollection).get(userKey(username));
    if (!user) throw new DomainError("user", "unknown", "Failed to load user: Error: Item not found");
    return { user: publicUser(user) };
  },
});

export const adminGetUsers = defineQuery({
  name: "admin_get_users",
  namespace: "user",
  summary: "List the accounts, a page at a time.",
  access: admin,
  input: PageOf50,
  output: listOf(PublicUser),
  async handler({ offset = 0, limit = 50 }, { tx }) {
    const users = await tx.collection(userCollection).list();
    return asList(users.slice(offset, offset + limit).map(publicUser), users.length);
  },
});

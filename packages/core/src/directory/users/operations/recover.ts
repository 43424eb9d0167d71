import { anyone, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { aboutUser, endSessions } from "../checks/changes.ts";
import { requireLength } from "../checks/require-password.ts";
import { userCollection } from "../collection.ts";
import { accountLock, unlocked, userKey, withPassword } from "../rules/account.ts";
import { ForgotPassword, ResetPassword } from "./inputs.ts";

export const forgotPassword = defineCommand({
  name: "forgot_password",
  namespace: "user",
  summary:
    "Send a key for a new password to the address of an account; the answer does not reveal whether the account exists.",
  access: anyone,
  input: ForgotPassword,
  output: Done,
  prepare: (_input, { services }) => services.recovery.pause(),
  async handler({ username, email }, { client, services, tx }) {
    await services.recovery.request(tx, { user: userKey(username), email, client });
    return {};
  },
});

export const resetPassword = defineCommand({
  name: "reset_password",
  namespace: "user",
  summary: "Choose a new password with a key that came by mail; unlocks the account and ends its sessions.",
  access: anyone,
  refuses: ["login"],
  input: ResetPassword,
  output: Done,
  async prepare({ username, new_password, key }, { config, read, services }) {
    requireLength(new_password, config.User.min_password_length, "new_password");
    await services.recovery.pause();
    // Strangers who guess keys must not cost a hash per guess.
    if (!(await read((tx) => services.recovery.find(tx, userKey(username), key)))) throw resetFailed();
    return services.passwords.hash(new_password);
  },
  async handler({ username, key }, context) {
    const { audit, client, emit, now, prepared, services, tx } = context;
    const id = userKey(username);
    await tx.lock(accountLock(id));
    const stored = await services.recovery.find(tx, id, key);
    if (!stored) throw resetFailed();
    const user = { ...unlocked(withPassword(stored, prepared)), modified: now };
    await tx.collection(userCollection).update(id, () => user);
    await services.recovery.clear(tx, id);
    await endSessions(context, id);
    audit("user_password", aboutUser(user));
    await services.securityLog.write(tx, id, { action: "user_password", detail: {} }, client);
    await services.accountMails.queue(tx, { template: "changed_password", user, client });
    emit("user.unlocked", { id });
    emit("user.updated", { id });
    return {};
  },
});

const resetFailed = (): DomainError => new DomainError("login", "malformed", "Password reset failed.");

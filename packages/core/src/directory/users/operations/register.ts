import { anyone, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { aboutUser, insertUser, requireUnblockedName, requireValidName, userExists } from "../checks/changes.ts";
import { requireLength } from "../checks/require-password.ts";
import { userCollection } from "../collection.ts";
import { userKey } from "../rules/account.ts";
import { CreateUser } from "./inputs.ts";

export const createUser = defineCommand({
  name: "create",
  namespace: "user",
  summary: "Register an account, where the installation allows it.",
  access: anyone,
  refuses: ["login", "user"],
  input: CreateUser,
  output: Done,
  async prepare({ username, password }, { client, config, read, services }) {
    if (!config.User.free_accounts)
      throw new DomainError("user", "conflict", "Only administrators can create new users.");
    requireValidName(username, { config });
    requireLength(password, config.User.min_password_length, "password");
    requireUnblockedName(username, { config });
    // The answer reveals that a name is taken, so an address may test only a few names. A taken name costs no hash.
    const giveBack = services.loginThrottle.take(client.ip);
    if (await read((tx) => tx.collection(userCollection).get(userKey(username)))) throw userExists("user", username);
    giveBack();
    return services.passwords.hash(password);
  },
  async handler({ username, email, full_name }, context) {
    const { audit, client, emit, prepared, services, tx } = context;
    // Only these four members, because all others are reserved for administrators.
    const user = await insertUser(context, { username, email, full_name }, { code: "user", password: prepared });
    audit("user_create", aboutUser(user));
    await services.accountMails.queue(tx, { template: "welcome_new_user", user, client });
    emit("user.created", { id: user.id });
    return {};
  },
});

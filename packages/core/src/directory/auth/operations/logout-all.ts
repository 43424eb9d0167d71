import * as z from "zod";
import { admin, credentials, defineCommand } from "../../../kernel/calls/operation.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { requireOwnPassword, requireSamePassword, unknownUser } from "../../users/checks/require-password.ts";
import { userRecords } from "../../users/records.ts";
import { userKey } from "../../users/rules/account.ts";
import { accountStub } from "../services/accounts.ts";

const OTHERS_ENDED = "All other sessions were logged out.";

export const logoutAll = defineCommand({
  name: "logout_all",
  summary: "End all other sessions of the caller, who proves it with the password.",
  access: credentials,
  refuses: ["login"],
  input: looseObject(() => ({ password: z.string().regex(/\S/) })),
  output: Done,
  prepare: ({ password }, context) => requireOwnPassword(context, password, "login"),
  async handler(_input, { actor, audit, client, emit, prepared, services, tx }) {
    const user = requireSamePassword(await tx.collection(userRecords).get(prepared.id), prepared, "login");
    const sessions = await services.sessions.endAll(tx, user.id, actor.session);
    const detail = { description: OTHERS_ENDED, keywords: [user.username], user: accountStub(user), sessions };
    audit("notice", detail);
    await services.securityLog.write(tx, user.id, { action: "warning", detail }, client);
    if (sessions > 0)
      await services.accountMails.queue(tx, { template: "logout_all_sessions", user, client, sessions });
    emit("session.ended", { user: user.id });
    return {};
  },
});

export const adminLogoutAll = defineCommand({
  name: "admin_logout_all",
  summary: "End all sessions of a user before the answer, which has the `id` of an internal job.",
  access: admin,
  input: looseObject(() => ({ username: z.string().regex(/^[\w\-.]+$/) })),
  output: object(() => ({ id: z.string() })),
  async handler({ username }, { actor, audit, emit, ids, services, tx }) {
    const user = await tx.collection(userRecords).get(userKey(username));
    if (!user) throw unknownUser(username);
    const id = ids.short("i");
    const sessions = await services.sessions.endAll(tx, user.id);
    const description = `All sessions of ${user.username} were logged out.`;
    audit("notice", { description, keywords: [id, user.username], user: accountStub(user), sessions });
    emit("session.ended", { user: user.id });
    const title = `Logout of all sessions of ${user.username}`;
    const spec = { id, title, type: "user", username: actor.id, params: { username: user.username } } as const;
    return services.internalJobs.startAfter({ audit, tx }, spec, async ({ stat }) => stat("sessions", sessions));
  },
});

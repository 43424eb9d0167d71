import { defineCommand, unchecked } from "../../../kernel/calls/operation.ts";
import { Done, NoParameters } from "../../../wire/schemas/lists.ts";
import { userRecords } from "../../users/records.ts";
import { sessionCollection } from "../collection.ts";
import { isSessionId, sessionKey } from "../rules/session.ts";
import { writeOfAccount } from "../services/accounts.ts";

export const logout = defineCommand({
  name: "logout",
  namespace: "user",
  summary: "End the session that the caller came with; needs no CSRF token.",
  access: unchecked,
  input: NoParameters,
  output: Done,
  async handler(_input, context) {
    const { credentials, emit, services, tx } = context;
    const { sessionFromCookie, sessionId = "" } = credentials;
    const sessions = tx.collection(sessionCollection);
    const session = isSessionId(sessionId) ? await sessions.get(sessionKey(sessionId)) : undefined;
    if (session || sessionFromCookie) services.sessions.clearCookie(context);
    if (!session) return {};
    await sessions.delete(session.id);
    const user = await tx.collection(userRecords).get(session.user);
    if (user) await writeOfAccount(services, context, user, { action: "user_logout" });
    emit("session.ended", { user: session.user });
    return {};
  },
});

import type { CommandContext, OperationContext } from "../../../kernel/context.ts";
import { defineCommand, unchecked } from "../../../kernel/operation.ts";
import { Done, NoParameters } from "../../../wire/lists.ts";
import { userRecords } from "../../users/records.ts";
import { sessionCollection } from "../collection.ts";
import type { Session } from "../model.ts";
import { isSessionId, sessionKey } from "../rules/session.ts";
import { accountActor, accountStub } from "../services/accounts.ts";

export const logout = defineCommand({
  name: "logout",
  namespace: "user",
  summary: "End the session that the caller came with; needs no CSRF token.",
  access: unchecked,
  input: NoParameters,
  output: Done,
  async handler(_input, context) {
    const { credentials, emit, tx } = context;
    const { sessionId } = credentials;
    if (sessionId === undefined) return {};
    clearCookie(context);
    if (!isSessionId(sessionId)) return {};
    const sessions = tx.collection(sessionCollection);
    const session = await sessions.get(sessionKey(sessionId));
    if (!session) return {};
    await sessions.delete(session.id);
    await tellOfLogout(session, context);
    emit("session.ended", { user: session.user });
    return {};
  },
});

export function clearCookie(context: OperationContext): void {
  if (context.credentials.sessionFromCookie) context.services.sessions.clearCookie(context);
}

async function tellOfLogout({ user: id }: Session, { client, services, tx }: CommandContext): Promise<void> {
  const user = await tx.collection(userRecords).get(id);
  if (!user) return;
  const entry = { action: "user_logout", detail: { user: accountStub(user), keywords: [user.username] } };
  await services.activity.write(tx, entry, accountActor(user), client);
  await services.securityLog.write(tx, user.id, entry, client);
}

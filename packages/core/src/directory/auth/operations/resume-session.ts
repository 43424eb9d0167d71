import type { CommandContext } from "../../../kernel/calls/context.ts";
import { defineCommand, unchecked } from "../../../kernel/calls/operation.ts";
import { DomainError, SessionError } from "../../../kernel/errors/errors.ts";
import { NoParameters } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import type { User } from "../../users/model.ts";
import { userRecords } from "../../users/records.ts";
import { sessionCollection } from "../collection.ts";
import type { Session } from "../model.ts";
import { isExpired, isSessionId, sessionKey, sessionPeriod, touched } from "../rules/session.ts";
import { requireOpen } from "../services/accounts.ts";
import { handOver, Welcome, welcomeOf } from "./login.ts";

export const resumeSession = defineCommand({
  name: "resume_session",
  namespace: "user",
  summary: "Renew the caller's session: answers the user and the CSRF token again; without a session id nothing.",
  access: unchecked,
  refuses: ["login"],
  input: NoParameters,
  output: looseObject(() => Welcome.partial().shape),
  async handler(_input, context): Promise<Partial<Welcome>> {
    const { config, credentials, log, now, tx } = context;
    const { sessionId } = credentials;
    if (sessionId === undefined) return {};
    const session = await requireSession(sessionId, context);
    const user = await requireUser(session, context);
    const period = sessionPeriod(config.User.session_expire_days);
    await tx.collection(sessionCollection).update(session.id, (stored) => touched(stored, now, period));
    log.info({ username: user.username }, "A session was resumed");
    return welcomeOf(sessionId, user);
  },
  async afterCommit(welcome: Partial<Welcome>, context) {
    return welcome.session_id === undefined ? {} : handOver(welcome as Welcome, context);
  },
});

async function requireSession(sessionId: string, context: CommandContext): Promise<Session> {
  const key = isSessionId(sessionId) ? sessionKey(sessionId) : undefined;
  const session = key && (await context.tx.collection(sessionCollection).get(key));
  if (session && !isExpired(session, context.now)) return session;
  context.services.sessions.clearCookie(context);
  throw new SessionError("Session has expired or is invalid.");
}

async function requireUser({ user: id, username }: Session, { tx }: CommandContext): Promise<User> {
  const user = await tx.collection(userRecords).get(id);
  if (!user) throw new DomainError("login", "unknown", `User not found: ${username}`);
  requireOpen(user, username);
  return user;
}

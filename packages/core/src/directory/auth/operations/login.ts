import * as z from "zod";
import type { CommandContext, OperationContext } from "../../../kernel/calls/context.ts";
import { defineCommand, unchecked } from "../../../kernel/calls/operation.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { PublicUser, type User } from "../../users/model.ts";
import { userRecords } from "../../users/records.ts";
import { accountLock, publicUser, userKey } from "../../users/rules/account.ts";
import { sessionCookie } from "../rules/cookie.ts";
import { csrfTokenOf, newSession, sessionPeriod } from "../rules/session.ts";
import { writeOfAccount } from "../services/accounts.ts";

/** Answer of a login and of a resumed session; the bundle (`api.login_bundle`) adds more members. */
export const Welcome = looseObject(() => ({
  username: z.string(),
  user: PublicUser,
  csrf_token: z.string(),
  /** Session id, present only when no cookie carries it: with `User.cookie_settings: false`, and for calls inside the process. */
  session_id: z.string().optional(),
}));
export type Welcome = z.infer<typeof Welcome>;

export const login = defineCommand({
  name: "login",
  namespace: "user",
  summary: "Sign in with name and password; the session comes as a cookie, the CSRF token in the answer.",
  access: unchecked,
  refuses: ["login"],
  input: looseObject(() => ({ username: z.string().regex(/^[\w\-.]+$/), password: z.string().min(1) })),
  output: Welcome,
  async prepare({ username, password }, { client, read, services }) {
    await services.firstPassword.settle();
    const user = await read((tx) => tx.collection(userRecords).get(userKey(username)));
    return services.logins.check({ user, username, password }, client);
  },
  async handler({ username }, context) {
    const { emit, ids, prepared, services, tx } = context;
    // The lock makes sure that a simultaneous change that ends all sessions of the account also ends the new one.
    await tx.lock(accountLock(userKey(username)));
    const stored = await tx.collection(userRecords).get(userKey(username));
    const user = services.logins.confirm(stored, prepared);
    const { renewed } = prepared;
    if (renewed) await services.accountChanges.rehash(tx, user.id, renewed);
    // The id is always fresh: one that the client sent, or that an attacker planted, is never adopted.
    const id = ids.hex();
    await storeSession(id, user, username, context);
    emit("session.started", { user: user.id });
    return welcomeOf(id, user);
  },
  afterCommit: (welcome: Welcome, context) => handOver(welcome, context),
});

async function storeSession(id: string, user: User, username: string, context: CommandContext): Promise<void> {
  const { client, config, now, services, tx } = context;
  const { ip, userAgent } = client;
  const period = sessionPeriod(config.User.session_expire_days);
  await services.sessions.add(tx, newSession({ id, user: user.id, username, ip, userAgent, now, period }));
  await writeOfAccount(services, context, user, { action: "user_login" });
}

export function welcomeOf(id: string, user: User): Welcome {
  return { username: user.username, user: publicUser(user), csrf_token: csrfTokenOf(id), session_id: id };
}

/** Puts the session id into the cookie, or into the answer if there is no cookie; adds the bundle if pages want it. */
export async function handOver(welcome: Welcome, context: OperationContext): Promise<Welcome> {
  const { session_id = "", ...shown } = welcome;
  const { client, config, reply, services } = context;
  const bundle = config.api.login_bundle ? await services.loginBundle.collect(welcome.username) : {};
  // Calls inside the process have no cookies.
  const cookie = client.baseUrl === "" ? undefined : sessionCookie(session_id, config.User, client.baseUrl);
  if (cookie === undefined) return { ...bundle, ...shown, session_id };
  reply.setHeader("Set-Cookie", cookie);
  return { ...bundle, ...shown };
}

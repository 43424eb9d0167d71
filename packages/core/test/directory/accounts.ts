import { scryptSync } from "node:crypto";
import { activityCollection } from "../../src/directory/activity/collection.ts";
import { sessionCollection } from "../../src/directory/auth/collection.ts";
import { newSession, sessionPeriod } from "../../src/directory/auth/rules/session.ts";
import { securityLogCollection, userCollection } from "../../src/directory/users/collection.ts";
import type { User } from "../../src/directory/users/model.ts";
import { newUser, userKey } from "../../src/directory/users/rules/account.ts";
import { formatScrypt } from "../../src/directory/users/rules/password-hash.ts";
import type { Signalbox } from "../../src/engine/signalbox.ts";
import type { SignalboxOptions } from "../../src/engine/signalbox-options.ts";
import { type Client, type Credentials, localClient } from "../../src/kernel/calls/context.ts";
import type { OperationCall } from "../../src/kernel/calls/pipeline.ts";
import type { Plugin } from "../../src/kernel/plugins/plugin.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { cradleProbe, START, startEngine } from "../engine.ts";

export const PASSWORD = "correct horse";

/** A real but cheap hash: a test with thirty failed logins must not take the time of thirty full hashes. */
export function cheapHash(password: string): string {
  const salt = Buffer.from("0123456789abcdef");
  const [n, r, p] = [2, 1, 1];
  return formatScrypt({ n, r, p, salt, hash: scryptSync(password, salt, 32, { N: n, r, p }) });
}

/** A client as a transport describes it. */
export const clientAt = (members: Partial<Client> = {}): Client => ({
  ...localClient,
  ip: "198.51.100.7",
  ips: ["198.51.100.7"],
  userAgent: "curl/8",
  baseUrl: "http://ops.example",
  ...members,
});

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
  readonly cookie: string | undefined;
}

/** Calls an operation; returns the body of the answer or refusal, and the cookie that comes with it. */
async function answerOf({ execute }: Pick<Signalbox, "execute">, call: OperationCall): Promise<Answer> {
  let cookie: string | undefined;
  const reply = {
    setHeader(name: string, value: string) {
      if (name === "Set-Cookie") cookie = value;
    },
  };
  const body = await execute({ ...call, reply }).catch(({ code, message }) => ({ code, description: message }));
  return { body, cookie };
}

/** An engine with direct access to its accounts and sessions. */
export async function startWithAccounts<const Plugins extends readonly Plugin[] = readonly []>(
  options: Partial<SignalboxOptions<Plugins>> = {},
) {
  const probe = cradleProbe();
  const clock = fakeClock(START);
  const storage = options.storage ?? memoryStorage({ clock });
  const engine = await startEngine({ ...options, storage, clock, plugins: [...(options.plugins ?? []), probe.plugin] });
  const cradle = probe.cradle();
  const { transact } = cradle;

  const call = (operation: string, input: unknown = {}, credentials: Credentials = {}, client: Client = clientAt()) =>
    answerOf(engine, { operation, input, credentials, client });

  return {
    ...engine,
    ...{ cradle, call },
    login: (username: string, password = PASSWORD, client: Client = clientAt()) =>
      call("user/login", { username, password }, {}, client),
    async addUser(username: string, members: Partial<User> = {}) {
      const input = { username, full_name: username, email: `${username}@example.com`, privileges: {} };
      const defaults = { password: cheapHash(PASSWORD), now: START, privileges: {}, preferences: {}, roles: [] };
      const user = { ...newUser(input, defaults), ...members };
      await transact(({ tx }) => tx.collection(userCollection).insert(user));
      return user;
    },
    /** Creates a session as a login does; returns its id. */
    async signIn(username: string) {
      const id = cradle.ids.hex();
      const period = sessionPeriod(cradle.config.User.session_expire_days);
      const facts = { user: userKey(username), username, ip: "198.51.100.7", userAgent: "curl/8", period };
      const session = newSession({ id, ...facts, now: Math.floor(clock.now()) });
      await transact(({ tx }) => tx.collection(sessionCollection).insert(session));
      return id;
    },
    changeUser: (id: string, members: Partial<User>) =>
      transact(({ tx }) => tx.collection(userCollection).update(id, (user) => ({ ...user, ...members }))),
    removeUser: (id: string) => transact(({ tx }) => tx.collection(userCollection).delete(id)),
    user: (id: string) => storage.read((tx) => tx.collection(userCollection).get(id)),
    sessions: () => storage.read((tx) => tx.collection(sessionCollection).list()),
    securityRows: () => storage.read((tx) => tx.collection(securityLogCollection).list()),
    activity: () => storage.read((tx) => tx.collection(activityCollection).list()),
  };
}

/** The session id of a `Set-Cookie` value. */
export const sessionIdOf = (cookie: string | undefined): string =>
  /^session_id=([0-9a-f]{64});/.exec(cookie ?? "")?.[1] ?? "";

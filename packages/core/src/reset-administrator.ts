import { createActivityLog } from "./directory/activity/service.ts";
import { accountStub } from "./directory/auth/services/accounts.ts";
import { createSessions } from "./directory/auth/services/logins/sessions.ts";
import { userExists } from "./directory/users/checks/changes.ts";
import { userCollection } from "./directory/users/collection.ts";
import type { User } from "./directory/users/model.ts";
import { NamedUser } from "./directory/users/operations/inputs.ts";
import { unlocked, userKey } from "./directory/users/rules/account.ts";
import { ADMINISTRATOR, checkGivenPassword, newAdministrator } from "./directory/users/rules/administrator.ts";
import { createPasswords } from "./directory/users/services/passwords.ts";
import { createSecurityLog } from "./directory/users/services/security-log.ts";
import { builtins } from "./engine/builtins.ts";
import { parseConfig } from "./engine/config.ts";
import { localClient } from "./kernel/calls/context.ts";
import { createDefinitions } from "./kernel/definitions/definitions.ts";
import { InputError } from "./kernel/errors/errors.ts";
import { createEventBus } from "./kernel/plugins/event-bus.ts";
import { createTransact, type Transact } from "./kernel/transactions/unit-of-work.ts";
import { type Clock, systemClock } from "./ports/clock.ts";
import { createIds } from "./ports/ids.ts";
import { type Logger, silentLogger } from "./ports/logger.ts";
import { type Random, systemRandom } from "./ports/random.ts";
import type { Storage } from "./ports/storage/storage.ts";
import { isReservedWord } from "./wire/fields/reserved.ts";

/** Options of `resetAdministrator`. */
export interface ResetAdministratorOptions {
  /** A storage that is not open yet; it is opened here and stays open, so that the caller closes it. */
  readonly storage: Storage;
  /** The account; default `admin`. */
  readonly username?: string;
  /**
   * What to do with an existing account: default `restore`. `mend` leaves it unchanged if it already is an active administrator
   * with the given password.
   */
  readonly ifTaken?: "restore" | "refuse" | "mend";
  /** New password, not empty; default: a random one of 24 characters. */
  readonly password?: string | undefined;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** The account that can sign in again; the password is returned only here. */
export interface ResetAdministrator {
  readonly username: string;
  readonly password: string;
}

const NOTICE = "The administrator's password was reset from the command line.";

/**
 * Gives an administrator, by default the user `admin`, a new password when none can sign in: creates the account if it is gone,
 * makes it an active administrator again, unlocks it and ends its sessions. Starts no engine, so nothing else happens.
 *
 * Storage that one process owns (SQLite, memory) must not be in use by an engine at the same time: stop it first. Nodes on a
 * shared database notice the change by themselves. Throws `Error` for an empty password, `InputError` for a malformed name,
 * `DomainError` for an account that exists and must not, and errors of opening the storage unchanged.
 * @see docs/contract/accounts.md#passwords
 */
export async function resetAdministrator(options: ResetAdministratorOptions): Promise<ResetAdministrator> {
  const { storage, password: given, log = silentLogger, clock = systemClock, random = systemRandom() } = options;
  const { username = ADMINISTRATOR, ifTaken = "restore" } = options;
  checkGivenPassword(given);
  const ids = createIds({ clock, random });
  const config = parseConfig({});
  const id = keyOf(username);
  const password = given ?? ids.alphanumeric(24);
  const passwords = createPasswords({ random, verifyPassword: undefined });
  await storage.open(builtins.flatMap((plugin) => plugin.collections ?? []));
  const found = await storage.read((tx) => tx.collection(userCollection).get(id));
  if (found && ifTaken === "mend" && isUsable(found) && (await passwords.verify(password, found.password)).ok)
    return { username, password };
  const hash = await passwords.hash(password);
  const activity = createActivityLog({ clock, ids });
  const definitions = createDefinitions({ storage });
  const events = createEventBus({ log });
  const transact: Transact = createTransact({ storage, definitions, events, activity, config, log, tracer: undefined });
  const sessions = createSessions({ storage, transact, clock, config, log });
  const securityLog = createSecurityLog({ clock, ids });
  await transact(async ({ tx, audit }) => {
    const users = tx.collection(userCollection);
    const now = Math.floor(clock.now());
    const fresh = newAdministrator({ username, password: hash, now, preferences: config.default_user_prefs });
    const isThere = (await users.get(id)) !== undefined;
    if (isThere && ifTaken === "refuse") throw userExists("user_exists", username);
    if (isThere) await users.update(id, (stored) => restored(stored, fresh));
    else await users.insert(fresh);
    await sessions.endAll(tx, id);
    const detail = { description: NOTICE, user: accountStub(fresh), keywords: [id] };
    audit("warning", detail);
    await securityLog.write(tx, id, { action: "warning", detail }, localClient);
  });
  return { username, password };
}

/** Throws for a name that the operations of accounts would refuse too. */
function keyOf(username: string): string {
  if (!NamedUser.safeParse({ username }).success || isReservedWord(username))
    throw new InputError("Malformed parameter: username");
  return userKey(username);
}

/** Whether the account is an active administrator that is not locked. */
const isUsable = (user: User): boolean =>
  Boolean(user.active) && user.privileges["admin"] === true && JSON.stringify(unlocked(user)) === JSON.stringify(user);

/** The account unlocked, active and an administrator, with the new password; its other members stay unchanged. */
function restored(stored: User, { password, active, privileges, modified }: User): User {
  return {
    ...unlocked(stored),
    password,
    active,
    privileges: { ...stored.privileges, ...privileges },
    categories: [],
    groups: [],
    modified,
  };
}

import { createInterface } from "node:readline";
import { createSignalbox, memoryStorage, resetAdministrator } from "@signalbox/core";
import { consoleLogger } from "@signalbox/core/adapter";
import { openStorage } from "../../environment.ts";
import { type Caller, readStore, told, withCaller } from "../caller.ts";
import type { Given } from "../commands.ts";
import { CommandError, printJson, say, shown, type Terminal, usageError } from "../output.ts";

/** `admin create USER`: works on the store itself, because it is needed when no administrator can sign in. */
export async function createAdministrator({ terminal, words: [username = ""], options }: Given): Promise<void> {
  const given = options["password-stdin"] ? await firstLine(terminal) : undefined;
  const { storage: address } = await readStore(terminal, { isNew: false });
  const storage = await openStorage(address, consoleLogger);
  try {
    const made = await resetAdministrator({
      storage,
      username,
      password: given,
      log: consoleLogger,
      ...(options["reset"] ? {} : { ifTaken: "refuse" }),
    });
    await printJson(terminal, { username: made.username });
    // On standard error, which is not piped into files.
    if (given === undefined) say(terminal, `Password of the user ${made.username}, shown this once: ${made.password}`);
  } catch (error) {
    throw told(error);
  } finally {
    await storage.close();
  }
}

/** Reads the first line of standard input. A password among the arguments would be visible to all users of the machine. */
async function firstLine({ stdin }: Terminal): Promise<string> {
  for await (const line of createInterface({ input: stdin })) if (line !== "") return line;
  throw usageError("--password-stdin: standard input has no line with a password");
}

interface Account {
  readonly username: string;
  readonly revision?: number;
  readonly privileges: Readonly<Record<string, unknown>>;
}

/** `user grant USER PRIVILEGE` */
export const grant = (given: Given): Promise<void> =>
  change(given, (privileges, id) => ({ ...privileges, [id]: true }));

/** `user revoke USER PRIVILEGE` */
export const revoke = (given: Given): Promise<void> =>
  change(given, ({ ...privileges }, id) => {
    delete privileges[id];
    return privileges;
  });

type Privileges = Account["privileges"];
type Change = (privileges: Record<string, unknown>, id: string) => Privileges;

async function change({ terminal, words: [username = "", privilege = ""] }: Given, changed: Change): Promise<void> {
  requirePrivilege(privilege);
  await withCaller(terminal, async (caller) => {
    const { privileges, revision } = await read(caller, username);
    const wanted = changed({ ...privileges }, privilege);
    const isThere = Object.hasOwn(wanted, privilege) === (privileges[privilege] === true);
    if (isThere) say(terminal, `Nothing to change: ${shown(username)} is so already.`);
    else
      await caller.call("user/admin_update", {
        username,
        privileges: wanted,
        ...(revision === undefined ? {} : { if_revision: revision }),
      });
    const after = await read(caller, username);
    await printJson(terminal, { username: after.username, privileges: after.privileges });
  });
}

const read = async (caller: Caller, username: string): Promise<Account> =>
  (await caller.call<{ readonly user: Account }>("user/admin_get_user", { username })).user;

/** Refuses a misspelt privilege: it would be granted without any effect. */
function requirePrivilege(id: string): void {
  const { privileges } = createSignalbox({ storage: memoryStorage(), secretKey: "a key that seals nothing" });
  if (!privileges.has(id))
    throw new CommandError(`There is no privilege ${shown(id)}: see docs/reference/privileges.md`);
}

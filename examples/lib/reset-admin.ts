import { type Logger, resetAdministrator } from "@signalbox/core";
import { type ResetAdministrator, type ResetAdministratorOptions, StorageError } from "@signalbox/core/plugin";
import { type Environment, openStorage, type StorageAddress } from "./environment.ts";

/** `--reset-admin`: gives the user `admin` a new password and ends; resolves to the exit code. */
export async function resetAdmin(
  { storage: address, administratorPassword }: Environment,
  log: Logger,
): Promise<number> {
  const made = await reset(address, { password: administratorPassword }, log);
  if (!made) return 1;
  const shown = administratorPassword ? "is now that of SIGNALBOX_ADMIN_PASSWORD" : `shown this once: ${made.password}`;
  // Not through the log: logs are shipped and kept.
  process.stderr.write(`Password of the user ${made.username}, ${shown}\n`);
  return 0;
}

/** `recover_admin`: creates or repairs an administrator before a start. False = it failed, and the log says why. */
export async function recoverAdmin(
  { storage: address, recovery }: Pick<Environment, "storage" | "recovery">,
  log: Logger,
): Promise<boolean> {
  // A store in memory is empty at each start, which shows the password of its own administrator.
  if (!recovery || address.kind === "memory") return true;
  const { username } = recovery;
  if (!(await reset(address, { ...recovery, ifTaken: "mend" }, log))) return false;
  log.warn(
    { username },
    "recover_admin is set: its user is an administrator with that password. Take the variable away",
  );
  return true;
}

type Wanted = Pick<ResetAdministratorOptions, "ifTaken" | "password" | "username">;

async function reset(address: StorageAddress, wanted: Wanted, log: Logger): Promise<ResetAdministrator | undefined> {
  const storage = await openStorage(address, log);
  try {
    return await resetAdministrator({ ...wanted, storage, log });
  } catch (error) {
    if (error instanceof StorageError) log.error({}, error.description);
    else log.error({ error }, "The administrator could not be reset");
    return undefined;
  } finally {
    await storage.close();
  }
}

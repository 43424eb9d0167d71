import { type Logger, resetAdministrator } from "@signalbox/core";
import { StorageError } from "@signalbox/core/plugin";
import { type Environment, openStorage } from "./environment.ts";

/** `--reset-admin`: gives the user `admin` a new password and ends; answers the exit code. */
export async function resetAdmin(
  { storage: address, administratorPassword }: Environment,
  log: Logger,
): Promise<number> {
  const storage = await openStorage(address, log);
  try {
    const { username, password } = await resetAdministrator({ storage, password: administratorPassword, log });
    const shown = administratorPassword ? "is now that of SIGNALBOX_ADMIN_PASSWORD" : `shown this once: ${password}`;
    // Not through the log: logs are shipped and kept.
    process.stderr.write(`Password of the user ${username}, ${shown}\n`);
    return 0;
  } catch (error) {
    if (error instanceof StorageError) log.error({}, error.description);
    else log.error({ error }, "The administrator could not be reset");
    return 1;
  } finally {
    await storage.close();
  }
}

import { createSignalbox } from "@signalbox/core";
import { consoleLogger, type Logger, VERSION } from "@signalbox/core/adapter";
import { openStorage } from "../../environment.ts";
import { readStore, told } from "../caller.ts";
import type { Given } from "../commands.ts";
import { print, printJson, say } from "../output.ts";

/** `version` */
export const printVersion = ({ terminal }: Given): Promise<void> => print(terminal, `${VERSION}\n`);

interface Steps {
  /** Changes of the tables common to all stores. */
  readonly migrations: string[];
  /** Kinds of records whose tables were created. */
  readonly made: string[];
  /** Kinds of records that were reindexed. */
  readonly indexed: string[];
}

/** `migrate`: opens the store as a start does, and does nothing else. */
export async function migrate({ terminal }: Given): Promise<void> {
  const { storage: address, secretKeys } = await readStore(terminal, { isNew: true });
  const steps: Steps = { migrations: [], made: [], indexed: [] };
  const storage = await openStorage(address, noting(steps));
  try {
    // Never started: it only provides the list of all collections.
    const [secretKey = "a key that seals nothing"] = secretKeys;
    await storage.open(createSignalbox({ storage, secretKey }).collections);
  } catch (error) {
    throw told(error);
  } finally {
    await storage.close();
  }
  const isNothing = Object.values(steps).every((names) => names.length === 0);
  say(terminal, isNothing ? `The tables are those of ${VERSION} already.` : `The tables are those of ${VERSION} now.`);
  await printJson(terminal, { version: VERSION, ...steps });
}

/** A logger that collects what the storage logs about its tables. */
const noting = ({ migrations, made, indexed }: Steps): Logger => ({
  ...consoleLogger,
  info(fields) {
    const { migrations: done = [], collections = [], collection } = fields as Told;
    migrations.push(...done);
    made.push(...collections);
    if (collection !== undefined) indexed.push(collection);
  },
});

interface Told {
  readonly migrations?: readonly string[];
  readonly collections?: readonly string[];
  readonly collection?: string;
}

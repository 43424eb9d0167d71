/** Calls operations, either in an engine that is opened only for them, or over HTTP. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { keyFile } from "@signalbox/adapters/keys";
import { createSignalbox, type Signalbox } from "@signalbox/core";
import { consoleLogger } from "@signalbox/core/adapter";
import { SignalboxError, type StreamResult, systemActor } from "@signalbox/core/plugin";
import type { Storage } from "@signalbox/core/storage";
import { openBlobs } from "../blobs.ts";
import { type Environment, openStorage, readEnvironment } from "../environment.ts";
import type { Variables } from "../secret-environment.ts";
import { withSecretFiles } from "../secret-files.ts";
import { CommandError, shown, type Terminal, usageError } from "./output.ts";
import { type Remote, readRemote, remoteCaller } from "./remote-caller.ts";

export type Members = Readonly<Record<string, unknown>>;

export interface Caller {
  /** Calls an operation that answers with members. Rejects with `CommandError` when it is refused. */
  call<Answer extends object = Members>(operation: string, input?: Members): Promise<Answer>;
  /** The bytes of an operation that answers with a file. */
  stream(operation: string, input: Members): Promise<AsyncIterable<Uint8Array>>;
}

export interface LocalEngine {
  readonly signalbox: Signalbox;
  readonly storage: Storage;
  readonly caller: Caller;
}

/** Works with the server that `SIGNALBOX_URL` names, or on the store itself when it names none. */
export async function withCaller<T>(terminal: Terminal, work: (caller: Caller) => Promise<T>): Promise<T> {
  const remote = await remoteOf(terminal.env);
  return remote ? work(remoteCaller(remote)) : withEngine(terminal, ({ caller }) => work(caller));
}

/** The server that the variables name. */
export async function remoteOf(variables: Variables): Promise<Remote | undefined> {
  const { SIGNALBOX_URL: url, SIGNALBOX_API_KEY: key } = await withSecretFiles(variables).catch(refuseVariable);
  return url ? readRemote(url, key) : undefined;
}

/** Opens the engine for calls only, and closes it after the work. Creates a missing store only if `isNew` is true. */
export async function withEngine<T>(
  terminal: Terminal,
  work: (engine: LocalEngine) => Promise<T>,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<T> {
  const environment = await readStore(terminal, { isNew });
  const storage = await openStorage(environment.storage, consoleLogger);
  const signalbox = createSignalbox({ ...optionsOf(environment), storage });
  try {
    await signalbox.open();
    return await work({ signalbox, storage, caller: callerOf(signalbox) });
  } catch (error) {
    throw told(error);
  } finally {
    await signalbox.stop();
  }
}

function optionsOf({ blobs, config, keyStore, secretKeys }: Environment) {
  const initial = secretKeys.length > 0 ? { initial: secretKeys } : {};
  const keys = keyStore === undefined ? { secretKeys } : { keyProvider: keyFile({ filename: keyStore, ...initial }) };
  return { ...keys, blobs: openBlobs(blobs), config, log: consoleLogger };
}

/**
 * Reads the server's variables, for a store that exists while no server runs. A missing store is an error: with a wrong path, an
 * empty new store would answer that nothing is found.
 */
export async function readStore({ env }: Terminal, { isNew }: { readonly isNew: boolean }): Promise<Environment> {
  if (env["SIGNALBOX_URL"])
    throw usageError(
      "This command works on the store itself, and SIGNALBOX_URL names a server: take that variable away",
    );
  const environment = await readEnvironment(env).catch(refuseVariable);
  const { kind, location } = environment.storage;
  if (kind === "memory")
    throw usageError("A store in memory is in its server alone: name that by SIGNALBOX_URL and SIGNALBOX_API_KEY");
  if (isNew) await mkdir(environment.dataDir, { recursive: true });
  else if (kind === "sqlite" && !location.startsWith("file:") && !existsSync(location))
    throw new CommandError(`There is no database ${shown(location)}: see SIGNALBOX_STORAGE and SIGNALBOX_DATA_DIR`);
  return environment;
}

const refuseVariable = (error: Error): never => {
  throw usageError(error.message);
};

const callerOf = (signalbox: Pick<Signalbox, "execute">): Caller => ({
  call: <Answer>(operation: string, input: Members = {}) =>
    signalbox.execute({ operation, input, actor: systemActor }) as Promise<Answer>,
  async stream(operation, input) {
    const { body } = (await signalbox.execute({ operation, input, actor: systemActor })) as StreamResult;
    return body as AsyncIterable<Uint8Array>;
  },
});

/** Refusals and storage faults become one sentence; any other error keeps its stack. */
export function told(error: unknown): unknown {
  if (error instanceof SignalboxError) return new CommandError(shown(error.description), { cause: error });
  return error instanceof Error && SENTENCES.test(error.message) ? new CommandError(error.message) : error;
}

/** Startup errors that are mistakes of the person at the terminal, not defects. */
const SENTENCES = /^(?:The secret key does not match|The database is in use by|The file of secret keys)/;

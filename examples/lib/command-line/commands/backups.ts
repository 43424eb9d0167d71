import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { systemActor } from "@signalbox/core/plugin";
import { type Caller, type LocalEngine, type Members, remoteOf, withCaller, withEngine } from "../caller.ts";
import type { Given } from "../commands.ts";
import { CommandError, printJson, say, shown, type Terminal, usageError } from "../output.ts";
import { remoteCaller, upload } from "../remote-caller.ts";

/** `export [FILE]` */
export async function exportData({ terminal, words: [file], options }: Given): Promise<void> {
  if (file === undefined && terminal.stdout.isTTY)
    throw usageError("A backup is no text for a terminal: name a file, or redirect standard output");
  if (file !== undefined && !options["force"] && (await sizeOf(file)) !== undefined)
    throw new CommandError(`${shown(file)} is there already: --force replaces it`);
  await withCaller(terminal, async (caller) => {
    const body = await caller.stream("admin_export_data", orderOf(options));
    if (file === undefined) return toStandardOutput(body, terminal);
    await toFile(body, file);
    await printJson(terminal, { file, bytes: await sizeOf(file) });
  });
}

/** Everything, unless parts are named. */
function orderOf({ lists, indexes, extras }: Given["options"]): Members {
  const named = Object.entries({ lists, indexes, extras }).filter(([, names]) => names !== undefined);
  return named.length > 0 ? Object.fromEntries(named) : { lists: "all", indexes: "all", extras: "all" };
}

/** A reader that closes the pipe has half of a backup, which is a failure. */
async function toStandardOutput(body: AsyncIterable<Uint8Array>, { stdout }: Terminal): Promise<void> {
  stdout.prependListener("error", () => process.exit(1));
  await pipeline(body, stdout, { end: false });
}

/** Renames the file only once it is complete. It holds password hashes, so only its owner may read it. */
async function toFile(body: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(body, createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw fileError(error);
  }
}

/** Turns a fault of the file into one sentence. */
const fileError = (error: unknown): unknown =>
  typeof (error as NodeJS.ErrnoException).syscall === "string"
    ? new CommandError(shown((error as Error).message), { cause: error })
    : error;

/** Size of a file in bytes; undefined when it does not exist. Throws `CommandError` for anything but a file. */
async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw fileError(error);
  });
  if (found && !found.isFile()) throw new CommandError(`${shown(file)} is no file`);
  return found?.size;
}

/** `import FILE` */
export async function importData({ terminal, words: [file = ""], options }: Given): Promise<void> {
  const { format = "xyops", danger = false } = options;
  const sizeBytes = await sizeOf(file);
  if (sizeBytes === undefined) throw new CommandError(`There is no file ${shown(file)}`);
  const remote = await remoteOf(terminal.env);
  if (!options["yes"])
    await ask(terminal, `Replace data of ${remote?.base ?? "this store"} by those of ${shown(file)}?`);
  const order = { format, danger };
  if (remote) {
    const { id } = await upload(remote, { operation: "admin_import_data", fields: order, file });
    return report(terminal, remoteCaller(remote), id).catch((error: unknown) => {
      throw error instanceof CommandError && error.code === "session" ? keyIsGone(id) : error;
    });
  }
  const taken = async (engine: LocalEngine): Promise<void> =>
    report(terminal, engine.caller, await take(engine, { file, sizeBytes, order }));
  await withEngine(terminal, taken, { isNew: true });
}

/** A full backup includes API keys, so the import may replace the key of this call by an older state of it. */
const keyIsGone = (id: string): CommandError =>
  new CommandError(
    `The import ${id} has begun, and SIGNALBOX_API_KEY does not count any more: the file brings another state of it. The activity log has the report`,
  );

/** Asks on a terminal; throws `CommandError` unless the answer is yes. */
async function ask({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY || !stderr.isTTY) throw usageError("An import replaces data: --yes says that this is meant");
  const terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(`${question} (yes/no) `).finally(() => terminal.close());
  if (answer.trim().toLowerCase() !== "yes") throw new CommandError("Nothing was imported");
}

interface Order {
  readonly file: string;
  readonly sizeBytes: number;
  readonly order: Members;
}

/** Starts the import as a transport would, with the file in the blob store. */
async function take({ signalbox, storage }: LocalEngine, { file, sizeBytes, order }: Order): Promise<string> {
  // Jobs that run on other nodes could not be told to end.
  if (storage.coordination.shared)
    throw new CommandError(
      "Several nodes may work on this database: start a server, and name it by SIGNALBOX_URL and SIGNALBOX_API_KEY",
    );
  const key = `tmp/command-${randomUUID()}`;
  await signalbox.blobs.put(key, createReadStream(file));
  try {
    const uploads = [{ field: "file", filename: basename(file), sizeBytes, key }];
    const call = { operation: "admin_import_data", input: order, actor: systemActor, uploads };
    return ((await signalbox.execute(call)) as { readonly id: string }).id;
  } finally {
    await signalbox.blobs.delete(key);
  }
}

const LOOK_MS = 500;

interface Listed {
  readonly rows: readonly { readonly id: string }[];
}

interface Ended {
  readonly rows: readonly { readonly job?: Members }[];
}

/** Waits until the internal job has ended, and prints its report. */
async function report(terminal: Terminal, caller: Caller, id: string): Promise<void> {
  for (;;) {
    const { rows } = await caller.call<Listed>("get_internal_jobs");
    if (!rows.some((row) => row.id === id)) break;
    await pause(LOOK_MS);
  }
  const query = `action:internal_job keywords:${id}`;
  const { rows } = await caller.call<Ended>("search_activity", { query, limit: 1 });
  const { outcome, error, details, stats } = rows[0]?.job ?? {};
  if (outcome !== "done")
    throw new CommandError(`The import failed: ${shown(String(error ?? outcome ?? "no report"))}`);
  say(terminal, "The scheduler is switched off, and stays off until somebody switches it on.");
  await printJson(terminal, { id, outcome, stats, report: details });
}

/**
 * The attacked server: the stand-alone program in its own process, with fresh folders and a watch inside. It runs the bundles, as
 * an installed server does: plain sources would add 10 MB to the heap that each garbage collection marks.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bytesBelow, openFiles } from "./disk.ts";
import type { Figures, Told } from "./messages.ts";
import { type Observer, startChannel } from "./watched.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const watch = fileURLToPath(new URL("watch.ts", import.meta.url));

export const ADMIN_KEY = "attackedAdministratorKey000";
export const ADMIN_PASSWORD = "attacked administrator";
export const SECRET_KEY = "only for the attacked server, never for another";
const STOP_MS = 8000;
const DISK_MS = 250;

export interface StartOptions {
  /** Members of SIGNALBOX_CONFIG. */
  readonly config?: object;
  /** Connection string; absent = a fresh SQLite file. */
  readonly postgres?: string | undefined;
  /** Arguments for Node, such as the profiler's. */
  readonly nodeArguments?: readonly string[];
  readonly observer?: Observer;
}

export interface AttackedServer {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Undefined = the server no longer answers the watch. */
  figures(options?: { readonly reset: boolean }): Promise<Figures | undefined>;
  /** Runs a statement on the server's own connections; resolves with the error, if any. */
  pragma(text: string): Promise<string | undefined>;
  /** Most bytes seen below its folders since the start. */
  worstDisk(): number;
  /** Like `worstDisk`, without the database, into which the server may write its own rows at any time. */
  worstFiles(): number;
  openFiles(): number | undefined;
  /** Uncaught exceptions, and an exit before the server was stopped. */
  crashes(): readonly string[];
  log(): string;
  stop(): Promise<void>;
}

/**
 * V8 shrinks a heap that has been idle for some seconds in one pause of 20 to 40 ms, attacked or not. That is switched off, since
 * the connected callers would be blamed for it. The heap is small, so that memory shows live objects: in a large heap, up to 200
 * MB of garbage wait to be collected.
 */
const ENGINE = ["--no-memory-reducer", "--max-old-space-size=208", "--max-semi-space-size=16"];

const isNoDatabase = (name: string): boolean => !name.startsWith("signalbox.sqlite");

/** Resolves when the server listens. Rejects with its last output when it ends before that. */
export async function startServer(options: StartOptions = {}): Promise<AttackedServer> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-attack-"));
  const dataDir = join(folder, "data");
  await Promise.all([mkdir(dataDir), mkdir(join(folder, "tmp"))]);
  const child = spawn(
    process.execPath,
    [...ENGINE, ...(options.nodeArguments ?? []), `--import=${watch}`, "examples/standalone.ts"],
    { cwd: root, env: environment(folder, options), stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
  const log = keepLog(child);
  const crashes: string[] = [];
  let stopping = false;
  const exited = once(child, "exit").then(([code, signal]) => {
    if (!stopping) crashes.push(`The process ended with ${code ?? signal}: ${log.last()}`);
  });
  const channel = startChannel(child, exited, (told: Told) => {
    if (told.kind === "exception") crashes.push(told.text);
    else options.observer?.(told);
  });
  const worst = { disk: 0, files: 0 };
  const measureDisk = (): typeof worst => {
    worst.disk = Math.max(worst.disk, bytesBelow(folder));
    worst.files = Math.max(worst.files, bytesBelow(folder, isNoDatabase));
    return worst;
  };
  const timer = setInterval(measureDisk, DISK_MS);
  const stop = async (): Promise<void> => {
    stopping = true;
    clearInterval(timer);
    await end(child, exited);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await log.port(exited);
    return {
      port,
      pid: child.pid ?? 0,
      dataDir,
      figures: (how) => channel.figures(how?.reset ?? false),
      pragma: channel.pragma,
      worstDisk: () => measureDisk().disk,
      worstFiles: () => measureDisk().files,
      openFiles: () => openFiles(child.pid ?? 0),
      crashes: () => crashes,
      log: log.all,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Only variables that the server needs to run: no proxy and none of our credentials. */
function environment(folder: string, { config = {}, postgres }: StartOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: join(folder, "tmp"),
    SIGNALBOX_PORT: "0",
    SIGNALBOX_DATA_DIR: join(folder, "data"),
    SIGNALBOX_SECRET_KEY: SECRET_KEY,
    SIGNALBOX_ADMIN_KEY: ADMIN_KEY,
    SIGNALBOX_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SIGNALBOX_CONFIG: JSON.stringify({ ...ONLY_HERE, ...config }),
    ...(postgres ? { SIGNALBOX_STORAGE: postgres } : {}),
  };
}

/** Keeps requests that a hostile input makes the server send on this machine. */
const ONLY_HERE = { airgap: { enabled: true, whitelist: ["127.0.0.0/8"] } };

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  child.kill("SIGTERM");
  await exited;
  clearTimeout(timer);
}

const MAX_LOG = 200_000;

function keepLog(child: ChildProcess) {
  let kept = "";
  const { promise: port, resolve, reject } = Promise.withResolvers<number>();
  const keep = (line: string): void => {
    kept = `${kept}${line}\n`.slice(-MAX_LOG);
    const [, found] = /Signalbox is listening.*"port":(\d+)/.exec(line) ?? [];
    if (found) resolve(Number(found));
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on("line", keep);
  const last = (): string => kept.slice(-2000);
  return {
    all: () => kept,
    last,
    port(exited: Promise<void>): Promise<number> {
      exited.then(
        () => reject(new Error(`The server did not start: ${last()}`)),
        () => undefined,
      );
      return port;
    },
  };
}

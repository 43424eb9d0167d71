import { lstat, readlink, realpath, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, type Logger, pause, systemClock } from "@signalbox/core/adapter";
import { FOLDER_PREFIX, removeFolder } from "../job/job-folder.ts";
import { inSlices, readNames, readPids } from "../metrics/read-host.ts";
import { isAbandoned, OWNER_FILE } from "./owner-mark.ts";

/** Most folders examined in one start; later starts find the others. */
const MAX_FOLDERS = 10_000;
const WIDTH = 32;
const LOOK_MS = 200;
/** A folder still empty after this time was left by a process that was killed before it could mark it. */
const EMPTY_SEC = 60;

export interface Leftovers {
  /** Resolves when the processes have ended and the folders are gone; earlier when `signal` aborts. */
  clear(signal: AbortSignal): Promise<void>;
}

interface Options {
  readonly tempDir: string;
  readonly killTimeoutSec: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Finds processes of jobs that a killed host process left running, and sends them SIGTERM. Those jobs count as lost and may be
 * retried, so both must not run at once. Jobs that detach on purpose (`kill: "none"`) have no mark and keep running.
 */
export async function endLeftovers(options: Options): Promise<Leftovers> {
  const found = await findFolders(options.tempDir);
  const folders = await inSlices(found, WIDTH, async (folder) => ((await isAbandoned(folder)) ? folder : undefined));
  await removeEmpty(found);
  const asked = folders.length > 0 ? await processesIn(folders) : [];
  for (const pid of asked) signalGroup(pid, "SIGTERM");
  if (folders.length > 0)
    options.log.warn({ folders: folders.length, pids: asked }, "Clearing away what killed jobs left behind");
  return { clear: (signal) => clear(folders, options, signal) };
}

async function findFolders(tempDir: string): Promise<string[]> {
  const base = await realpath(tempDir).catch(() => undefined);
  if (base === undefined) return [];
  const names = (await readNames(base)).filter((name) => name.startsWith(FOLDER_PREFIX)).slice(0, MAX_FOLDERS);
  return names.map((name) => join(base, name));
}

/** Removes old empty folders. Uses the machine's clock, which dates files, instead of the engine's. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  await inSlices(folders, WIDTH, async (folder) => {
    const changedSec = ((await lstat(folder).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY) / 1000;
    if (systemClock.now() - changedSec < EMPTY_SEC) return undefined;
    const mark = join(folder, OWNER_FILE);
    if ((await lstat(mark).catch(() => undefined))?.size === 0 && (await readNames(folder)).length === 1)
      await rm(mark);
    // Fails for folders that are not empty, and for folders of other users.
    await rmdir(folder).catch(() => undefined);
    return undefined;
  });
}

async function clear(folders: readonly string[], options: Options, signal: AbortSignal): Promise<void> {
  const { clock, killTimeoutSec } = options;
  const deadlineMs = clock.monotonicMs() + killTimeoutSec * 1000;
  for (let left = await processesIn(folders); left.length > 0; left = await processesIn(folders)) {
    if (signal.aborted) return;
    const isOver = clock.monotonicMs() >= deadlineMs;
    if (isOver) for (const pid of left) signalGroup(pid, "SIGKILL");
    await pause(clock, LOOK_MS, signal);
    // If a process survives even SIGKILL, its folder is removed all the same.
    if (isOver) break;
  }
  for (const folder of folders) await removeFolder(folder);
}

/** Ids of processes whose working directory is in one of the folders. */
async function processesIn(folders: readonly string[]): Promise<number[]> {
  if (folders.length === 0) return [];
  const pids = (await readPids()).map(Number);
  return inSlices(pids, WIDTH, async (pid) => {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    return folders.some((folder) => cwd === folder || cwd.startsWith(`${folder}/`)) ? pid : undefined;
  });
}

/** Signals the process group as well: a job leads its group, which includes children in other folders. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, signal);
    } catch {
      // The process has ended, or leads no group.
    }
}

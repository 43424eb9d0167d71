import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { parseProcessStat } from "../metrics/processes/process-table.ts";
import { readText } from "../metrics/read-host.ts";

/** File in a job's folder that names the host process it belongs to. */
export const OWNER_FILE = "owner";

/** Process ids are unique only within one boot and one container. */
async function readPlace(): Promise<string | undefined> {
  const boot = (await readText("/proc/sys/kernel/random/boot_id"))?.trim();
  const container = await readlink("/proc/self/ns/pid").catch(() => undefined);
  return boot && container ? `${boot} ${container}` : undefined;
}

/** Process ids are reused; together with the start time they are unique. */
async function readStart(pid: number): Promise<number | undefined> {
  return parseProcessStat((await readText(`/proc/${pid}/stat`)) ?? "")?.startTicks;
}

/** The mark of this process; undefined on systems without `/proc`. */
export async function ownerMark(): Promise<string | undefined> {
  const [place, start] = [await readPlace(), await readStart(process.pid)];
  return place && start !== undefined ? `${process.pid} ${start} ${place}` : undefined;
}

/** True only if the folder certainly belongs to an ended host process of this machine. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const path = join(folder, OWNER_FILE);
  const file = await lstat(path).catch(() => undefined);
  // All users may write to the temporary folder, so another user's mark proves nothing.
  if (!file?.isFile() || file.uid !== process.getuid?.()) return false;
  const [, pid, start, place] = /^(\d+) (\d+) (.+)$/.exec((await readText(path)) ?? "") ?? [];
  if (place === undefined || place !== (await readPlace())) return false;
  return (await readStart(Number(pid))) !== Number(start);
}

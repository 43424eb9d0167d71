import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import { OWNER_FILE, ownerMark } from "../leftovers/owner-mark.ts";
import { parseNames } from "../metrics/processes/process-table.ts";
import { readText } from "../metrics/read-host.ts";

/** Prefix that only the folders of jobs have below the temporary one, so that a later start finds and removes abandoned ones. */
export const FOLDER_PREFIX = "signalbox-job-";

/** Private folder of one job. The job works in `cwd`; its script is beside it. */
export interface JobFolder {
  readonly root: string;
  readonly cwd: string;
  /** User of the process that works in the folder. */
  readonly account: Account;
  readonly logFile: string;
  writeScript(text: string): Promise<string>;
  remove(): Promise<void>;
}

/** User that a job runs as; `uid` and `gid` absent = the user of this process. */
export interface Account {
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  readonly environment: Environment;
}

export interface FolderOptions {
  readonly account: Account;
  /** The process in the folder is meant to outlive this process. */
  readonly detached?: boolean;
}

export async function createJobFolder(
  tempDir: string,
  jobId: string,
  { account, detached = false }: FolderOptions,
): Promise<JobFolder> {
  await mkdir(tempDir, { recursive: true });
  // Computed first, because a folder without a mark has no owner if this process is killed before it writes the mark.
  const mark = detached ? undefined : await ownerMark();
  const root = await mkdtemp(join(tempDir, `${FOLDER_PREFIX}${jobId}-`));
  if (mark !== undefined) await writeFile(join(root, OWNER_FILE), mark, { mode: 0o600, flag: "wx" });
  const cwd = join(root, "work");
  await mkdir(cwd, { mode: 0o700 });
  for (const path of [root, cwd]) await give(path, account);
  return {
    root,
    cwd,
    account,
    logFile: join(root, "job.log"),
    async writeScript(text) {
      const path = join(root, "script");
      await writeFile(path, text.replaceAll("\r\n", "\n"), { mode: 0o700, flag: "wx" });
      await give(path, account);
      return path;
    },
    remove: () => removeFolder(root),
  };
}

/** Removes the mark last, so that a folder that is only partly removed when the process is killed still has its owner. */
export async function removeFolder(root: string): Promise<void> {
  const names = await readdir(root).catch((): string[] => []);
  for (const name of names.filter((each) => each !== OWNER_FILE)) await removeAll(join(root, name));
  await removeAll(root);
}

const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });

export async function give(path: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined || gid !== undefined) await chown(path, uid ?? -1, gid ?? -1);
}

/** Finds user and group by name or number. Throws for unknown ones. */
export async function findAccount(user: unknown, group: unknown): Promise<Account> {
  const users = ((await readText("/etc/passwd")) ?? "").split("\n").map((line) => line.split(":"));
  const row = isSet(user) ? users.find((each) => each[0] === String(user) || each[2] === String(user)) : undefined;
  if (isSet(user) && !row) throw new Error(`User does not exist: ${String(user)}`);
  const [name = "", , uid, userGid, , home = "", shell = ""] = row ?? [];
  const environment = { USER: name, USERNAME: name, HOME: home, SHELL: shell };
  const gid = isSet(group) ? await findGroup(String(group)) : userGid === undefined ? undefined : Number(userGid);
  return { uid: uid === undefined ? undefined : Number(uid), gid, environment: row ? environment : {} };
}

async function findGroup(group: string): Promise<number> {
  const names = parseNames((await readText("/etc/group")) ?? "");
  const found = [...names].find(([gid, name]) => name === group || String(gid) === group);
  if (!found) throw new Error(`Group does not exist: ${group}`);
  return found[0];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Program and arguments for a script. Its first line names the interpreter, as the kernel reads it; otherwise `/bin/sh`. */
export function interpreterOf(script: string, path: string): { command: string; args: string[] } {
  // Starting the interpreter directly also works where the temporary folder is mounted `noexec`.
  const match = /^#!\s*(\S+)[ \t]*([^\r\n]*)/.exec(script);
  const argument = match?.[2]?.trim();
  return { command: match?.[1] ?? "/bin/sh", args: argument ? [argument, path] : [path] };
}

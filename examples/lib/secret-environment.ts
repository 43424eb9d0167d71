import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropOwnVariables, ownArguments, ownVariables } from "./own-process.ts";
import { isSetting } from "./settings-in-variables.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that hold a secret, or may. Each may be given as a file instead, in a variable with the suffix `_FILE`. */
export const SECRET_VARIABLES = [
  "SIGNALBOX_SECRET_KEY",
  "SIGNALBOX_PREVIOUS_SECRET_KEYS",
  "SIGNALBOX_ADMIN_KEY",
  "SIGNALBOX_ADMIN_PASSWORD",
  // Read by the command line, which may share its environment with the server.
  "SIGNALBOX_API_KEY",
  "SIGNALBOX_SMTP",
  "SIGNALBOX_STORAGE",
  "SIGNALBOX_CONFIG",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "PGPASSWORD",
] as const;

/** Set for the process that replaces this one: its secrets are on its standard input. */
const HANDED_OVER = "SIGNALBOX_SECRETS_ON_STDIN";
const MAX_HANDED = 4_194_304;

export interface TakenEnvironment {
  readonly variables: Variables;
  /** Says where other processes can still read the secrets; absent = nowhere. */
  readonly warning?: { readonly text: string; readonly fields: Readonly<Record<string, unknown>> };
}

/**
 * Takes the environment of this process and removes its secrets from there: jobs run as the same user and could read them in
 * `/proc`, which shows the environment that a process was started with. So this process replaces itself (same program, same
 * process id), with the secrets in an unnamed file as its standard input, and with the settings of a process that is only this
 * server. Call it before anything else is loaded: the new process starts from the beginning. Where a process cannot be replaced,
 * the variables are deleted, and `warning` names the place where the secrets can still be read.
 */
export function takeEnvironment(): TakenEnvironment {
  const handed = readHandedOver();
  const given = { ...process.env, ...handed };
  // A setting may be a password.
  const found = [...SECRET_VARIABLES, ...Object.keys(given).filter(isSetting)].filter((name) => given[name]);
  if (handed === undefined && found.length > 0 && canReplace()) replaceProcess(found);
  for (const name of [HANDED_OVER, ...SECRET_VARIABLES, ...found]) delete process.env[name];
  dropOwnVariables();
  const variables = { ...process.env, ...Object.fromEntries(found.map((name) => [name, given[name]])) };
  const warning = warningOf(variables, found, handed !== undefined);
  return warning === undefined ? { variables } : { variables, warning };
}

function readHandedOver(): Record<string, string> | undefined {
  if (process.env[HANDED_OVER] === undefined) return undefined;
  const bytes = Buffer.alloc(MAX_HANDED);
  const length = readSync(0, bytes, 0, MAX_HANDED, 0);
  const handed = JSON.parse(bytes.toString("utf8", 0, length)) as Record<string, string>;
  bytes.fill(0);
  closeSync(0);
  // The lowest free file number is taken, so standard input is empty from now on.
  openSync("/dev/null", "r");
  return handed;
}

/** False with a Node channel to a parent, which the replacement would break. */
const canReplace = (): boolean =>
  process.platform === "linux" &&
  typeof process.execve === "function" &&
  process.channel === undefined &&
  existsSync(process.execPath);

/** Returns only when the secrets could not be passed on; otherwise the process is replaced. */
function replaceProcess(found: readonly string[]): void {
  const { [HANDED_OVER]: _forged, ...rest } = process.env;
  const secrets = Object.fromEntries(found.map((name) => [name, rest[name]]));
  if (!putOnStandardInput(JSON.stringify(secrets))) return;
  const kept = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || found.includes(name) ? [] : [[name, value] as const],
  );
  const flags = [...ownArguments(process.execArgv, rest), ...process.execArgv];
  const environment = { ...ownVariables(rest), ...Object.fromEntries(kept), [HANDED_OVER]: "1" };
  process.execve?.(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], environment);
}

/** Uses a file in memory where possible, unlinked before the first byte is written. */
function putOnStandardInput(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_HANDED) return false;
  for (const folder of ["/dev/shm", tmpdir()]) {
    const name = join(folder, `.signalbox-${process.pid}-${process.hrtime.bigint()}`);
    try {
      // Only the files with the numbers 0 to 2 stay open when the program is replaced.
      closeSync(0);
      const file = openSync(name, "wx+", 0o600);
      unlinkSync(name);
      if (file === 0 && writeSync(file, text) === Buffer.byteLength(text)) return true;
      closeSync(file);
    } catch {
      // Tries the next folder; without one, the program is not replaced.
    }
    if (!hasStandardInput()) openSync("/dev/null", "r");
  }
  return false;
}

function hasStandardInput(): boolean {
  try {
    return readlinkSync("/proc/self/fd/0") !== "";
  } catch {
    return false;
  }
}

function warningOf(variables: Variables, found: readonly string[], isReplaced: boolean): TakenEnvironment["warning"] {
  if (found.length === 0) return undefined;
  const tip = "give them as files, SIGNALBOX_SECRET_KEY_FILE and so on";
  if (!isReplaced)
    return {
      text: `Jobs can read secrets in the environment that this process was started with; ${tip}`,
      fields: { variables: found },
    };
  const above = ancestors().map((pid) => ({ pid, shown: shownBy(pid, variables, found) }));
  const pids = above.filter(({ shown }) => shown.length > 0).map(({ pid }) => pid);
  if (pids.length === 0) return undefined;
  return {
    text: `Jobs can read secrets in the environment of processes that started this one; ${tip}, or start it directly`,
    fields: { pids, variables: [...new Set(above.flatMap(({ shown }) => shown))] },
  };
}

const MAX_DEPTH = 64;

/** Ancestors of this process, the nearest first. */
function ancestors(): number[] {
  const pids: number[] = [];
  for (let pid = process.ppid; pid > 0 && pids.length < MAX_DEPTH; ) {
    pids.push(pid);
    pid = Number(/^PPid:\s*(\d+)$/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);
  }
  return pids;
}

function shownBy(pid: number, variables: Variables, names: readonly string[]): string[] {
  const entries = new Set(readProc(`/proc/${pid}/environ`).split("\0"));
  return names.filter((name) => entries.has(`${name}=${variables[name]}`));
}

/** Empty for files that this user may not read: its jobs may not read them either. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

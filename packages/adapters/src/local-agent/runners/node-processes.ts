import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { delimiter } from "node:path";
import type { Readable } from "node:stream";
import {
  checkOptions,
  optionalText,
  type ProcessExit,
  type ProcessRunner,
  type ProcessSpec,
  type RunningProcess,
} from "@signalbox/core/adapter";
import { COMMON_FOLDERS } from "../environment.ts";
import { type Account, createJobFolder, findAccount, type JobFolder } from "../job/job-folder.ts";
import { findLeftFile } from "../leftovers/left-file.ts";

export interface NodeProcessesOptions {
  /** Parent of the private folders for scripts. Default: the system's folder for temporary files. */
  readonly tempDir?: string;
  /** `PATH` of processes that are given none. Default: the common folders of programs. */
  readonly path?: string;
}

type Settings = Required<NodeProcessesOptions>;

/**
 * Starts child processes without a shell, each as leader of its own group, so that `kill(…, "all")` reaches its children. Output
 * that is not read causes backpressure on the child; leaving the loop over it closes the pipe.
 */
export function nodeProcesses(options: NodeProcessesOptions = {}): ProcessRunner {
  checkOptions("nodeProcesses", options, { tempDir: optionalText, path: optionalText });
  const { tempDir = tmpdir(), path = COMMON_FOLDERS.join(delimiter) } = options;
  return {
    start: (spec) => start(spec, { tempDir, path }),
    leftFile: async (spec, file) => findLeftFile(spec.cwd || tmpdir(), file, await accountOf(spec)),
  };
}

async function start(spec: ProcessSpec, { tempDir, path }: Settings): Promise<RunningProcess> {
  const account = await accountOf(spec);
  const env = { PATH: path, ...spec.env, ...account.environment };
  if (spec.script === undefined) return run({ ...spec, env }, account);
  const folder = await createJobFolder(tempDir, "script", { account });
  try {
    const args = [...spec.args, await folder.writeScript(spec.script)];
    const running = await run({ ...spec, args, env }, account);
    return { ...running, exited: running.exited.finally(() => remove(folder)) };
  } catch (error) {
    await remove(folder);
    throw error;
  }
}

/** Ignores failures: the process has ended by then, so the next local agent removes the folder. */
const remove = (folder: JobFolder): Promise<void> => folder.remove().catch(() => undefined);

async function accountOf({ uid, gid }: Pick<ProcessSpec, "uid" | "gid">): Promise<Account> {
  if (typeof uid === "string" || typeof gid === "string") return findAccount(uid, gid);
  return { uid, gid, environment: {} };
}

async function run(spec: ProcessSpec, { uid, gid }: Account): Promise<RunningProcess> {
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd || tmpdir(),
    env: { ...spec.env },
    detached: process.platform !== "win32",
    windowsHide: true,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  const exited = new Promise<ProcessExit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    // Stays registered for the child's life: a signal that cannot be sent is reported here too, and must not end the host.
    child.on("error", reject);
  });
  // A child that does not read its input may close the pipe, which is no error.
  child.stdin.on("error", () => undefined);
  child.stdin.end(spec.stdin);
  return {
    pid: child.pid ?? 0,
    stdout: closable(child.stdout),
    stderr: closable(child.stderr),
    exited,
    kill: (signal, scope) => kill(child, signal, scope),
  };
}

function kill(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals, scope: "parent" | "all"): void {
  if (scope === "parent" || child.pid === undefined || process.platform === "win32") {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: no process of the group is left. EPERM: the group now runs as another user, and only the parent may be ours.
    child.kill(signal);
  }
}

/** Lets a waiting reader close the pipe, because one that an orphan holds open never ends. */
function closable(stream: Readable): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
      const ended = { done: true as const, value: undefined };
      return {
        next: () => chunks.next().catch(() => ended),
        async return() {
          stream.destroy();
          return ended;
        },
      };
    },
  };
}

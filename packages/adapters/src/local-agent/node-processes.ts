import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { ProcessExit, ProcessRunner, ProcessSpec, RunningProcess } from "@signalbox/core";

/**
 * Starts child processes of this one, without a shell, each as leader of its own group so that `kill(…, "all")` reaches
 * what it started. Output that is not read holds the child back; leaving the loop over it closes the pipe.
 */
export function nodeProcesses(): ProcessRunner {
  return { start };
}

async function start(spec: ProcessSpec): Promise<RunningProcess> {
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    detached: process.platform !== "win32",
    windowsHide: true,
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.gid === undefined ? {} : { gid: spec.gid }),
  });
  const exited = new Promise<ProcessExit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    // Stays for the life of the child: a failed signal is reported here too, and must not end the host.
    child.on("error", reject);
  });
  // A child that does not read its input closes the pipe; that is its right.
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
    // ESRCH: nobody of the group is left. EPERM: the group runs as another user now, and the parent alone may be ours.
    child.kill(signal);
  }
}

/** A pipe held open by an orphan never ends, so a waiting reader must be able to close it. */
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

import type { ProcessExit, ProcessRunner, ProcessSpec } from "../../src/ports/agents/process-runner.ts";

/** Behaviour of a process, chosen by its arguments. */
export interface ScriptedProcess {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  /** "never" = runs until it is killed. Default: code 0. */
  readonly exit?: Partial<ProcessExit> | "never";
}

/** Starts processes whose behaviour the test scripts, and records their arguments and the signals that killed them. */
export function scriptedProcesses(run: (spec: ProcessSpec) => ScriptedProcess) {
  const started: ProcessSpec[] = [];
  const kills: string[] = [];
  const runner: ProcessRunner = {
    async start(spec) {
      started.push(spec);
      const { stdout = "", stderr = "", exit = {} } = run(spec);
      const { promise: exited, resolve } = Promise.withResolvers<ProcessExit>();
      if (exit !== "never") resolve({ code: 0, signal: null, ...exit });
      return {
        pid: started.length,
        stdout: chunksOf(stdout, exited),
        stderr: chunksOf(stderr, exited),
        exited,
        kill(signal, scope) {
          kills.push(`${signal} ${scope}`);
          resolve({ code: null, signal });
        },
      };
    },
  };
  return { runner, started, kills };
}

/** Pipes end with the process. */
async function* chunksOf(output: string | Uint8Array, exited: Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield typeof output === "string" ? new TextEncoder().encode(output) : output;
  await exited;
}

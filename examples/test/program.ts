import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { codeArguments, programArguments, QUICK_PASSWORDS } from "../../scripts/code/code.ts";

const examples = fileURLToPath(new URL("..", import.meta.url));

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** Added to the environment of this process; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Node arguments for programs that tests start. */
export const CODE: readonly string[] = codeArguments();

/** Programs that are built as a single bundle. */
const BUILT = new Map(["standalone.ts", "signalbox.ts"].map((name) => [name, programArguments(name)]));

/** Without the tests' own variables: the server warns of variables it does not know. */
const WITHOUT_TESTS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("SIGNALBOX_")),
);

/** Starts one of the example programs as its users do, in its own process. */
export function startProgram(name: string, { args = [], env = {} }: ProgramOptions = {}): ChildProcess {
  const built = BUILT.get(name);
  const program = built ?? [...CODE, name];
  return spawn(process.execPath, [...QUICK_PASSWORDS, ...program, ...args], {
    cwd: examples,
    env: { ...(built ? WITHOUT_TESTS : process.env), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs an example to its end. It has its own temporary folder: in a shared one it would find, and report, the jobs of programs
 * that other tests kill.
 */
export async function runProgram(name: string, { args = [], env = {} }: ProgramOptions = {}): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-program-"));
  try {
    const child = startProgram(name, { args, env: { TMPDIR: folder, ...env } });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { code, stdout, stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = "";
  for await (const chunk of stream ?? []) all += String(chunk);
  return all;
}

export interface RunningProgram {
  readonly pid: number;
  /** Resolves with the first matching line of standard output. Rejects when the program ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** The newest part of the output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, once the whole output is read; null when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  wasKilled(): boolean;
}

const MAX_TEXT = 200_000;

/** Starts an example that keeps running. */
export function launchProgram(name: string, options: ProgramOptions): RunningProgram {
  const child = startProgram(name, options);
  // At its exit some of its output may still be unread.
  const closed = once(child, "close") as Promise<[number | null]>;
  const kept = { stdout: "", stderr: "" };
  const lines: string[] = [];
  child.stderr?.on("data", (chunk) => {
    kept.stderr = (kept.stderr + String(chunk)).slice(-MAX_TEXT);
  });
  const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  reader.on("line", (line) => {
    lines.push(line);
    kept.stdout = `${kept.stdout}${line}\n`.slice(-MAX_TEXT);
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => kept.stdout,
    stderr: () => kept.stderr,
    wasKilled: () => child.killed,
    async kill(signal) {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
    line(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const look = (line: string): void => {
        const match = pattern.exec(line);
        if (match) resolve(match);
      };
      for (const line of lines) look(line);
      reader.on("line", look);
      closed.then(
        ([code]) =>
          reject(new Error(`${name} ended with ${String(code)} before ${pattern}: ${kept.stdout}${kept.stderr}`)),
        reject,
      );
      return promise.finally(() => reader.off("line", look));
    },
  };
}

export interface RunningServer extends RunningProgram {
  readonly url: string;
  /** Calls a versioned operation with the administrator's key, unless another is given. */
  call(operation: string, body?: object, key?: string): Promise<Record<string, unknown>>;
}

export const ADMIN_KEY = "crashTestAdministratorKey0";

/** Starts the stand-alone server, or one like it, on a free port and waits until it listens. */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
  name = "standalone.ts",
): Promise<RunningServer> {
  const program = launchProgram(name, {
    env: {
      SIGNALBOX_PORT: "0",
      SIGNALBOX_SECRET_KEY: "only for the crash test",
      SIGNALBOX_ADMIN_KEY: ADMIN_KEY,
      ...env,
    },
  });
  const [, port] = await program.line(/Signalbox is listening.*"port":(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  return { ...program, url, call: (operation, body, key) => call(url, operation, body, key) };
}

async function call(
  url: string,
  operation: string,
  body: object = {},
  key = ADMIN_KEY,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/app/${operation}/v1`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (answer["code"] === 0 && response.status !== 200) throw new Error(`${operation}: success with ${response.status}`);
  return answer;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** Starts one of the example programs as its users do: a process of its own, from source. */
export function startProgram(
  name: string,
  options: { args?: string[]; env?: Record<string, string> } = {},
): ChildProcess {
  return spawn(process.execPath, ["--conditions=@signalbox/source", name, ...(options.args ?? [])], {
    cwd: folder,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an example to its end. */
export async function runProgram(name: string, options?: Parameters<typeof startProgram>[1]): Promise<Outcome> {
  const child = startProgram(name, options);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, stdout, stderr };
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = "";
  for await (const chunk of stream ?? []) all += String(chunk);
  return all;
}

export interface RunningServer {
  readonly url: string;
  readonly key: string;
  call(operation: string, body?: object): Promise<Record<string, unknown>>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Everything written to standard error. */
  stderr(): string;
}

export const ADMIN_KEY = "crashTestAdministratorKey0";

/** Starts the stand-alone server on a free port and waits until it listens. */
export async function startServer(env: Record<string, string>): Promise<RunningServer> {
  const child = startProgram("standalone.ts", {
    env: {
      SIGNALBOX_PORT: "0",
      SIGNALBOX_SECRET_KEY: "only for the crash test",
      SIGNALBOX_ADMIN_KEY: ADMIN_KEY,
      ...env,
    },
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors = (errors + String(chunk)).slice(-20_000);
  });
  const exited = once(child, "exit");
  const port = await listeningPort(child, exited, () => errors);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    key: ADMIN_KEY,
    call: (operation, body) => call(url, operation, body),
    stderr: () => errors,
    async kill(signal) {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

async function listeningPort(child: ChildProcess, exited: Promise<unknown[]>, errors: () => string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on("line", (line) => {
    if (!line.includes("is listening")) return;
    resolve(Number(/"port":(\d+)/.exec(line.slice(line.indexOf('"port"')))?.[1]));
  });
  exited.then(
    ([code]) => reject(new Error(`The server ended with ${String(code)} before it listened: ${errors()}`)),
    reject,
  );
  return promise;
}

async function call(url: string, operation: string, body: object = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/app/${operation}/v1`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": ADMIN_KEY },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** Servers of `wire` as separate processes, and what the system reports about them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const KEY = "benchmarksbenchmarksbench";
export const SECRET = "a key for benchmarks only";

export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

/** Processor time of all threads of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  return nanoseconds / 1e6;
}

/** Resident megabytes of a process. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

const serverOf = (child: ChildProcess, port: number): ServerProcess => ({
  pid: child.pid as number,
  port,
  [Symbol.asyncDispose]: () => end(child),
});

/** Starts a program that prints its port. */
async function startProgram(args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${args[0]} ended before it listened`)));
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, "data"), ended]);
  return serverOf(child, Number(String(line)));
}

/** Starts a floor; given the address of a PostgreSQL, each request also runs one statement. */
export async function startFloor(postgres?: string): Promise<ServerProcess> {
  const program = fileURLToPath(new URL("floor.ts", import.meta.url));
  return startProgram(postgres === undefined ? [program] : [program, postgres]);
}

/** Starts the hand-written calls, over a copy of the server's current store; on PostgreSQL in the tables of the server. */
export async function startHand(folder: string, { port }: ServerProcess, postgres?: string): Promise<ServerProcess> {
  const asked = [`http://127.0.0.1:${port}`, KEY];
  if (postgres !== undefined)
    return startProgram([fileURLToPath(new URL("hand-pg.ts", import.meta.url)), postgres, ...asked]);
  const program = fileURLToPath(new URL("hand.ts", import.meta.url));
  return startProgram([program, join(folder, "signalbox.sqlite"), join(folder, "by-hand.sqlite"), ...asked]);
}

/**
 * Starts the hand-written jobs and minutes of satellites, over a copy of the server's current store, which must have some jobs.
 */
export async function startHandFleet(folder: string): Promise<ServerProcess> {
  const program = fileURLToPath(new URL("hand-fleet.ts", import.meta.url));
  return startProgram([program, join(folder, "signalbox.sqlite"), join(folder, "fleet-by-hand.sqlite")]);
}

/** Starts the least that a server like ours needs until it answers. */
export const startLeast = (folder: string): Promise<ServerProcess> =>
  startProgram([fileURLToPath(new URL("hand-start.mjs", import.meta.url)), folder]);

/** Starts the least that a server like ours does when idle; it has no port. */
export const startIdleByHand = (folder: string): Promise<ServerProcess> =>
  startProgram([fileURLToPath(new URL("hand-idle.mjs", import.meta.url)), folder]);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

const answers = async (port: number): Promise<boolean> => {
  try {
    return ((await (await fetch(`http://127.0.0.1:${port}/api/app/ping`)).json()) as { code: unknown }).code === 0;
  } catch {
    // The server does not listen yet.
    return false;
  }
};

/** Starts the built stand-alone server. Its limit on jobs per minute is raised beyond the load, but jobs are still counted. */
export async function startStandalone(
  folder: string,
  storage?: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("../../examples/dist/standalone.js", import.meta.url))],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        SIGNALBOX_DATA_DIR: folder,
        SIGNALBOX_PORT: String(port),
        SIGNALBOX_SECRET_KEY: SECRET,
        SIGNALBOX_ADMIN_KEY: KEY,
        SIGNALBOX_ADMIN_PASSWORD: "admin",
        SIGNALBOX_CONFIG: JSON.stringify({ max_jobs_per_min: 1_000_000 }),
        ...(storage ? { SIGNALBOX_STORAGE: storage } : {}),
        ...variables,
      },
    },
  );
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error("The server ended before it answered");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return serverOf(child, port);
}

/** Calls an operation by its name; throws unless the answer is a success. */
export async function ask<Answer>(port: number, operation: string, input: object = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/api/app/${operation}/v1`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": KEY },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { code: unknown; description?: string };
  if (answer.code !== 0) throw new Error(`${operation}: ${answer.code} ${answer.description}`);
  return answer as Answer;
}

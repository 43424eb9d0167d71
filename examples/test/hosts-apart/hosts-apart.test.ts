import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_KEY, CHECKS, type Host, SECRET_KEY } from "../hosts/checks.ts";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const isInstalled = existsSync(join(apart, "node_modules"));
const bin = (name: string): string => join(apart, "node_modules/.bin", name);

const COMMANDS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "nestjs-express.mjs": [process.execPath],
  "nestjs-fastify.mjs": [process.execPath],
  "bun.mjs": [bin("bun")],
  "deno.mjs": [bin("deno"), "run", "-A"],
};

type Started = Host & { stop(): Promise<void> };

async function end(child: ChildProcess, folder: string): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a host of `hosts-apart/`, which tells its ports in one line of JSON. */
async function start(name: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-apart-"));
  const [command, ...args] = COMMANDS[name] ?? [process.execPath];
  const own = { PORT: "0", OPS_DATABASE: join(folder, "ops.sqlite") };
  const env = { ...process.env, ...own, OPS_SECRET_KEY: SECRET_KEY, OPS_ADMIN_KEY: ADMIN_KEY };
  const child = spawn(command, [...args, join(apart, name)], { cwd: apart, env, stdio: ["ignore", "pipe", "inherit"] });
  const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
  for await (const line of createInterface(child.stdout)) {
    const [, told] = /^Listening (.*)$/.exec(line) ?? [];
    if (told === undefined) continue;
    const { port, satellites = port } = JSON.parse(told) as { port: number; satellites?: number };
    return {
      ...{ url: urlOf(port), satellites: urlOf(satellites) },
      stop: () => end(child, folder),
    };
  }
  throw new Error(`${name} ended before it listened`);
}

/** Builds the app, starts it as `next start` does, and waits until the first call has loaded the engine. */
async function startNext(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-apart-"));
  const own = { OPS_DATABASE: join(folder, "ops.sqlite"), OPS_SECRET_KEY: SECRET_KEY, OPS_ADMIN_KEY: ADMIN_KEY };
  const options = { cwd: apart, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...own, NODE_ENV: "production" } };
  await promisify(execFile)(bin("next"), ["build", "nextjs"], options);
  expect(existsSync(own.OPS_DATABASE)).toBe(false);
  const args = ["start", "nextjs", "--port", "0", "--hostname", "127.0.0.1"];
  const child = spawn(bin("next"), args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  let url = "";
  for await (const line of createInterface(child.stdout)) {
    const [, local] = /Local: +(http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
    if (local) {
      url = local;
      // Not waited for: what it loads tells the port of satellites in the next lines.
      void fetch(`${url}/ops/api/app/ping/v1`);
    }
    const [, satellites] = /^Satellites (\d+)/.exec(line) ?? [];
    if (satellites) return { url, satellites: `http://127.0.0.1:${satellites}`, stop: () => end(child, folder) };
  }
  throw new Error("Next.js ended before it listened");
}

// Their packages are installed by `npm run soak -- hosts`: they are larger than all others together.
describe.skipIf(!isInstalled).each([...Object.keys(COMMANDS), "nextjs"])("%s", (name) => {
  let host: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    host = await (name === "nextjs" ? startNext() : start(name));
  }, 300_000);
  afterAll(() => host?.stop());

  test.each(Object.entries(CHECKS))("%s", async (_check, run) => run(host));
});

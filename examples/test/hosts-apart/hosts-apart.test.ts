import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, test } from "vitest";
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

/** Starts a host of `hosts-apart/`, which tells its ports in one line of JSON. */
async function start(name: string): Promise<Host & { stop(): Promise<void> }> {
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
      async stop() {
        child.kill("SIGKILL");
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  throw new Error(`${name} ended before it listened`);
}

// Their packages are installed by `npm run soak -- hosts`: they are larger than all others together.
describe.skipIf(!isInstalled).each(Object.keys(COMMANDS))("%s", (name) => {
  let host: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    host = await start(name);
  });
  afterAll(() => host?.stop());

  test.each(Object.entries(CHECKS))("%s", async (_check, run) => run(host));
});

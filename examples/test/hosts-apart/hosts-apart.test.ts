import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
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

type Started = Host & { stop(): Promise<void>; leave?(): Promise<string> };

async function end(child: ChildProcess, folder: string): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a host of `hosts-apart/`, which prints its ports in one line of JSON. */
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

/** An app that its framework builds first. */
interface Built {
  readonly build: readonly [string, ...string[]];
  readonly start: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Satellites connect to the app's own port. */
  readonly hasSockets?: true;
}

const node = process.execPath;
const next = (port: string): Built => ({
  build: [bin("next"), "build"],
  start: [bin("next"), "start", "--hostname", "127.0.0.1", "--port", port],
  env: { NEXT_MANUAL_SIG_HANDLE: "true" },
});
const BUILT: Readonly<Record<string, (port: string) => Built>> = {
  nextjs: next,
  "nextjs-pages": next,
  nuxt: () => ({ build: [bin("nuxt"), "build"], start: [node, ".output/server/index.mjs"] }),
  sveltekit: () => ({
    build: [bin("vite"), "build"],
    start: [node, "build"],
    env: { BODY_SIZE_LIMIT: "Infinity" },
  }),
  astro: () => ({ build: [bin("astro"), "build"], start: [node, "server.mjs"], hasSockets: true }),
  "react-router": () => ({ build: [bin("react-router"), "build"], start: [node, "server.mjs"], hasSockets: true }),
};

/** Builds an app, which must open no database, and starts it: the engine has to start with it, before any request. */
async function startBuilt(name: string, told: (port: string) => Built): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-apart-"));
  const port = await freePort();
  const { build, start: command, env, hasSockets } = told(String(port));
  const own = { OPS_DATABASE: join(folder, "ops.sqlite"), OPS_SECRET_KEY: SECRET_KEY, OPS_ADMIN_KEY: ADMIN_KEY };
  const silent = { NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  const at = { PORT: String(port), HOST: "127.0.0.1" };
  const options = { cwd: join(apart, name), env: { ...process.env, ...silent, ...own, ...at, ...env } };
  const [builder, ...buildArgs] = build;
  await promisify(execFile)(builder, buildArgs, options);
  expect(existsSync(own.OPS_DATABASE)).toBe(false);
  const [program, ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  let satellites = hasSockets ? url : undefined;
  let isReady = false;
  for await (const line of createInterface(child.stdout)) {
    const [, own] = /^Satellites (\d+)/.exec(line) ?? [];
    if (own) satellites = `http://127.0.0.1:${own}`;
    isReady ||= /^Listening|Ready in/.test(line);
    if (isReady && satellites)
      return { url, satellites, stop: () => end(child, folder), leave: () => leave(url, child) };
  }
  throw new Error(`${name} ended before it listened`);
}

/** Tells an app to end while a page is open; how its process ended. */
async function leave(url: string, child: ChildProcess): Promise<string> {
  const page = await fetch(`${url}/ops/api/app/stream_updates/v1`, { headers: { "X-API-Key": ADMIN_KEY } });
  child.kill("SIGTERM");
  const over = once(child, "exit");
  // A stream that the engine ends has an end; one whose process is gone fails.
  const end = await page.text().then(
    () => "ended the page",
    () => "broke off the page",
  );
  const [code] = await over;
  return `${end}, code ${code}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

// `npm run soak -- hosts` installs their packages, which are larger than all others together.
describe.skipIf(!isInstalled).each([...Object.keys(COMMANDS), ...Object.keys(BUILT)])("%s", (name) => {
  let host: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    const built = BUILT[name];
    host = await (built ? startBuilt(name, built) : start(name));
  }, 300_000);
  afterAll(() => host?.stop());

  test.each(Object.entries(CHECKS))("%s", async (_check, run) => run(host));

  test.runIf(name in BUILT)("ends by itself while a page is open", async () => {
    expect(await host.leave?.()).toBe("ended the page, code 0");
  });
});

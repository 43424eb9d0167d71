import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { codeArguments, END_IN_START } from "../../../scripts/code/code.ts";

const PROGRAM = fileURLToPath(new URL("../template/ops.ts", import.meta.url));
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === "IPv6"));

async function freePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return String(typeof address === "object" ? address?.port : 0);
}

/** Starts the program as it is written; resolves with the address that it prints, and with its key. */
async function start(env: Readonly<Record<string, string>>): Promise<{ address: string; key: string }> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-template-"));
  const variables = { ...process.env, SIGNALBOX_SECRET_KEY: "a secret key for tests", ...env };
  const child = spawn(process.execPath, [...codeArguments(), PROGRAM], { cwd: folder, env: variables });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    said += `${line}\n`;
    const [, address] = /^Signalbox is at (.+)$/.exec(line) ?? [];
    if (address) return { address, key: /administratorKey: '(\S+)'/.exec(said)?.[1] ?? "" };
  }
  throw new Error(`The program ended: ${said}`);
}

async function answerOf(port: string, key: string, operation: string): Promise<Record<string, unknown>> {
  const response = await fetch(`http://localhost:${port}/api/app/${operation}`, { headers: { "X-API-Key": key } });
  return (await response.json()) as Record<string, unknown>;
}

/** The base address of links in mails. */
async function linksOf(port: string, key: string): Promise<unknown> {
  const { config } = await answerOf(port, key, "admin_get_config/v1");
  return (config as { base_app_url: string }).base_app_url;
}

test.skipIf(!hasIpv6)("on all addresses of IPv6 it prints one that a browser opens", { timeout: 120_000 }, async () => {
  const PORT = await freePort();
  const { address, key } = await start({ HOST: "::", PORT });
  expect([address, await linksOf(PORT, key)]).toEqual([`http://localhost:${PORT}`, `http://localhost:${PORT}`]);
});

test("links lead to the given address, and the guides can be read", { timeout: 120_000 }, async () => {
  const PORT = await freePort();
  const { address, key } = await start({ HOST: "0.0.0.0", PORT, APP_URL: "https://ops.example.com" });
  expect([address, await linksOf(PORT, key)]).toEqual([`http://localhost:${PORT}`, "https://ops.example.com"]);
  const { markdown } = await answerOf(PORT, key, "get_doc/v1?doc=guide/getting-started");
  expect(markdown).toMatch(/^# Getting started\n/);
});

test("a signal during the start leaves the database free", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-template-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...process.env, SIGNALBOX_SECRET_KEY: "a secret key for tests" };
  const child = spawn(process.execPath, [...codeArguments(), ...END_IN_START, PROGRAM], { cwd: folder, env });
  const [said, faults, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  expect([said, faults, code]).toEqual(["", "", 0]);
  using database = new DatabaseSync(join(folder, "ops.sqlite"));
  expect(database.prepare("select * from sb_owner").all()).toEqual([]);
});

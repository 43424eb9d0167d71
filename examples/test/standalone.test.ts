import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../packages/storage-pg/test/test-database.ts";
import { END_IN_START } from "../../scripts/code/code.ts";
import { readEnvironment } from "../lib/environment.ts";
import { ADMIN_KEY, CODE, type RunningServer, runProgram, startServer } from "./program.ts";

const SECRET = "theSecretKeyOfThisTest";

let dataDir: string;
const running: RunningServer[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-standalone-"));
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a server, by default on SQLite in the data directory. */
async function start(env: Readonly<Record<string, string | undefined>> = {}): Promise<RunningServer> {
  const server = await startServer({ SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET, ...env });
  running.push(server);
  return server;
}

async function stop(server: RunningServer): Promise<number | null> {
  running.splice(running.indexOf(server), 1);
  return server.kill("SIGTERM");
}

/** Writes a file into the data directory; resolves with its path. */
async function fileOf(name: string, text: string): Promise<string> {
  await writeFile(join(dataDir, name), text);
  return join(dataDir, name);
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("a damaged or read-only database ends the start with one sentence", async () => {
  const file = join(dataDir, "signalbox.sqlite");
  await writeFile(file, "This is no database. ".repeat(500));
  const damaged = await refused({});
  const sentence = `The storage cannot be opened: the SQLite file ${file} is damaged (file is not a database).`;
  expect([damaged.code, damaged.stderr]).toEqual([1, ""]);
  expect(linesOf(damaged.stdout)).toEqual([{ time: expect.any(Number), level: "error", msg: sentence }]);

  const fixed = join(dataDir, "fixed.sqlite");
  const storage = sqliteStorage({ filename: fixed });
  await storage.open([]);
  await storage.close();
  const readOnly = await refused({ SIGNALBOX_STORAGE: `sqlite:file:${fixed}?mode=ro` });
  expect(readOnly.code).toBe(1);
  expect(linesOf(readOnly.stdout)).toMatchObject([{ msg: expect.stringContaining("is read-only (") }]);
});

/** A configuration that adds a header to each answer. */
const HEADERS = JSON.stringify({ WebServer: { response_headers: { "X-Acme": "yes" } } });

describe.each<[string, () => Promise<string>, () => Promise<string>]>([
  ["memory", async () => "memory:", async () => HEADERS],
  ["sqlite", async () => `sqlite:${dataDir}/other.sqlite`, () => fileOf("config.json", HEADERS)],
  ["postgres", () => createTestDatabase(inject("pgUrl")), async () => ""],
])("on %s", (kind, addressOf, configOf) => {
  const password = "first password";
  const startHere = async (): Promise<RunningServer> =>
    start({
      SIGNALBOX_STORAGE: await addressOf(),
      SIGNALBOX_CONFIG: await configOf(),
      SIGNALBOX_SERVER_ID: "ops1",
      SIGNALBOX_ADMIN_PASSWORD: password,
    });

  test("serves pages at the root, the API below /api, answers /health and ends cleanly on SIGTERM", async () => {
    const server = await startHere();
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { code: 0, master: true }]);
    // The configuration is merged over the defaults, both inline and from a file.
    expect(health.headers.get("X-Acme")).toBe(kind === "postgres" ? null : "yes");
    expect(await server.call("get_tags")).toMatchObject({ code: 0, list: { length: 2 } });
    await expect.poll(() => server.call("get_active_server", { id: "ops1" })).toMatchObject({ code: 0 });
    expect(await (await fetch(`${server.url}/`)).text()).toContain("<title>Signalbox</title>");
    // Logs are kept in the data directory, so that administrators can search them.
    const found = await server.call("admin_search_logs", { log: "Transaction", match: "apikey_create" });
    expect(found).toMatchObject({ code: 0, rows: [{ category: "transaction", code: "apikey_create" }] });
    // The given key and password are used, and never written anywhere.
    expect(await server.call("get_tags", {}, "0000000000000000000000wrong")).toMatchObject({ code: "session" });
    expect(await signIn(server, password)).toMatchObject({ code: 0 });
    expect(await stop(server)).toBe(0);
    for (const text of [server.stdout(), server.stderr()])
      for (const secret of [ADMIN_KEY, SECRET, password]) expect(text).not.toContain(secret);
    const lines = linesOf(server.stdout());
    // Ignores other lines: a busy machine may fire an alert about its own load.
    expect(lines.filter(({ msg }) => String(msg).startsWith("Signalbox "))).toMatchObject([
      { level: "info", msg: "Signalbox is listening", storage: kind },
      { msg: "Signalbox is stopping", signal: "SIGTERM" },
      { msg: "Signalbox has stopped" },
    ]);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

test("the first start creates the administrator and shows its secrets only once, and a command resets it", async () => {
  const first = await start({ SIGNALBOX_ADMIN_KEY: undefined });
  // The two streams arrive in any order.
  await expect.poll(() => first.stderr()).toMatch(/Password of the user admin, .*\n$/);
  const [, key = ""] = /Administrator key, shown this once: (\w{24})\n/.exec(first.stderr()) ?? [];
  const [, password = ""] = /Password of the user admin, shown this once: (\w{24})\n$/.exec(first.stderr()) ?? [];
  expect(await first.call("get_tags", {}, key)).toMatchObject({ code: 0 });
  expect(await signIn(first, password)).toMatchObject({ code: 0, user: { username: "admin" } });
  // No other process may open the file meanwhile, neither a second server nor a command.
  const second = await refused({});
  expect([second.code, linesOf(second.stdout)]).toMatchObject([
    1,
    [{ level: "error", msg: "Signalbox could not start" }],
  ]);
  const busy = await reset();
  expect([busy.code, linesOf(busy.stdout)]).toMatchObject([1, [{ msg: "The administrator could not be reset" }]]);
  expect(await stop(first)).toBe(0);
  for (const secret of [key, password]) expect(first.stdout()).not.toContain(secret);

  // A later start ignores both variables: the store has its administrator.
  const later = await start({ SIGNALBOX_ADMIN_KEY: "", SIGNALBOX_ADMIN_PASSWORD: "second password" });
  expect(await later.call("get_tags", {}, key)).toMatchObject({ code: 0 });
  expect(await signIn(later, "second password")).toMatchObject({ code: "login" });
  expect(await signIn(later, password)).toMatchObject({ code: 0 });
  expect(await stop(later)).toBe(0);
  expect(later.stderr()).toBe("");
  expect(later.stdout()).not.toContain("second password");

  const { code, stdout, stderr } = await reset();
  const [, newPassword = ""] = /^Password of the user admin, shown this once: (\w{24})\n$/.exec(stderr) ?? [];
  expect([code, stdout]).toEqual([0, ""]);
  const last = await start({ SIGNALBOX_ADMIN_KEY: "" });
  expect(await signIn(last, password)).toMatchObject({ code: "login" });
  expect(await signIn(last, newPassword)).toMatchObject({ code: 0, user: { privileges: { admin: true } } });
});

const reset = () =>
  runProgram("standalone.ts", {
    args: ["--reset-admin"],
    env: { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET },
  });

/** Prints the environment of the job itself and of every process above it. */
const LOOK_UP = `#!/bin/sh
env
pid=$$
while [ "$pid" -gt 0 ]; do
  tr '\\0' '\\n' < /proc/$pid/environ 2> /dev/null
  pid=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$pid/status)
  echo "above: $pid"
done
`;

/** Output of a shell job on the server. */
async function outputOf(server: RunningServer, script: string): Promise<string> {
  const { event } = (await server.call("create_event", {
    ...{ title: "Look", enabled: true, category: "general", targets: ["main"], algo: "random" },
    ...{ plugin: "shellplug", params: { script }, triggers: [{ type: "manual", enabled: true }] },
  })) as { event: { id: string } };
  const { id } = await server.call("run_event", { id: event.id });
  await expect.poll(() => server.call("get_job", { id })).toMatchObject({ job: { final: true, code: 0 } });
  const { job } = (await server.call("get_job", { id })) as { job: { output: string } };
  return job.output;
}

/** Output of a server until it listens; then it is stopped. */
async function untilListening(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
  });
  await expect.poll(() => text).toContain("Signalbox is listening");
  child.kill("SIGTERM");
  await once(child, "close");
  return text;
}

describe.skipIf(process.platform !== "linux")("the secrets of the server", () => {
  const SMTP_PASSWORD = "plantedMailPassword";
  const KEY = "plantedPreviousKey01";
  const variables = {
    SIGNALBOX_SMTP: `smtp://me:${SMTP_PASSWORD}@127.0.0.1:25`,
    SIGNALBOX_PREVIOUS_SECRET_KEYS: KEY,
    SIGNALBOX_ADMIN_PASSWORD: "plantedAdminPassword",
    AWS_SECRET_ACCESS_KEY: "plantedCloudSecret",
    SIGNALBOX_HARMLESS: "shown",
  };

  test("come from files or variables, and are in the environment of no process that a job can read", async () => {
    const withFiles = await start({
      SIGNALBOX_SECRET_KEY: undefined,
      SIGNALBOX_SECRET_KEY_FILE: await fileOf("key", `${SECRET}\n`),
      SIGNALBOX_ADMIN_KEY: undefined,
      SIGNALBOX_ADMIN_KEY_FILE: await fileOf("admin", `${ADMIN_KEY}\n`),
    });
    await withFiles.call("create_secret", { id: "s", title: "S", fields: [{ name: "A", value: "b" }] });
    expect(await stop(withFiles)).toBe(0);

    const server = await start(variables);
    // The file and the variable give the same key.
    expect(await server.call("decrypt_secret", { id: "s" })).toMatchObject({ fields: [{ name: "A", value: "b" }] });
    const output = await outputOf(server, LOOK_UP);
    expect(output).toContain(`above: ${server.pid}\n`);
    // The environment of the server itself is readable.
    expect(output).toContain("SIGNALBOX_HARMLESS=shown");
    for (const secret of [SECRET, ADMIN_KEY, SMTP_PASSWORD, KEY, "plantedAdminPassword", "plantedCloudSecret"])
      expect(output).not.toContain(secret);
    expect(await stop(server)).toBe(0);
    // A misspelt variable has no effect, and the warning contains only its name.
    expect(linesOf(server.stdout()).filter(({ level }) => level === "warn")).toMatchObject([
      { msg: expect.stringContaining("Nothing reads these variables"), variables: ["SIGNALBOX_HARMLESS"] },
    ]);
    expect(server.stdout()).not.toContain("shown");
  });

  test("cause a warning where this process cannot be replaced", async () => {
    const child = spawn(process.execPath, [...CODE, "standalone.ts"], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: { ...process.env, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET, SIGNALBOX_PORT: "0" },
      // The replacement would break a Node channel.
      stdio: ["ignore", "pipe", "ignore", "ipc"],
    });
    const text = await untilListening(child);
    expect(linesOf(text)[0]).toMatchObject({ level: "warn", variables: ["SIGNALBOX_SECRET_KEY"] });
    expect(text).not.toContain(SECRET);
  });

  test.skipIf(process.getuid?.() !== 0)("cannot be read by jobs that run as another user", async () => {
    const SIGNALBOX_CONFIG = JSON.stringify({ default_plugin_credentials: { event: { uid: "nobody" } } });
    const server = await start({ ...variables, SIGNALBOX_CONFIG });
    const output = await outputOf(server, `#!/bin/sh\nid -un\ncat /proc/$PPID/environ && echo readable\nexit 0\n`);
    expect(output).toMatch(/^nobody$/m);
    expect(output).toContain("Permission denied");
    expect(output).not.toContain("readable");
  });

  test("cause a warning when a parent process still shows them", async () => {
    const child = spawn(
      "sh",
      ["-c", `"$NODE" ${CODE.join(" ")} standalone.ts & child=$!; trap 'kill $child' TERM; wait $child; wait`],
      {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
        env: {
          ...process.env,
          ...{ NODE: process.execPath, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET, SIGNALBOX_PORT: "0" },
        },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const text = await untilListening(child);
    const [warning] = linesOf(text).filter(({ level }) => level === "warn");
    expect(warning).toMatchObject({ variables: ["SIGNALBOX_SECRET_KEY"], pids: [child.pid] });
    expect(text).not.toContain(SECRET);
  });
});

test("SIGTERM ends a running job and an open stream, however long they would run", async () => {
  const server = await start();
  const script = '#!/bin/sh\necho "base $JOB_BASE_URL"\nsleep 3600\n';
  await server.call("create_event", {
    ...{ id: "long", title: "Long", enabled: true, category: "general", targets: ["main"], algo: "random" },
    ...{ plugin: "shellplug", params: { script }, triggers: [{ type: "manual", enabled: true }] },
  });
  const { id } = await server.call("run_event", { id: "long" });
  const headers = { "X-API-Key": ADMIN_KEY };
  const stream = await fetch(`${server.url}/api/app/stream_job/v1?id=${id}`, { headers });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (let text = ""; !text.includes('"state":"active"'); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended before the job was active: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  expect(await stop(server)).toBe(0);

  // The agent reported the end before it exited; at the latest, the next start does the steps that follow an end.
  const next = await start();
  const end = { final: true, code: "abort", description: "Server is shutting down." };
  await expect.poll(() => next.call("get_job", { id })).toMatchObject({ job: end });
});

test("a signal during the start leaves the database free", async () => {
  const { code, stdout, stderr } = await refused({ NODE_OPTIONS: END_IN_START.join(" ") });
  expect(linesOf(stdout).at(-1)).toMatchObject({ msg: "Signalbox has stopped" });
  expect(stdout).not.toContain("Signalbox is listening");
  expect([code, stderr]).toEqual([0, ""]);
  using database = new DatabaseSync(join(dataDir, "signalbox.sqlite"));
  expect(database.prepare("select * from sb_owner").all()).toEqual([]);
});

test("a port in use ends the start with an error", async () => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { code, stdout } = await refused({ SIGNALBOX_STORAGE: "memory:", SIGNALBOX_PORT: String(port) });
  taken.close();
  expect(linesOf(stdout)[0]).toMatchObject({ msg: "Signalbox could not listen", error: { code: "EADDRINUSE" } });
  expect(code).toBe(1);
});

test.each<[string, Record<string, string>, string]>([
  ["no secret key", { SECRET_KEY: "" }, "SIGNALBOX_SECRET_KEY must be set and have at least 16 characters"],
  ["a port that is not a number", { PORT: "http" }, "SIGNALBOX_PORT must be a whole number from 0 to 65535"],
  [
    "a server id with a dash",
    { SERVER_ID: "ops-1" },
    "SIGNALBOX_SERVER_ID must have 1 to 64 lower case letters, digits and underscores",
  ],
  ["a port that is too high", { PORT: "65536" }, "SIGNALBOX_PORT must be a whole number from 0 to 65535"],
  ["an amount of memory", { MEMORY: "512" }, "SIGNALBOX_MEMORY must be small, or not set"],
  [
    "an unknown storage",
    { STORAGE: "mysql://user:hiddenPassword@host/db" },
    "SIGNALBOX_STORAGE must be sqlite: and a path, a postgres:// address, or memory:",
  ],
  [
    "a password that would end the address",
    { STORAGE: "postgres://user:hidden/Password@host/db" },
    "SIGNALBOX_STORAGE cannot be read: in a password signs like / # ? stand as %2F %23 %3F, or set PGPASSWORD",
  ],
  [
    "an invalid mail server",
    { SMTP: "http://user:hiddenPassword@host" },
    "SIGNALBOX_SMTP must be an address like smtp://user:password@host:587",
  ],
  [
    "an administrator key of the wrong length",
    { ADMIN_KEY: "hiddenPassword" },
    "SIGNALBOX_ADMIN_KEY must have 24 to 256 characters, all of them visible ASCII",
  ],
  [
    "a missing configuration file",
    { CONFIG: "/nowhere.json" },
    "SIGNALBOX_CONFIG names a file that cannot be read (ENOENT): /nowhere.json",
  ],
  [
    "a bucket without its credentials",
    { BLOBS: "s3://bucket" },
    "SIGNALBOX_BLOBS names a bucket, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set",
  ],
  [
    "an invalid bucket",
    { BLOBS: "s3://me:hiddenPassword@bucket" },
    "SIGNALBOX_BLOBS must look like s3://bucket/prefix?region=…&endpoint=…",
  ],
  [
    "a bucket by its address on the web",
    { BLOBS: "https://me:hiddenPassword@s3.example/bucket" },
    "SIGNALBOX_BLOBS must be a directory, or s3://bucket/prefix?region=…&endpoint=…",
  ],
  [
    "a secret that is given twice",
    { SECRET_KEY_FILE: "/nowhere" },
    "SIGNALBOX_SECRET_KEY and SIGNALBOX_SECRET_KEY_FILE are both set; give one of them",
  ],
  [
    "a missing file of a secret",
    { ADMIN_KEY: "", ADMIN_KEY_FILE: "/nowhere" },
    "SIGNALBOX_ADMIN_KEY_FILE names a file that cannot be read (ENOENT): /nowhere",
  ],
  [
    "an empty file of a secret",
    { ADMIN_KEY: "", ADMIN_KEY_FILE: "/dev/null" },
    "SIGNALBOX_ADMIN_KEY_FILE names a file without a secret in it: /dev/null",
  ],
  ["malformed JSON", { CONFIG: '{"a": hiddenPassword' }, "SIGNALBOX_CONFIG is not valid JSON"],
  [
    "a configuration value of the wrong type",
    { CONFIG: '{"max_jobs_per_min": "hiddenPassword"}' },
    "SIGNALBOX_CONFIG max_jobs_per_min: Invalid input: expected number, received string",
  ],
])("%s is refused in one sentence that repeats no secret", async (_name, variables, sentence) => {
  const env = Object.entries(variables).map(([name, value]) => [`SIGNALBOX_${name}`, value]);
  const given = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET, ...Object.fromEntries(env) };
  const { message } = await readEnvironment(given).then(
    () => new Error("nothing was refused"),
    (error: Error) => error,
  );
  expect(message).toBe(sentence);
});

test.each([
  ["0.0.0.0", "http://localhost:5522"],
  ["::", "http://localhost:5522"],
  ["::1", "http://[::1]:5522"],
  ["ops.example", "http://ops.example:5522"],
])("with the listening address %s, links lead to %s", async (host, address) => {
  const { config, isNameless } = await readEnvironment({ SIGNALBOX_HOST: host, SIGNALBOX_SECRET_KEY: SECRET });
  expect([config.base_app_url, isNameless]).toEqual([address, address === "http://localhost:5522"]);
});

test("an invalid variable ends the start with its message", async () => {
  const { code, stdout, stderr } = await refused({ SIGNALBOX_CONFIG: '{"a": hiddenPassword' });
  expect(linesOf(stdout)).toEqual([
    { time: expect.any(Number), level: "error", msg: "SIGNALBOX_CONFIG is not valid JSON" },
  ]);
  expect([code, stderr]).toEqual([2, ""]);
});

test("an unreachable database ends the start without showing its password", async () => {
  const { code, stdout, stderr } = await refused({ SIGNALBOX_STORAGE: "postgres://me:hiddenPassword@127.0.0.1:1/db" });
  const sentence =
    "The storage cannot be opened: the PostgreSQL database db at 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1).";
  expect(linesOf(stdout)).toEqual([
    { time: expect.any(Number), level: "error", msg: expect.stringContaining(sentence) },
  ]);
  expect(stdout + stderr).not.toContain("hiddenPassword");
  expect(code).toBe(1);
});

async function signIn({ url }: RunningServer, password: string): Promise<unknown> {
  const response = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "admin", password }),
  });
  return response.json();
}

const refused = (env: Record<string, string>) =>
  runProgram("standalone.ts", {
    env: { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET, SIGNALBOX_PORT: "0", ...env },
  });

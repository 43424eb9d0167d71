/**
 * Tries first programs in a folder where packed packages are installed. The program of README, as printed: it starts, its page
 * opens, a script writes 3 MB of log, and after the process is killed the next one still has them. And the program written by
 * `npx @signalbox/create`: it type-checks strictly, its test passes, and it starts.
 */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

/** File name, code block and packages of the first program, as README gives them. */
export function readFirstProgram(root) {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const [, packages] = /^npm i (.+)$/m.exec(text) ?? [];
  const [, name] = /`(\w+\.mts)`/.exec(text) ?? [];
  const [, code] = /^```ts\n(.*?)^```/ms.exec(text) ?? [];
  if (!(packages && name && code?.includes("createDashboard"))) throw new Error("README has no first program");
  return { packages: packages.split(" "), name, code };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function until(what, attempt) {
  let cause;
  for (let left = 1200; left > 0; left--) {
    try {
      const found = await attempt();
      if (found !== undefined) return found;
    } catch (error) {
      cause = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come within two minutes`, { cause });
}

function start({ folder, args, env }) {
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said.text += chunk));
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { said, stop };
}

const SCRIPT = "#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x | fold -w 99\n";

/** Runs the program twice; returns a line about it, or throws with the program's output. */
export async function runFirstProgram(folder, { name, code }) {
  const port = await freePort();
  writeFileSync(join(folder, name), code.replace("port: 5522", `port: ${port}`));
  const env = { ...process.env, SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64url") };
  const base = `http://127.0.0.1:${port}`;
  let running = start({ folder, args: [name], env });
  try {
    const key = await until(
      "The administrator's key",
      async () => /administratorKey: '(\S+)'/.exec(running.said.text)?.[1],
    );
    const call = async (operation, body) => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${base}/api/app/${operation}`, init);
      if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
      return response;
    };
    const page = await until("The first page", async () => (await fetch(base)).text());
    if (!page.includes('<div id="app">')) throw new Error("The first page is another one");
    const on = {
      title: "T",
      enabled: true,
      category: "general",
      plugin: "shellplug",
      targets: ["main"],
      algo: "random",
    };
    const event = { ...on, params: { script: SCRIPT }, triggers: [{ type: "manual", enabled: true }] };
    const { event: made } = await (await call("create_event/v1", event)).json();
    const { job } = await (await call("run_event/v1/wait", { id: made.id })).json();
    if (job?.code !== 0) throw new Error(`The job ended as ${JSON.stringify(job)}`);
    await running.stop();
    running = start({ folder, args: [name], env });
    const log = await until("The log", async () => (await call(`get_job_log/v1?id=${job.id}`)).text());
    const lines = log.split("\n").filter((line) => line === "x".repeat(99)).length;
    if (lines < 30_000) throw new Error(`The log has ${lines} lines after the restart`);
    return "README's first program starts, and keeps 3 MB of a job's log over its death";
  } catch (error) {
    throw new Error(`${error.message}\n${running.said.text}`, { cause: error });
  } finally {
    await running.stop();
  }
}

/** Creates the program with the command that users run, and follows the steps of its README; returns a line about it. */
export async function runCreatedProgram(folder, tools) {
  const run = promisify(execFile);
  await run("npx", ["--no-install", "@signalbox/create", "my-ops"], { cwd: folder });
  // Its packages are those installed in the parent folder; the compiler and the types of Node are ours.
  const app = join(folder, "my-ops");
  const types = join(tools, "@types");
  await run(join(tools, ".bin", "tsc"), ["-p", app, "--typeRoots", types], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(`The created program does not compile:\n${stdout}`);
  });
  const { scripts } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  const argsOf = (script) => scripts[script].replace(/^node /, "").split(" ");
  await run(process.execPath, argsOf("test"), { cwd: app });
  const port = await freePort();
  const running = start({ folder: app, args: argsOf("start"), env: { ...process.env, PORT: String(port) } });
  try {
    await until("The word that it listens", async () => /^Signalbox is at /m.exec(running.said.text)?.[0]);
    const page = await (await fetch(`http://localhost:${port}`)).text();
    const isWhole = page.includes('<div id="app">') && /administratorPassword: '\S+'/.test(running.said.text);
    if (!isWhole) throw new Error(`The created program serves another page:\n${running.said.text}`);
    return "the program of `npx @signalbox/create` compiles strictly, passes its test and serves its pages";
  } finally {
    await running.stop();
  }
}

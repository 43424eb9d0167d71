import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localAgent, nodeProcesses } from "./index.ts";

const execFileAsync = promisify(execFile);
let tempDir = "";
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-trials-"));
});
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
  await rm(tempDir, { recursive: true, force: true });
});

/** Folders that test runs left. Excludes the folders of monitor plugins, which the agent also runs at the start of each minute. */
const foldersOfTrials = async () => (await readdir(tempDir)).filter((name) => !name.includes("-mon-"));

/** Starts a complete engine on this machine, with a monitor plugin and a scheduler plugin. */
async function start(script: string, members: object = {}) {
  const signalbox = createSignalbox({
    storage: memoryStorage(),
    secretKey: "correct horse battery staple",
    agents: localAgent({ tempDir, quickEverySec: 0, killTimeoutSec: 2 }),
    processes: nodeProcesses({ tempDir }),
    // The monitor plugins of a fresh store run as well, a second after the start.
    config: { presets: false },
  });
  running.push(signalbox);
  const { api } = signalbox;
  const plugin = { title: "Trial", command: "/bin/sh", script, ...members };
  await signalbox.start();
  await api.createPlugin({ id: "mon", type: "monitor", ...plugin });
  await api.createPlugin({ id: "due", type: "scheduler", ...plugin });
  return api;
}

test("a monitor plugin runs on the machine of the agent", async () => {
  const api = await start("echo 42; echo careful >&2");
  const [server] = (await api.getActiveServers()).rows;
  const answer = await api.testMonitorPlugin({ id: "mon", server: server?.id ?? "" });
  expect(answer).toMatchObject({ plugin_id: "mon", result: "42", stderr: "careful\n" });
});

test("a scheduler plugin reads its item and its secrets, and shows no secret", async () => {
  const script = `read line; echo "$line $TOKEN" >&2; echo '{"xy":1,"items":[{"launch":true,"delay":5}]}'`;
  const api = await start(script);
  const fields = [{ name: "TOKEN", value: "planted-value-7f3k" }];
  await api.createSecret({ title: "Trial", fields, plugins: ["due"] });
  const answer = await api.testSchedulerPlugin({ id: "due", params: { a: 1 }, timezone: "UTC", epoch: 60 });
  expect(answer.data).toEqual({ xy: 1, items: [{ launch: true, delay: 5 }] });
  expect(answer.err).toBeUndefined();
  expect(answer.stderr).toContain('"params":{"a":1},"timezone":"UTC","dargs":{"year":1970');
  expect(answer.stderr).toMatch(/"secrets":\{"TOKEN":"\*{4}"\}.* \*{4}\n$/);
  expect(await foldersOfTrials()).toEqual([]);
});

test("a scheduler plugin that takes too long is ended with all that it started", async () => {
  const api = await start("sleep 60 & echo $!; sleep 60", { timeout: 0.3 });
  const { description, stdout } = await api.testSchedulerPlugin({ id: "due" });
  expect(description).toBe("Scheduler Plugin timed out after 0.3 seconds.");
  const state = async () =>
    (await execFileAsync("ps", ["-o", "stat=", "-p", stdout.trim()]).catch(() => ({ stdout: "gone" }))).stdout;
  // A busy machine ends it a moment after the answer, and lists it as a zombie until its exit code is collected.
  await expect.poll(state).toMatch(/^(?:Z|gone)/);
  await expect.poll(foldersOfTrials).toEqual([]);
});

test("endless output ends the plugin", async () => {
  const api = await start("yes");
  const { description, stdout } = await api.testSchedulerPlugin({ id: "due" });
  expect([description, stdout.length]).toEqual(["Scheduler Plugin wrote more than 1048576 bytes.", 1_048_576]);
});

test("a scheduler plugin decides about a due event and passes it a file", async () => {
  const clock = fakeClock(1_800_000_030);
  const blobs = memoryBlobStore({ clock });
  const signalbox = createSignalbox({
    ...{ storage: memoryStorage({ clock }), blobs, clock, secretKey: "correct horse battery staple" },
    processes: nodeProcesses({ tempDir }),
    config: { tz: "UTC" },
  });
  running.push(signalbox);
  await signalbox.start();
  const { api } = signalbox;
  const script = `read line
case "$line" in *'"event":"wanted"'*) ;; *) exit 3 ;; esac
echo made here > found.txt
echo '{"xy":1,"items":[{"launch":true,"data":{"n":1},"files":[{"path":"found.txt","delete":true}]}]}'`;
  await api.createPlugin({ id: "due", type: "scheduler", title: "Due", command: "/bin/sh", script, cwd: tempDir });
  await api.createEvent({
    ...{ id: "wanted", title: "Wanted", enabled: true, category: "general", plugin: "shellplug", algo: "random" },
    ...{ params: { script: "cat" }, targets: ["main"] },
    triggers: [
      { type: "schedule", enabled: true },
      { type: "plugin", plugin_id: "due", enabled: true },
    ],
    limits: [
      { type: "job", amount: 1, enabled: true },
      { type: "queue", amount: 9, enabled: true },
    ],
  });
  const launched = new Promise<{ id: string }>((resolve) => signalbox.events.on("job.launched", resolve));
  await clock.advance(31);
  const { job } = await api.getJob({ id: (await launched).id });
  expect(job).toMatchObject({ event: "wanted", source: "plugin", splugin: "due", now: 1_800_000_060 });
  const { data, files } = job["input"] as { data: unknown; files: { path: string; size: number }[] };
  expect([data, files.map(({ size }) => size)]).toEqual([{ n: 1 }, [10]]);
  expect(await blobs.head(files[0]?.path ?? "")).toMatchObject({ sizeBytes: 10 });
  expect(await foldersOfTrials()).toEqual([]);
});

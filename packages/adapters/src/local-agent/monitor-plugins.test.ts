import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@signalbox/core/adapter";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMonitorPlugins } from "./monitor-plugins.ts";
import { nodeProcesses } from "./runners/node-processes.ts";

let tempDir = "";
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-plugins-"));
});
afterEach(() => rm(tempDir, { recursive: true, force: true }));

function create(...commands: Record<string, unknown>[]) {
  const inherited = { PATH: "/usr/bin:/bin" };
  const plugins = createMonitorPlugins({ clock: systemClock, processes: nodeProcesses(), tempDir, inherited });
  plugins.replace(commands.map((command) => ({ enabled: true, groups: [], command: "/bin/sh", ...command })));
  return plugins;
}

test("the secrets of a plugin are its environment", async () => {
  const plugins = create({ id: "p", script: 'echo "$KEY"', sec: { KEY: "v" } });
  expect(await plugins.runMinute()).toEqual({ p: "v" });
});

test("only quick plugins run each second", async () => {
  const plugins = create({ id: "slow", script: "echo a" }, { id: "fast", script: "echo b", quick: true });
  expect(await plugins.runQuick()).toEqual({ fast: "b" });
  expect(await plugins.runMinute()).toEqual({ slow: "a", fast: "b" });
});

test("a plugin that takes too long is killed, and its value says so", async () => {
  const plugins = create({ id: "p", script: "sleep 60 & sleep 60", timeout: 0.2 });
  expect(await plugins.runMinute()).toEqual({ p: "Error: Command timed out after 0.2 seconds" });
});

test("output ends at 1 MiB, and so does the process", async () => {
  const plugins = create({ id: "p", command: "yes" });
  const { p } = (await plugins.runMinute()) as { p: string };
  expect(p.length).toBeGreaterThan(1_048_000);
  expect(p.length).toBeLessThanOrEqual(1_048_576);
});

test("failures are texts instead of the output", async () => {
  const plugins = create(
    { id: "a", command: "/no/such/program" },
    { id: "b", script: "echo '{'", format: "json" },
    { id: "c", script: "true", uid: "nobody-of-that-name" },
    { id: "d", script: "true", format: "xml" },
    { id: "e", command: "" },
  );
  expect(await plugins.runMinute()).toEqual({
    a: expect.stringMatching(/^Error: .*ENOENT/),
    b: expect.stringMatching(/^Error: Output is not JSON: /),
    c: "Error: User does not exist: nobody-of-that-name",
    d: "Error: Format is not available on this server: xml",
    e: "Error: Command is empty",
  });
});

test("nothing remains in the temporary folder", async () => {
  await create({ id: "p", script: "echo a" }).runMinute();
  expect(await readdir(tempDir)).toEqual([]);
});

test("malformed lists and ids are ignored", async () => {
  const plugins = create({ id: "../evil", script: "echo a" });
  expect(await plugins.runMinute()).toBeUndefined();
  plugins.replace("nonsense");
  plugins.setGroups(7);
  expect(await plugins.runMinute()).toBeUndefined();
  expect(await plugins.test("p")).toEqual({ result: "Error: Plugin not found: p", stderr: "" });
});

test("a plugin that runs when the agent stops is ended, and leaves nothing", async () => {
  const started = join(tempDir, "started");
  const plugins = create({ id: "p", script: `echo $$ > ${started}.new; mv ${started}.new ${started}; exec sleep 600` });
  const minute = plugins.runMinute();
  const pid = await vi.waitFor(async () => Number(await readFile(started, "utf8")), 120_000);
  await plugins.stop();
  expect(await minute).toEqual({ p: "Error: The agent stopped" });
  expect((await readdir(tempDir)).filter((name) => name !== "started")).toEqual([]);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 120_000);
});

test("nothing is started once the agent has begun to stop", async () => {
  const plugins = create({ id: "p", script: "echo a" });
  const minute = plugins.runMinute();
  await plugins.stop();
  expect(await minute).toEqual({ p: "Error: The agent stopped" });
  expect(await plugins.test("p")).toEqual({ result: "Error: The agent stopped", stderr: "" });
  expect(await readdir(tempDir)).toEqual([]);
});

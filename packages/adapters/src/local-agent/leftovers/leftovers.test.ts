import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { silentLogger, systemClock } from "@signalbox/core/adapter";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localConductor } from "../../../test/local-conductor.ts";
import { createJobFolder, findAccount } from "../job/job-folder.ts";
import { localAgent } from "../local-agent.ts";
import { endLeftovers } from "./leftovers.ts";
import { OWNER_FILE, ownerMark } from "./owner-mark.ts";

let tempDir = "";
const children: ReturnType<typeof startChild>[] = [];
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-left-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(tempDir, { recursive: true, force: true });
});

const never = new AbortController().signal;
const sweep = async (killTimeoutSec = 5) => {
  const leftovers = await endLeftovers({ tempDir, killTimeoutSec, clock: systemClock, log: silentLogger });
  await leftovers.clear(never);
};

function startChild(cwd: string, script: string) {
  return spawn("/bin/sh", ["-c", script], { cwd, detached: true, stdio: ["ignore", "pipe", "ignore"] });
}

/** A job's folder whose mark names an ended process, while a process works in it. */
async function abandoned(script = "echo up; sleep 600") {
  const folder = await createJobFolder(tempDir, "j1", { account: await findAccount("", "") });
  const ended = spawnSync("/bin/true").pid;
  const mark = (await ownerMark()) ?? "";
  await writeFile(join(folder.root, OWNER_FILE), mark.replace(/^\d+/, String(ended)));
  const child = startChild(folder.cwd, script);
  children.push(child);
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  return { root: folder.root, exited };
}

// Other systems have no `/proc`, so folders have no marks there.
describe.runIf(process.platform === "linux")("the remains of a killed host process", () => {
  test("are ended, and their folder is removed", async () => {
    const { root, exited } = await abandoned();
    await sweep();
    expect(await exited).toEqual([null, "SIGTERM"]);
    expect(existsSync(root)).toBe(false);
  });

  test("are killed when they ignore SIGTERM", async () => {
    const { root, exited } = await abandoned("trap '' TERM; echo up; while :; do sleep 1; done");
    await sweep(0.3);
    expect(await exited).toEqual([null, "SIGKILL"]);
    expect(existsSync(root)).toBe(false);
  });

  test("are also killed by the second start of one agent", async () => {
    const agent = localAgent({ tempDir, killTimeoutSec: 0.3, quickEverySec: 0 });
    await localConductor(agent).start();
    await agent.stop();
    const { exited } = await abandoned("trap '' TERM; echo up; while :; do sleep 1; done");
    await localConductor(agent).start();
    expect(await exited).toEqual([null, "SIGKILL"]);
    await agent.stop();
  });

  test("are left alone while their host process lives", async () => {
    const folder = await createJobFolder(tempDir, "j2", { account: await findAccount("", "") });
    const child = startChild(folder.cwd, "echo up; sleep 600");
    children.push(child);
    await once(child.stdout, "data");
    await sweep();
    expect(child.exitCode ?? child.signalCode).toBe(null);
    expect(existsSync(folder.cwd)).toBe(true);
  });

  test("are left alone when they detached on purpose", async () => {
    const { root } = await createJobFolder(tempDir, "j3", { account: await findAccount("", ""), detached: true });
    await sweep();
    expect(existsSync(root)).toBe(true);
  });

  test.each([
    ["a mark of another boot or container", (mark: string) => mark.replace(/\[\d+\]$/, "[1]")],
    ["a malformed mark", () => "12"],
    ["an empty mark", () => ""],
  ])("are left alone with %s", async (_name, change) => {
    const { root } = await createJobFolder(tempDir, "j4", { account: await findAccount("", "") });
    const mark = ((await ownerMark()) ?? "").replace(/^\d+/, "1");
    await writeFile(join(root, OWNER_FILE), change(mark));
    await sweep();
    expect(existsSync(root)).toBe(true);
  });

  test("are removed if they are a folder that has been empty for a minute", async () => {
    const [old, marked, fresh, filled] = ["old", "marked", "fresh", "filled"].map((name) =>
      join(tempDir, `signalbox-job-j6-${name}`),
    ) as [string, string, string, string];
    for (const folder of [old, marked, fresh, filled]) await mkdir(folder);
    // The mark is empty when the process was killed while it wrote it.
    await writeFile(join(marked, OWNER_FILE), "");
    await mkdir(join(filled, "work"));
    const past = Date.now() / 1000 - 61;
    for (const folder of [old, marked, filled]) await utimes(folder, past, past);
    await sweep();
    expect([old, marked, fresh, filled].map((folder) => existsSync(folder))).toEqual([false, false, true, true]);
  });

  test("are not treated as old by an engine whose clock is ahead, nor is a foreign folder as a job's", async () => {
    const fresh = join(tempDir, "signalbox-job-j7-fresh");
    const foreign = join(tempDir, "signalbox-backup");
    for (const folder of [fresh, foreign]) await mkdir(folder);
    await utimes(foreign, 1, 1);
    const clock = { ...systemClock, now: () => systemClock.now() + 86_400 };
    await endLeftovers({ tempDir, killTimeoutSec: 0.2, clock, log: silentLogger });
    expect([fresh, foreign].map((folder) => existsSync(folder))).toEqual([true, true]);
  });

  test("keep their mark until all else is removed, in case the removing process is killed", async () => {
    const { root, remove, writeScript } = await createJobFolder(tempDir, "j9", { account: await findAccount("", "") });
    await writeScript("exit 0");
    const gone: (string | null)[] = [];
    const watcher = watch(root, (_kind, name) => gone.push(name));
    const isOver = once(watcher, "close");
    await remove();
    watcher.close();
    await isOver;
    expect(gone.filter((name) => name !== null && name !== basename(root)).at(-1)).toBe(OWNER_FILE);
    expect(gone).toContain("script");
  });

  test("never lead to a folder elsewhere", async () => {
    const elsewhere = join(tempDir, "elsewhere");
    await mkdir(elsewhere);
    const mark = ((await ownerMark()) ?? "").replace(/ \d+ /, " 1 ");
    await writeFile(join(elsewhere, OWNER_FILE), mark);
    await symlink(elsewhere, join(tempDir, "signalbox-job-j5-link"));
    await sweep();
    expect(existsSync(join(elsewhere, OWNER_FILE))).toBe(true);
  });
});

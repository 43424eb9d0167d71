import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { ProcessSpec, RunningProcess } from "@signalbox/core/adapter";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeProcesses } from "./node-processes.ts";

let tempDir = "";
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-processes-"));
});
afterEach(() => rm(tempDir, { recursive: true, force: true }));

const start = (spec: Partial<ProcessSpec>): Promise<RunningProcess> =>
  nodeProcesses({ tempDir }).start({ command: "/bin/sh", args: [], cwd: "", env: {}, stdin: "", ...spec });

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString().trim();
}

test("a script is a private file, the last argument, and deleted at the end", async () => {
  const args = ["-c", 'stat -c %a "$1" "$(dirname "$1")"; cat "$1"; echo " $0 $1 $#"', "zero"];
  const child = await start({ args, script: "one\r\ntwo" });
  const [mode, folderMode, one, ...rest] = (await textOf(child.stdout)).split("\n");
  const [two, zero, path, count] = rest.join("\n").split(" ");
  expect([mode, folderMode, one, two, zero, count]).toEqual(["700", "700", "one", "two", "zero", "1"]);
  expect(path?.startsWith(tempDir)).toBe(true);
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(await readdir(tempDir)).toEqual([]);
});

test("an interpreter runs the script, with the input beside it", async () => {
  const child = await start({ script: 'read line; echo "got $line $KEY"', stdin: "it\n", env: { KEY: "v" } });
  expect(await textOf(child.stdout)).toBe("got it v");
});

test("the script is deleted with a process that is killed", async () => {
  const child = await start({ script: "sleep 60 & sleep 60" });
  expect(await readdir(tempDir)).toHaveLength(1);
  child.kill("SIGKILL", "all");
  expect((await child.exited).signal).toBe("SIGKILL");
  expect(await readdir(tempDir)).toEqual([]);
  // The pipe ends only when no process of the group is left.
  expect(await textOf(child.stdout)).toBe("");
});

test("the script is deleted when the process cannot be started", async () => {
  await expect(start({ command: "/nowhere/decide", script: "x" })).rejects.toThrow("ENOENT");
  expect(await readdir(tempDir)).toEqual([]);
});

test("a user by name gives its group and home, and an unknown one is refused", async () => {
  const { username, uid, gid, homedir } = userInfo();
  const child = await start({ args: ["-c", 'echo "$(id -u) $(id -g) $HOME"'], uid: username });
  expect(await textOf(child.stdout)).toBe(`${uid} ${gid} ${homedir}`);
  await expect(start({ uid: "no-such-user" })).rejects.toThrow("User does not exist: no-such-user");
});

test("programs are found without a PATH, and without a folder the temporary one is used", async () => {
  const child = await start({ command: "pwd" });
  expect(await textOf(child.stdout)).toBe(tmpdir());
});

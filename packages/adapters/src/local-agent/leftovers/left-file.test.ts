import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeProcesses } from "../runners/node-processes.ts";

const { leftFile } = nodeProcesses();

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "signalbox-left-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const cwd = join(path, "work");
  await mkdir(join(cwd, "out"), { recursive: true });
  await writeFile(join(cwd, "out", "a.txt"), "hello");
  await writeFile(join(path, "secret"), "secret");
  return cwd;
}

const find = (cwd: string, path: string, owner: { uid?: number } = {}) => leftFile?.({ cwd, ...owner }, path);

test("a file below the folder can be read and removed", async () => {
  const cwd = await folder();
  const file = await find(cwd, "out/a.txt");
  expect(file).toMatchObject({ name: "a.txt", sizeBytes: 5 });
  let text = "";
  for await (const chunk of file?.content() ?? []) text += Buffer.from(chunk).toString();
  expect(text).toBe("hello");
  await file?.remove();
  expect(await readdir(join(cwd, "out"))).toEqual([]);
  expect(await find(cwd, join(cwd, "out", "a.txt"))).toBeUndefined();
});

test("no other file is found", async () => {
  const cwd = await folder();
  await symlink(join(cwd, "..", "secret"), join(cwd, "link"));
  await symlink("/dev/zero", join(cwd, "endless"));
  for (const path of ["../secret", join(cwd, "..", "secret"), "link", "endless", "out", ".", "", "none", "/etc/passwd"])
    expect(await find(cwd, path), path).toBeUndefined();
});

test("a link inside the folder is followed", async () => {
  const cwd = await folder();
  await symlink("out/a.txt", join(cwd, "inside"));
  expect(await find(cwd, "inside")).toMatchObject({ name: "a.txt" });
});

test("the file of a process with its own user must belong to that user", async () => {
  const cwd = await folder();
  const own = process.getuid?.() ?? 0;
  expect(await find(cwd, "out/a.txt", { uid: own })).toMatchObject({ name: "a.txt" });
  expect(await find(cwd, "out/a.txt", { uid: own + 1 })).toBeUndefined();
});

test("a file that is exchanged after the check is not read", async () => {
  const cwd = await folder();
  const file = await find(cwd, "out/a.txt");
  await writeFile(join(cwd, "out", "other"), "other");
  await rm(join(cwd, "out", "a.txt"));
  await symlink("other", join(cwd, "out", "a.txt"));
  const read = async () => {
    for await (const _chunk of file?.content() ?? []);
  };
  await expect(read()).rejects.toThrow();
});

import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keyFile } from "./key-file.ts";

async function place() {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, filename: join(folder, "own", "secret.keys") };
}

test("a missing file is created with a random key that only its user can read", async () => {
  const { filename } = await place();
  const [key = "", ...rest] = await keyFile({ filename }).keys();
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(rest).toEqual([]);
  expect(await keyFile({ filename }).keys()).toEqual([key]);
  expect((await stat(filename)).mode & 0o777).toBe(0o600);
});

test("processes that create it at once agree on one key, and leave nothing else", async () => {
  const { folder, filename } = await place();
  const all = await Promise.all(Array.from({ length: 8 }, () => keyFile({ filename }).keys()));
  expect(new Set(all.flat()).size).toBe(1);
  expect(await readdir(join(folder, "own"))).toEqual(["secret.keys"]);
});

test("a new file contains the keys that the host had, which do not count once it exists", async () => {
  const { filename } = await place();
  const initial = ["the key of the environment", "the one before it"];
  expect(await keyFile({ filename, initial }).keys()).toEqual(initial);
  expect(await keyFile({ filename, initial: ["another key altogether"] }).keys()).toEqual(initial);
});

test("stored keys replace all others at once", async () => {
  const { folder, filename } = await place();
  const keys = keyFile({ filename, initial: ["the first of three keys"] });
  await keys.keys();
  await keys.keep(["the second of three keys", "the first of three keys"]);
  expect(await readFile(filename, "utf8")).toBe("the second of three keys\nthe first of three keys\n");
  expect((await stat(filename)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "own"))).toEqual(["secret.keys"]);
});

test("an empty file is an error, and never replaced by another key", async () => {
  const { folder } = await place();
  const filename = join(folder, "secret.keys");
  await writeFile(filename, "\n");
  await expect(keyFile({ filename }).keys()).rejects.toThrow("The file of secret keys is empty");
  expect(await readFile(filename, "utf8")).toBe("\n");
});

test("a file that disappears while it is in use is an error, and never replaced by another key", async () => {
  const { folder, filename } = await place();
  const keys = keyFile({ filename });
  const [key = ""] = await keys.keys();
  await rename(filename, `${filename}.away`);
  await expect(keys.keys()).rejects.toThrow("The file of secret keys is gone");
  expect(await readdir(join(folder, "own"))).toEqual(["secret.keys.away"]);
  await rename(`${filename}.away`, filename);
  expect(await keys.keys()).toEqual([key]);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobStoreConformance } from "@signalbox/core/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsBlobStore } from "./fs-blob-store.ts";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-blobs-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function* stream(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function textOf(content: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  if (!content) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("blobs as files", () => {
  blobStoreConformance({ describe, test }, async () => fsBlobStore(join(directory, "not", "made", "yet")));
});

const foldersLeft = async (): Promise<string[]> => (await readdir(directory)).filter((name) => name !== "~");

test("a stream that fails leaves no file", async () => {
  const store = fsBlobStore(directory);
  const failing = (async function* () {
    yield Buffer.from("half");
    throw new Error("line cut");
  })();
  await expect(store.put("a/b", failing)).rejects.toThrow("line cut");
  expect(await readdir(join(directory, "~"))).toEqual([]);
  expect(await foldersLeft()).toEqual([]);
});

test("a deletion and a move remove the folders that they leave empty", async () => {
  const store = fsBlobStore(directory);
  for (const key of ["a/b/c", "a/d", "e/f"]) await store.put(key, stream("x"));
  await store.delete("a/b/c");
  expect(await readdir(join(directory, "a"))).toEqual(["d"]);
  await store.delete("a/d");
  await store.move?.("e/f", "g/h");
  expect(await foldersLeft()).toEqual(["g"]);
});

test("a process killed during an upload leaves no blob, and its partial file is removed later", async () => {
  const module = new URL("fs-blob-store.ts", import.meta.url).href;
  const script = `
    import { fsBlobStore } from ${JSON.stringify(module)};
    async function* endless() {
      for (let sent = 0; ; sent++) {
        yield Buffer.alloc(100_000, 1);
        if (sent === 5) process.stdout.write("half");
        if (sent > 5) await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    await fsBlobStore(${JSON.stringify(directory)}).put("files/a/b.bin", endless());`;
  const run = ["--conditions=@signalbox/source", "--input-type=module", "-e", script];
  const child = spawn(process.execPath, run, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const store = fsBlobStore(directory);
  expect(await store.list("", { limit: 10 })).toEqual([]);
  expect(await store.head("files/a/b.bin")).toBeUndefined();
  const [half = ""] = await readdir(join(directory, "~"));
  const now = Date.now() / 1000;
  await store.tidy?.(now - 3600);
  expect(await readdir(join(directory, "~"))).toEqual([half]);
  await utimes(join(directory, "~", half), now - 7200, now - 7200);
  await store.tidy?.(now - 3600);
  expect(await readdir(join(directory, "~"))).toEqual([]);
});

test("cleaning up where nothing was ever stored does nothing", async () => {
  await expect(fsBlobStore(join(directory, "none")).tidy?.(1)).resolves.toBeUndefined();
});

test("content, name and every new folder are flushed before a put answers", async () => {
  const probe = await open(directory, "r");
  const handle = Object.getPrototypeOf(probe) as { sync(): Promise<void> };
  await probe.close();
  const { sync } = handle;
  let flushed = 0;
  handle.sync = function (this: unknown) {
    flushed++;
    return sync.call(this);
  };
  try {
    await fsBlobStore(directory).put("a/b/c", stream("x"));
    // One flush each for the file, the folders a and b, and the root, which contains a.
    expect(flushed).toBe(4);
    await fsBlobStore(directory).put("a/b/d", stream("x"));
    expect(flushed).toBe(6);
  } finally {
    handle.sync = sync;
  }
});

test("one key cannot be the folder of another, and the error does not show the whole key", async () => {
  const store = fsBlobStore(directory);
  const secret = "R".repeat(43);
  await store.put(`files/${secret}`, stream("x"));
  const error = await store.put(`files/${secret}/a.txt`, stream("y")).catch((reason: Error) => reason);
  expect(error).toMatchObject({
    code: expect.stringMatching(/^E[A-Z]+$/),
    message: expect.stringContaining("RRRRRRRR…"),
  });
  expect(String((error as Error).stack)).not.toContain(secret);
  expect(JSON.stringify(error)).not.toContain(secret);
});

test("a link out of the directory is neither listed nor followed", async () => {
  await mkdir(join(directory, "root"));
  await writeFile(join(directory, "secret"), "x");
  const store = fsBlobStore(join(directory, "root"));
  await symlink(join(directory, "secret"), join(directory, "root", "link"));
  expect(await store.head("link")).toBeUndefined();
  expect(await store.get("link")).toBeUndefined();
  expect(await store.list("", { limit: 10 })).toEqual([]);
});

test("files are readable only by their owner", async () => {
  const store = fsBlobStore(directory);
  await store.put("a", stream("x"));
  const file = await open(join(directory, "a"));
  const { mode } = await file.stat();
  await file.close();
  expect(mode & 0o777).toBe(0o600);
});

test("a blob that is replaced before it is read ends in an error, not in parts of both", async () => {
  const store = fsBlobStore(directory);
  await store.put("a", stream("old text"));
  const found = await store.get("a");
  await store.put("a", stream("new"));
  await expect(textOf(found?.content)).rejects.toThrow("Blob a was replaced before it was read");
});

test("a blob that is deleted while it is read is read to its end", async () => {
  const store = fsBlobStore(directory);
  const text = "x".repeat(300_000);
  await store.put("a", stream(text));
  const reader = (await store.get("a"))?.content[Symbol.asyncIterator]();
  const first = await reader?.next();
  await store.delete("a");
  let size: number = first?.value?.length ?? 0;
  for (let next = await reader?.next(); !next?.done; next = await reader?.next()) size += next?.value.length ?? 0;
  expect(size).toBe(text.length);
});

test("other files in the directory are not listed", async () => {
  const store = fsBlobStore(directory);
  await writeFile(join(directory, "not a key"), "x");
  await store.put("a", stream("x"));
  expect(await store.list("", { limit: 10 })).toEqual(["a"]);
});

test.each([
  ["a name", `a/${"x".repeat(256)}`],
  ["a folder", `a/${"x".repeat(256)}/b`],
])("nothing is stored under %s that is too long for the file system", async (_what, long) => {
  const store = fsBlobStore(await mkdtemp(join(directory, "long")));
  await store.put("a/b", stream("x"));
  expect([await store.head(long), await store.get(long), await store.move?.(long, "c")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(await store.delete(long)).toBe(false);
});

const name = fc.string({ unit: fc.constantFrom("a", "b", "0", "-", "."), minLength: 1, maxLength: 2 });
const key = fc
  .array(
    name.filter((text) => text !== "." && text !== ".."),
    { minLength: 1, maxLength: 3 },
  )
  // The suffix keeps a key from being the folder of another one.
  .map((names) => `${names.join("/")}_`);

test("list pages through all keys of a prefix in byte order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key, { maxLength: 12 }), fc.string({ maxLength: 2 }), async (keys, prefix) => {
      const store = fsBlobStore(await mkdtemp(join(directory, "run")));
      for (const each of keys) await store.put(each, stream("x"));
      const expected = keys.filter((each) => each.startsWith(prefix)).sort();
      const seen: string[] = [];
      for (let page = await store.list(prefix, { limit: 2 }); page.length > 0; ) {
        seen.push(...page);
        page = await store.list(prefix, { limit: 2, after: page.at(-1) ?? "" });
      }
      expect(seen).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});

import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
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

test("what was put is read back, with its size", async () => {
  const store = fsBlobStore(directory);
  const info = await store.put("files/jobs/j1/report.csv", stream("a,", "1\n"));
  expect(info.sizeBytes).toBe(4);
  expect(info.modified).toBeGreaterThan(1_600_000_000);
  expect(await textOf((await store.get("files/jobs/j1/report.csv"))?.content)).toBe("a,1\n");
  expect(await store.head("files/jobs/j1/report.csv")).toEqual(info);
});

test("a second put replaces the first", async () => {
  const store = fsBlobStore(directory);
  await store.put("a", stream("long text"));
  await store.put("a", stream("x"));
  expect(await textOf((await store.get("a"))?.content)).toBe("x");
});

test("a stream that fails leaves the old blob and no rubbish", async () => {
  const store = fsBlobStore(directory);
  await store.put("a", stream("old"));
  const failing = (async function* () {
    yield Buffer.from("half");
    throw new Error("line cut");
  })();
  await expect(store.put("a", failing)).rejects.toThrow("line cut");
  expect(await textOf((await store.get("a"))?.content)).toBe("old");
  expect(await readdir(join(directory, "~"))).toEqual([]);
});

test("a range is inclusive at both ends and cut at the end of the blob", async () => {
  const store = fsBlobStore(directory);
  await store.put("a", stream("0123456789"));
  expect(await textOf((await store.get("a", { start: 2, end: 4 }))?.content)).toBe("234");
  expect(await textOf((await store.get("a", { start: 8, end: 99 }))?.content)).toBe("89");
  expect(await textOf((await store.get("a", { start: 20, end: 30 }))?.content)).toBe("");
});

test("an unknown key answers undefined, and delete false", async () => {
  const store = fsBlobStore(join(directory, "not", "made", "yet"));
  expect(await store.get("a")).toBeUndefined();
  expect(await store.head("a/b")).toBeUndefined();
  expect(await store.delete("a")).toBe(false);
  expect(await store.list("", { limit: 10 })).toEqual([]);
});

test("a deleted blob is gone", async () => {
  const store = fsBlobStore(directory);
  await store.put("a/b", stream("x"));
  expect(await store.delete("a/b")).toBe(true);
  expect(await store.head("a/b")).toBeUndefined();
});

test.each(["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "a b", "ä", "a\0b", "~", "~/x", "x".repeat(1025)])(
  "the key %j is refused",
  async (key) => {
    const store = fsBlobStore(directory);
    await expect(store.put(key, stream("x"))).rejects.toThrow(TypeError);
    await expect(store.get(key)).rejects.toThrow(TypeError);
    await expect(store.head(key)).rejects.toThrow(TypeError);
    await expect(store.delete(key)).rejects.toThrow(TypeError);
  },
);

test("files of others in the directory are not listed", async () => {
  const store = fsBlobStore(directory);
  await writeFile(join(directory, "not a key"), "x");
  await store.put("a", stream("x"));
  expect(await store.list("", { limit: 10 })).toEqual(["a"]);
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
    { numRuns: 30 },
  );
});

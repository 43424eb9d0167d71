import assert from "node:assert/strict";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import type { BlobStoreCases } from "../blob-store.ts";
import { stream, textOf } from "./blob-store-contents.ts";

/** Characters that sort before and after the slash, to distinguish folders from names with the same beginning. */
const KEYS = ["a-b/x", "a.b", "a/b", "a/b-c", "a/b0", "a/c/d", "a0", "b/a/a", "b/a/b", "b/a/c", "b_", "c"];

async function filled(store: BlobStore, keys: readonly string[] = KEYS): Promise<void> {
  // Written in another order than the expected one.
  for (const key of [...keys].reverse()) await store.put(key, stream("x"));
}

async function pages(store: BlobStore, prefix: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let page = await store.list(prefix, { limit }); page.length > 0; ) {
    assert.ok(page.length <= limit);
    seen.push(...page);
    page = await store.list(prefix, { limit, after: page.at(-1) ?? "" });
  }
  return seen;
}

export const listCases: BlobStoreCases = {
  async "an empty store lists nothing"(store) {
    assert.deepEqual(await store.list("", { limit: 10 }), []);
  },
  async "all keys come in byte order, page by page"(store) {
    await filled(store);
    for (const limit of [1, 2, 5, 100]) assert.deepEqual(await pages(store, "", limit), [...KEYS].sort());
  },
  async "a prefix need not be a folder"(store) {
    await filled(store);
    for (const prefix of ["a", "a/", "a/b", "b/a/", "b/a/b", "d", "a/b0/", " ", "a\\", "%61", "&x=y"])
      assert.deepEqual(await pages(store, prefix, 2), KEYS.filter((key) => key.startsWith(prefix)).sort());
  },
  async "a list continues after any key, also after a missing one"(store) {
    await filled(store);
    for (const after of ["a", "a/b", "a/bb", "b/a/c", "b/z", "zz"])
      assert.deepEqual(await store.list("", { limit: 100, after }), KEYS.filter((key) => key > after).sort());
  },
  async "more keys than a folder of people holds are listed at once and in pages"(store) {
    const keys = Array.from({ length: 153 }, (_, index) => `many/${String(index).padStart(5, "0")}`);
    for (let start = 0; start < keys.length; start += 50)
      await Promise.all(keys.slice(start, start + 50).map((key) => store.put(key, stream("x"))));
    assert.deepEqual(await store.list("many/", { limit: 1000 }), keys);
    assert.deepEqual(await pages(store, "many/", 70), keys);
  },
  async "a limit of none is an empty page"(store) {
    await filled(store, ["a"]);
    assert.deepEqual(await store.list("", { limit: 0 }), []);
  },
};

export const moveCases: BlobStoreCases = {
  async "a moved blob is only under its new key"(store) {
    if (!store.move) return;
    await store.put("tmp/x/1", stream("text"));
    assert.equal((await store.move("tmp/x/1", "files/ann/1.txt"))?.sizeBytes, 4);
    assert.equal(await textOf(await store.get("files/ann/1.txt")), "text");
    assert.deepEqual(await store.list("", { limit: 10 }), ["files/ann/1.txt"]);
  },
  async "a move replaces what was there"(store) {
    if (!store.move) return;
    await store.put("a", stream("new"));
    await store.put("b", stream("former"));
    await store.move("a", "b");
    assert.equal(await textOf(await store.get("b")), "new");
    assert.equal(await store.head("a"), undefined);
  },
  async "a move of a missing key answers undefined and changes nothing"(store) {
    if (!store.move) return;
    await store.put("b", stream("kept"));
    assert.equal(await store.move("a", "b"), undefined);
    assert.equal(await textOf(await store.get("b")), "kept");
  },
  async "a malformed key of a move is refused with TypeError"(store) {
    const { move } = store;
    if (!move) return;
    await store.put("a", stream("x"));
    for (const key of ["../b", "", "b/", "~"]) {
      await assert.rejects(async () => move("a", key), TypeError);
      await assert.rejects(async () => move(key, "b"), TypeError);
    }
    assert.deepEqual(await store.list("", { limit: 10 }), ["a"]);
  },
};

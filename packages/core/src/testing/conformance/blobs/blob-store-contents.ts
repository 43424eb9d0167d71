import assert from "node:assert/strict";
import { systemClock } from "../../../ports/clock.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import type { BlobStoreCases } from "../blob-store.ts";

export async function* stream(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}

export async function textOf(
  found: { readonly content: AsyncIterable<Uint8Array> } | undefined,
): Promise<string | undefined> {
  return found && Buffer.concat(await Array.fromAsync(found.content)).toString();
}

const textAt = async (store: BlobStore, key: string): Promise<string | undefined> => textOf(await store.get(key));

/** Size of content too large for any store to send in one piece. */
const LONG = 17 * 1024 * 1024 + 3;

/** The longest piece of a long content: a prime number, so that no store cuts at the same places. */
const PIECE = 65_521;
const PERIOD = 251;
const BYTES = Buffer.from(Array.from({ length: PIECE + PERIOD }, (_each, at) => at % PERIOD));

/** Bytes that depend on their position, each piece in memory of its own. */
async function* longContent(length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += PIECE) {
    const from = at % PERIOD;
    yield Buffer.from(BYTES.subarray(from, from + Math.min(length - at, PIECE)));
  }
}

const broken = (...before: readonly string[]): AsyncGenerator<Uint8Array> =>
  (async function* () {
    yield* stream(...before);
    throw new Error("The line was cut");
  })();

async function sameBytes(actual: AsyncIterable<Uint8Array>, expected: AsyncIterable<Uint8Array>): Promise<void> {
  const [left, right] = await Promise.all([Array.fromAsync(actual), Array.fromAsync(expected)]);
  assert.equal(Buffer.compare(Buffer.concat(left), Buffer.concat(right)), 0);
}

export const contentCases: BlobStoreCases = {
  async "a put content is read back, with its size and about the same time"(store) {
    const before = systemClock.now();
    const put = await store.put("files/jobs/j1/report.csv", stream("a,", "", "1\n"));
    const head = await store.head("files/jobs/j1/report.csv");
    const got = await store.get("files/jobs/j1/report.csv");
    assert.equal(await textOf(got), "a,1\n");
    assert.deepEqual([put.sizeBytes, head?.sizeBytes, got?.sizeBytes], [4, 4, 4]);
    // Some stores keep only whole seconds, and each has its own clock.
    assert.ok(Math.abs(put.modified - before) < 60);
    assert.ok(Math.abs(put.modified - (head?.modified ?? 0)) <= 2);
    assert.equal(got?.modified, head?.modified);
  },
  async "a blob may be empty"(store) {
    assert.equal((await store.put("a", stream())).sizeBytes, 0);
    assert.equal(await textAt(store, "a"), "");
    assert.equal(await textOf(await store.get("a", { start: 0, end: 5 })), "");
  },
  async "a long blob comes back byte for byte, whole and in ranges"(store) {
    assert.equal((await store.put("long", longContent(LONG))).sizeBytes, LONG);
    const whole = await store.get("long");
    assert.ok(whole);
    await sameBytes(whole.content, longContent(LONG));
    const end = await store.get("long", { start: LONG - 3, end: LONG - 1 });
    assert.equal(Buffer.concat(await Array.fromAsync(end?.content ?? [])).length, 3);
  },
  async "a second put replaces the first"(store) {
    await store.put("a", stream("long text"));
    await store.put("a", stream("x"));
    assert.equal(await textAt(store, "a"), "x");
    assert.equal((await store.head("a"))?.sizeBytes, 1);
  },
  async "a stream that fails leaves what was there, and nothing where nothing was"(store) {
    await store.put("a", stream("old"));
    for (const key of ["a", "b/c"])
      await assert.rejects(store.put(key, broken("half")), { message: "The line was cut" });
    assert.equal(await textAt(store, "a"), "old");
    assert.deepEqual(await store.list("", { limit: 10 }), ["a"]);
  },
  async "a long stream that fails leaves nothing"(store) {
    const failing = (async function* () {
      yield* longContent(LONG);
      throw new Error("The line was cut");
    })();
    await assert.rejects(store.put("a", failing), { message: "The line was cut" });
    assert.equal(await store.head("a"), undefined);
  },
  async "a range is inclusive at both ends and cut at the end of the blob"(store) {
    await store.put("a", stream("0123456789"));
    const range = async (start: number, end: number) => textOf(await store.get("a", { start, end }));
    assert.equal(await range(2, 4), "234");
    assert.equal(await range(9, 9), "9");
    assert.equal(await range(8, 99), "89");
    assert.equal(await range(20, 30), "");
    assert.equal((await store.get("a", { start: 2, end: 4 }))?.sizeBytes, 10);
    assert.equal((await store.get("a", { start: 20, end: 30 }))?.sizeBytes, 10);
  },
  async "a reader that stops early leaves the store usable"(store) {
    await store.put("long", longContent(LONG));
    for (let round = 0; round < 3; round++)
      for await (const piece of (await store.get("long"))?.content ?? []) {
        assert.ok(piece.length > 0);
        break;
      }
    const unread = (await store.get("long"))?.content[Symbol.asyncIterator]();
    await unread?.return?.();
    assert.equal((await store.head("long"))?.sizeBytes, LONG);
  },
  async "two puts to the same key leave one of the two contents"(store) {
    const texts = ["a".repeat(300_000), "b".repeat(200_000)];
    await Promise.all(texts.map((text) => store.put("k", stream(text))));
    assert.ok(texts.includes((await textAt(store, "k")) ?? ""));
  },
  async "a reader never sees parts of two contents"(store) {
    await store.put("k", longContent(LONG));
    const found = await store.get("k");
    const reading = Array.fromAsync(found?.content ?? []).then(
      (pieces) => Buffer.concat(pieces).length,
      () => LONG,
    );
    await store.put("k", stream("new"));
    assert.equal(await reading, LONG);
    assert.equal(await textAt(store, "k"), "new");
  },
};

const MALFORMED = ["", "/a", "a/", "a//b", ".", "..", "...", "a/../b", "./a", "a\\b", "a b", "ä", "a\0b", "~", "~/x"];

export const keyCases: BlobStoreCases = {
  async "a malformed key is refused with TypeError by every method"(store) {
    for (const key of [...MALFORMED, "x".repeat(1025)]) {
      await assert.rejects(async () => store.put(key, stream("x")), TypeError, key);
      await assert.rejects(async () => store.get(key), TypeError, key);
      await assert.rejects(async () => store.head(key), TypeError, key);
      await assert.rejects(async () => store.delete(key), TypeError, key);
    }
    assert.deepEqual(await store.list("", { limit: 10 }), []);
  },
  async "the longest keys are accepted, and no error shows them whole"(store) {
    const secret = "S".repeat(43);
    const key = `files/ann/${secret}/${"n".repeat(200)}.csv`;
    await store.put(key, stream("x"));
    assert.equal(await textAt(store, key), "x");
    await assert.rejects(
      async () => store.get(`${key}/../x`),
      (error: Error) => !error.message.includes(secret),
    );
  },
  async "an unknown key answers undefined, and delete false"(store) {
    assert.equal(await store.get("a"), undefined);
    assert.equal(await store.get("a/b", { start: 0, end: 1 }), undefined);
    assert.equal(await store.head("a/b"), undefined);
    assert.equal(await store.delete("a"), false);
  },
  async "a part of a key is no key"(store) {
    await store.put("files/jobs/j1/x/a.csv", stream("x"));
    for (const key of ["files", "files/jobs/j1", "files/jobs/j1/x", "files/jobs/j1/x/a.csv/b"]) {
      assert.equal(await store.head(key), undefined);
      assert.equal(await store.get(key), undefined);
      assert.equal(await store.delete(key), false);
    }
    assert.equal(await textAt(store, "files/jobs/j1/x/a.csv"), "x");
  },
  async "a deleted blob is gone, and its neighbours stay"(store) {
    for (const key of ["a/b", "a/c", "ab"]) await store.put(key, stream(key));
    assert.equal(await store.delete("a/b"), true);
    assert.equal(await store.delete("a/b"), false);
    assert.equal(await store.head("a/b"), undefined);
    assert.deepEqual(await store.list("", { limit: 10 }), ["a/c", "ab"]);
  },
  async "puts and deletions in one folder do not hinder each other"(store) {
    for (let round = 0; round < 10; round++) {
      await Promise.all([store.put(`f/g/a${round}`, stream("x")), store.delete(`f/g/a${round - 1}`)]);
      assert.equal(await textAt(store, `f/g/a${round}`), "x");
    }
  },
};

import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { activeJobCollection, jobLogChunkCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";
import { chunkId, chunksOf, createLogWriters, endOnDisk, MAX_LOG_BYTES } from "./log-writers.ts";

type Fault = "none" | "before" | "after" | "hangs";

/** A storage whose writes fail when the test wants it: before they do anything, or after the commit. */
async function setUp() {
  const storage = memoryStorage({ clock: fakeClock() });
  const log = recordingLogger();
  let fault: Fault = "none";
  const faulty: Storage = {
    ...storage,
    async write(work) {
      if (fault === "hangs") return new Promise(() => undefined);
      if (fault === "before") throw new Error("The disk is full");
      const result = await storage.write(work);
      if (fault === "after") throw new Error("The connection was lost");
      return result;
    },
  };
  await storage.open([activeJobCollection, jobLogChunkCollection]);
  const active = {
    id: "j1",
    launched: 1,
    job: { id: "j1", event: "e1", state: "active", started: 1 },
    details: { activity: [] },
  };
  await storage.write((tx) => tx.collection(activeJobCollection).insert(active as unknown as ActiveJob));
  const chunks = async () => {
    const all = await storage.read((tx) => tx.collection(jobLogChunkCollection).find(chunksOf("j1"), { sortBy: "id" }));
    return all.rows;
  };
  return {
    log,
    storage,
    writers: createLogWriters(faulty, log),
    fail: (next: Fault) => {
      fault = next;
    },
    chunks,
    text: async () => (await chunks()).map(({ text }) => text).join(""),
  };
}

describe("output of a running job", () => {
  test("is one chunk per write, in order, with the bytes up to its end", async () => {
    const { writers, chunks } = await setUp();
    expect(writers.append("j1", "one\n", 0)).toBe(4);
    expect(writers.append("j1", "zwölf\n", 4)).toBe(11);
    await writers.flush("j1");
    writers.append("j1", "three\n", 11);
    await writers.flush("j1");
    expect(await chunks()).toEqual([
      { id: "j1.00000000", job: "j1", text: "one\nzwölf\n", endBytes: 11 },
      { id: "j1.00000001", job: "j1", text: "three\n", endBytes: 17 },
    ]);
    expect(writers.waiting()).toEqual([]);
  });

  test("continues after the output of an earlier process", async () => {
    const { writers, storage, text } = await setUp();
    const before = { id: chunkId("j1", 7), job: "j1", text: "before\n", endBytes: 7 };
    await storage.write((tx) => tx.collection(jobLogChunkCollection).insert(before));
    expect(writers.append("j1", "after\n", 7)).toBe(13);
    await writers.flush("j1");
    expect(await text()).toBe("before\nafter\n");
    expect(await storage.read((tx) => endOnDisk(tx, "j1"))).toEqual({ number: 9, bytes: 13 });
  });

  test("of one message is split when it is large", async () => {
    const { writers, chunks, text } = await setUp();
    const large = "😀".repeat(300_000);
    writers.append("j1", large, 0);
    await writers.flush("j1");
    expect((await chunks()).length).toBe(3);
    expect(await text()).toBe(large);
  });

  test("is written at once when much of it waits", async () => {
    const { writers, text } = await setUp();
    writers.append("j1", "x".repeat(300_000), 0);
    for (let turn = 0; turn < 100 && writers.waiting().length > 0; turn++) await new Promise(setImmediate);
    expect((await text()).length).toBe(300_000);
  });

  test("is dropped above the bound with a notice, while its size still counts", async () => {
    const { writers } = await setUp();
    const room = MAX_LOG_BYTES - 3;
    expect(writers.append("j1", "ääää\n", room)).toBe(room + 9);
    expect(writers.append("j1", "more\n", room + 9)).toBe(room + 14);
    expect(writers.waitingAfter("j1", 0)).toBe("ä\n[The rest of the output was dropped: it is larger than 64 MB]\n");
  });

  test("has no place once the job has ended", async () => {
    const { writers, storage, text } = await setUp();
    await storage.write((tx) => tx.collection(activeJobCollection).delete("j1"));
    writers.append("j1", "late\n", 0);
    await writers.flush("j1");
    expect(await text()).toBe("");
    expect(writers.waiting()).toEqual([]);
  });

  test("of a forgotten job does not wait any more", async () => {
    const { writers, text } = await setUp();
    writers.append("j1", "x", 0);
    writers.forget("j1");
    await writers.flush("j1");
    expect([writers.waiting(), await text()]).toEqual([[], ""]);
  });
});

describe("a failing storage", () => {
  test("keeps output waiting until it works again", async () => {
    const { writers, fail, text, log } = await setUp();
    fail("before");
    writers.append("j1", "one\n", 0);
    await writers.flush("j1");
    expect(log.lines.map(({ message }) => message)).toEqual([
      "Output of a job could not be written; it is tried again",
    ]);
    expect(writers.waiting()).toEqual(["j1"]);
    fail("none");
    writers.append("j1", "two\n", 4);
    await writers.flush("j1");
    expect(await text()).toBe("one\ntwo\n");
  });

  test("does not make output appear twice when only its answer was lost", async () => {
    const { writers, fail, text } = await setUp();
    fail("after");
    writers.append("j1", "one\n", 0);
    await writers.flush("j1");
    fail("none");
    writers.append("j1", "two\n", 4);
    await writers.flush("j1");
    expect(await text()).toBe("one\ntwo\n");
  });

  test("costs bounded memory: the newest output stays, with a notice", async () => {
    const { writers, fail, text } = await setUp();
    fail("before");
    for (let count = 0; count < 30; count++) writers.append("j1", `${"x".repeat(199_999)}\n`, 0);
    writers.append("j1", "last\n", 0);
    await writers.flush("j1");
    fail("none");
    await writers.flush("j1");
    const kept = await text();
    expect(kept.startsWith("[Output was lost: it could not be stored]\n")).toBe(true);
    expect(kept.length).toBeLessThan(300_000);
  });

  test("costs bounded memory also when it never answers", async () => {
    const { writers, fail } = await setUp();
    fail("hangs");
    for (let count = 0; count < 100; count++) writers.append("j1", "x".repeat(200_000), 0);
    const waiting = writers.waitingAfter("j1", 0);
    expect(waiting.length).toBeLessThan(5_000_000);
    expect(waiting.endsWith("[Output was lost: it could not be stored]\n")).toBe(true);
  });
});

describe("output that waits to be written", () => {
  test.each([
    [0, "abcdef"],
    [2, "cdef"],
    [9, ""],
  ])("%i bytes of it that a reader already has are left out", async (bytes, expected) => {
    const { writers, fail } = await setUp();
    fail("before");
    writers.append("j1", "abcdef", 0);
    await writers.flush("j1");
    expect(writers.waitingAfter("j1", bytes)).toBe(expected);
  });

  test("is withheld from a reader who lacks the output before it", async () => {
    const { writers } = await setUp();
    writers.append("j1", "one\n", 0);
    await writers.flush("j1");
    writers.append("j1", "two\n", 4);
    expect(writers.waitingAfter("j1", 0)).toBe("");
    expect(writers.waitingAfter("j1", 4)).toBe("two\n");
  });

  test("is empty for an unknown job", async () => {
    const { writers } = await setUp();
    expect(writers.waitingAfter("j9", 0)).toBe("");
  });
});

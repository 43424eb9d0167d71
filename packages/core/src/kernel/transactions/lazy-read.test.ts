import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import { everything } from "../../search/ast.ts";
import { StorageError } from "../errors/errors.ts";
import { readLazily } from "./lazy-read.ts";

interface Note {
  id: string;
  n: number;
}
const notes = defineCollection<Note>({ name: "notes", noun: "Note" });
const key = { server: "s1", system: "hourly" };

/** A store with one note, and counts of snapshots taken and ended. */
async function setUp() {
  const storage = memoryStorage();
  await storage.open([notes]);
  await storage.write((tx) => tx.collection(notes).insert({ id: "a", n: 1 }));
  const count = { taken: 0, ended: 0 };
  const read: typeof storage.read = async (work) => {
    count.taken += 1;
    return storage.read(work).finally(() => {
      count.ended += 1;
    });
  };
  return { storage, count, read };
}

test("no snapshot is taken for work that reads nothing", async () => {
  const { count, read } = await setUp();
  expect(await readLazily({ read }, async () => "done")).toBe("done");
  expect(count).toEqual({ taken: 0, ended: 0 });
});

test("all reads of a work see one snapshot, which ends with it", async () => {
  const { storage, count, read } = await setUp();
  const seen = await readLazily({ read }, async (tx) => {
    const before = await tx.collection(notes).get("a");
    await storage.write((on) => on.collection(notes).insert({ id: "b", n: 2 }));
    return { before, after: await tx.collection(notes).list() };
  });
  expect(seen).toEqual({ before: { id: "a", n: 1 }, after: [{ id: "a", n: 1 }] });
  expect(count).toEqual({ taken: 1, ended: 1 });
});

test("a failure of the storage is reported with the message of the storage", async () => {
  const { read } = await setUp();
  const damaged = new StorageError("damaged");
  const translating: typeof read = async (work) =>
    read(work).catch((error: Error) => {
      throw error.message === "database disk image is malformed" ? damaged : error;
    });
  const failing = (error: Error) =>
    readLazily({ read: translating }, async (tx) => {
      await tx.collection(notes).get("a");
      throw error;
    });
  await expect(failing(new Error("database disk image is malformed"))).rejects.toBe(damaged);
  const own = new Error("own");
  await expect(failing(own)).rejects.toBe(own);
});

test("work that waits for nothing is answered at once", async () => {
  const { count, read } = await setUp();
  expect(readLazily({ read }, () => "done")).toBe("done");
  expect(() =>
    readLazily({ read }, () => {
      throw new Error("No.");
    }),
  ).toThrow("No.");
  expect(count).toEqual({ taken: 0, ended: 0 });
});

test("every way to read is available", async () => {
  const { read } = await setUp();
  const answers = await readLazily({ read }, async ({ collection, timeline }) => [
    await collection(notes).getMany(["a", "b"]),
    (await collection(notes).find(everything, { limit: 1 })).total,
    await timeline.latest(key, 1),
    await timeline.range(key, { from: 0, to: 1, limit: 1 }),
    await timeline.bounds(key),
  ]);
  expect(answers).toEqual([[{ id: "a", n: 1 }, undefined], 1, [], [], undefined]);
});

describe("failures of a lazy read", () => {
  test("an error of the work is reported, and the snapshot ends", async () => {
    const { count, read } = await setUp();
    const work = readLazily({ read }, async (tx) => {
      await tx.collection(notes).get("a");
      throw new Error("No.");
    });
    await expect(work).rejects.toThrow("No.");
    expect(count).toEqual({ taken: 1, ended: 1 });
  });

  test("an error of taking the snapshot reaches the reader", async () => {
    const read = () => Promise.reject(new Error("The storage is not open"));
    await expect(readLazily({ read }, (tx) => tx.collection(notes).list())).rejects.toThrow("The storage is not open");
  });

  test("a read after the end of the work is refused", async () => {
    const { read } = await setUp();
    const tx = await readLazily({ read }, async (given) => given);
    await expect(tx.collection(notes).get("a")).rejects.toThrow("The snapshot has ended");
  });

  test("a read that is not awaited blocks nothing", async () => {
    const { count, read } = await setUp();
    const late: Promise<unknown>[] = [];
    await readLazily({ read }, async (tx) => void late.push(tx.collection(notes).get("a")));
    await Promise.allSettled(late);
    expect(count).toEqual({ taken: 1, ended: 1 });
  });

  test("a read that is not awaited by work without a wait ends as well", async () => {
    const { count, read } = await setUp();
    const late: Promise<unknown>[] = [];
    expect(await readLazily({ read }, (tx) => late.push(tx.collection(notes).get("a")))).toBe(1);
    const failing = () =>
      readLazily({ read }, (tx) => {
        late.push(tx.collection(notes).get("a"));
        throw new Error("No.");
      });
    expect(failing).toThrow("No.");
    await Promise.allSettled(late);
    await expect.poll(() => count).toEqual({ taken: 2, ended: 2 });
  });
});

import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { WriteTx } from "../../ports/storage/storage.ts";
import { DomainError, StorageError } from "../errors/errors.ts";
import { AloneError, createSharedWrites } from "./shared-writes.ts";

interface Note {
  id: string;
  n: number;
}
const notes = defineCollection<Note>({ name: "notes", noun: "Note" });

/** A store with one note, and the number of transactions started on it. */
async function setUp() {
  const storage = memoryStorage();
  await storage.open([notes]);
  await storage.write((tx) => tx.collection(notes).insert({ id: "first", n: 1 }));
  const count = { writes: 0 };
  const inserts: (readonly string[])[] = [];
  const shared = createSharedWrites({
    write: (work) => {
      count.writes += 1;
      return storage.write((tx) => work(watched(tx, inserts)));
    },
  });
  const stored = async () => (await storage.read((tx) => tx.collection(notes).list())).map(({ id }) => id);
  /** The first ones occupy both slots, so that all others share. */
  const atOnce = (works: readonly ((tx: WriteTx) => Promise<unknown>)[], kind = "notes") =>
    Promise.allSettled([...[reading, reading], ...works].map((work) => shared.write(kind, work))).then((all) =>
      all.slice(2),
    );
  return { storage, shared, count, inserts, stored, atOnce };
}

/** Records the ids that are inserted at once. */
const watched = (tx: WriteTx, inserts: (readonly string[])[]): WriteTx => ({
  ...tx,
  collection(definition) {
    const inner = tx.collection(definition);
    return {
      ...inner,
      insertMany(records) {
        inserts.push(records.map(({ id }) => id));
        return inner.insertMany(records);
      },
    };
  },
});

const reading = (tx: WriteTx) => tx.collection(notes).get("first");
const inserting = (id: string) => async (tx: WriteTx) => {
  await tx.collection(notes).insert({ id, n: 1 });
  return id;
};
const refused = async (): Promise<never> => {
  throw new DomainError("note", "conflict", "No.");
};
const alone = { status: "rejected", reason: expect.any(AloneError) };

test("concurrent writes share a transaction, and each has its own answer", async () => {
  const { atOnce, count, stored } = await setUp();
  const ids = Array.from({ length: 100 }, (_unused, index) => `n${index}`);
  const answers = await atOnce(ids.map(inserting));
  expect(answers).toEqual(ids.map((value) => ({ status: "fulfilled", value })));
  expect((await stored()).length).toBe(101);
  expect(count.writes).toBe(2);
});

test("a single write has all means of a transaction", async () => {
  const { shared, stored } = await setUp();
  await shared.write("notes", async (tx) => {
    await tx.lock("key");
    await tx.collection(notes).delete("first");
  });
  expect(await stored()).toEqual([]);
});

test("a refusal before the first write does not affect the others", async () => {
  const { atOnce, stored } = await setUp();
  const answers = await atOnce([inserting("a"), refused, inserting("b")]);
  expect(answers).toMatchObject([{ value: "a" }, { reason: { message: "No." } }, { value: "b" }]);
  expect((await stored()).toSorted()).toEqual(["a", "b", "first"]);
});

describe("everything is rolled back, and each work runs alone,", () => {
  const failing: Readonly<Record<string, (tx: WriteTx) => Promise<unknown>>> = {
    "when one is refused after a write": async (tx) => {
      await inserting("x")(tx);
      return refused();
    },
    "when one is refused after it queued work": async (tx) => {
      await tx.enqueue("kind", {});
      return refused();
    },
    "when one publishes and is refused": async (tx) => {
      tx.publish({ type: "t", payload: {} });
      return refused();
    },
    "when an id is taken": inserting("first"),
    "when one fails unexpectedly": () => Promise.reject(new TypeError("Oops")),
  };
  test.each(Object.keys(failing))("%s", async (name) => {
    const { atOnce, stored, shared } = await setUp();
    const work = failing[name] ?? reading;
    expect(await atOnce([inserting("a"), work, inserting("b")])).toMatchObject([alone, alone, alone]);
    expect(await stored()).toEqual(["first"]);
    expect(shared.suits("notes")).toBe(true);
  });
});

test("a refusal remains one when another work rolls everything back", async () => {
  const { atOnce, stored } = await setUp();
  const failing = () => Promise.reject(new TypeError("Oops"));
  const answers = await atOnce([inserting("a"), refused, failing]);
  expect(answers).toMatchObject([alone, { reason: { message: "No." } }, alone]);
  expect(await stored()).toEqual(["first"]);
});

test("inserts of one turn reach the storage as one", async () => {
  const { atOnce, inserts } = await setUp();
  await atOnce([inserting("a"), inserting("b"), inserting("c")]);
  expect(inserts).toEqual([["a", "b", "c"]]);
});

test("numbers of a counter are given without gaps, and taken back with the work", async () => {
  const { atOnce, inserts, storage } = await setUp();
  const numbering = (id: string) => async (tx: WriteTx) => {
    const n = await tx.counter("numbers");
    await tx.collection(notes).insert({ id, n });
    return n;
  };
  const answers = await atOnce([numbering("a"), numbering("b"), numbering("c")]);
  expect(answers).toMatchObject([{ value: 1 }, { value: 2 }, { value: 3 }]);
  expect(inserts).toEqual([["a", "b", "c"]]);
  const late = async (tx: WriteTx) => {
    await tx.counter("numbers");
    return refused();
  };
  expect(await atOnce([numbering("d"), late])).toMatchObject([alone, alone]);
  expect(await storage.read((tx) => tx.counted("numbers"))).toBe(3);
});

describe("a work needs a transaction of its own:", () => {
  const needing: Readonly<Record<string, (tx: WriteTx) => Promise<unknown>>> = {
    "a lock": (tx) => tx.lock("key"),
    "a change": (tx) => tx.collection(notes).update("first", (note) => ({ ...note, n: 2 })),
    "a deletion": (tx) => tx.collection(notes).delete("first"),
    "several deletions": (tx) => tx.collection(notes).deleteMany(["first"]),
    "an overwriting": (tx) => tx.overwrite(notes, []),
    "a point of a timeline": (tx) => tx.timeline.drop("s1"),
  };
  test.each(Object.keys(needing))("%s", async (name) => {
    const { atOnce, stored } = await setUp();
    const work = needing[name] ?? reading;
    expect(await atOnce([inserting("a"), work])).toMatchObject([{ value: "a" }, alone]);
    expect(await stored()).toEqual(["first", "a"]);
  });

  test("then the next hundred of its kind do not try to share", async () => {
    const { atOnce, shared } = await setUp();
    expect(shared.suits("locking")).toBe(true);
    await atOnce([(tx) => tx.lock("key"), reading], "locking");
    const suited = Array.from({ length: 102 }, () => shared.suits("locking"));
    expect(suited.filter(Boolean).length).toBe(2);
    expect(suited.at(99)).toBe(false);
    expect(shared.suits("notes")).toBe(true);
  });
});

test("a need that comes after a write rolls everything back, and its kind does not try again", async () => {
  const { atOnce, shared, stored } = await setUp();
  const late = async (tx: WriteTx) => {
    await inserting("x")(tx);
    await tx.lock("key");
  };
  expect(await atOnce([inserting("a"), late], "late")).toMatchObject([alone, alone]);
  expect(await stored()).toEqual(["first"]);
  expect(shared.suits("late")).toBe(false);
});

test("every work runs in the context of the caller who asked for it", async () => {
  const { shared } = await setUp();
  const context = new AsyncLocalStorage<number>();
  const ask = (n: number) => context.run(n, () => shared.write("notes", async () => context.getStore()));
  expect(await Promise.all([1, 2, 3, 4].map(ask))).toEqual([1, 2, 3, 4]);
});

test("all get the error of a transaction that cannot be begun", async () => {
  const shared = createSharedWrites({ write: () => Promise.reject(new Error("The storage is not open")) });
  await expect(shared.write("notes", reading)).rejects.toThrow("The storage is not open");
  const answers = await Promise.allSettled([1, 2, 3].map(() => shared.write("notes", reading)));
  expect(answers).toMatchObject([alone, alone, alone]);
});

test("a lock that did not end is reported to all that share, and not waited for again", async () => {
  let writes = 0;
  const shared = createSharedWrites({
    async write() {
      writes += 1;
      throw new Error("busy", { cause: new StorageError("locked") });
    },
  });
  const ends = await Promise.allSettled(Array.from({ length: 6 }, () => shared.write("notes", async () => undefined)));
  const reasons = ends.map((end) => end.status === "rejected" && (end.reason as Error).cause);
  expect(reasons).toEqual(Array.from({ length: 6 }, () => expect.any(StorageError)));
  expect(writes).toBe(1);
});

test("a commit whose answer was lost is reported to all that share, because none may write twice", async () => {
  const storage = memoryStorage();
  await storage.open([notes]);
  const shared = createSharedWrites({
    async write(work) {
      await storage.write(work);
      throw new StorageError("gone");
    },
  });
  const works = ["a", "b", "c", "d"].map(inserting);
  const ends = await Promise.allSettled(works.map((work) => shared.write("notes", work)));
  expect(ends).toEqual(works.map(() => ({ status: "rejected", reason: expect.any(StorageError) })));
  expect((await storage.read((tx) => tx.collection(notes).list())).map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
});

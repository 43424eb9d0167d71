import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection, type StoredRecord } from "../../ports/storage/collection.ts";
import { everything } from "../../search/ast.ts";
import { createDefinitions, type DefinitionChanges } from "./definitions.ts";

interface Thing extends StoredRecord {
  readonly n: number;
  readonly deep?: { readonly list: number[] };
}
const things = defineCollection<Thing>({ name: "things", noun: "Thing", resident: true });
const others = defineCollection<Thing>({ name: "others", noun: "Other" });

async function setUp(...records: Thing[]) {
  const storage = memoryStorage();
  await storage.open([things, others]);
  await storage.write(async (tx) => {
    for (const record of records) await tx.collection(things).insert(record);
  });
  const definitions = createDefinitions({ storage });
  await definitions.load([things, others]);
  return { storage, definitions };
}
const changes = (...entries: [string, Thing | undefined][]): DefinitionChanges =>
  new Map([["things", new Map(entries)]]);

describe("the definitions in memory", () => {
  test("contain only resident collections, in the order of insertion", async () => {
    const { definitions } = await setUp({ id: "b", n: 1 }, { id: "a", n: 2 });
    expect(definitions.all(things).map(({ id }) => id)).toEqual(["b", "a"]);
    expect(definitions.get(things, "a")).toEqual({ id: "a", n: 2 });
    expect(definitions.get(things, "z")).toBeUndefined();
    expect(() => definitions.all(others)).toThrow("Collection others is not resident or not loaded");
  });

  test("are frozen at all levels", async () => {
    const { definitions } = await setUp({ id: "a", n: 1, deep: { list: [1] } });
    const list = definitions.get(things, "a")?.deep?.list ?? [];
    expect(list).toEqual([1]);
    expect(() => list.push(2)).toThrow(TypeError);
    definitions.apply(changes(["c", { id: "c", n: 3, deep: { list: [] } }]));
    expect(Object.isFrozen(definitions.get(things, "c")?.deep?.list)).toBe(true);
  });

  test("add, replace and remove records with apply, and increment the revision", async () => {
    const { definitions } = await setUp({ id: "a", n: 1 }, { id: "b", n: 1 });
    const before = definitions.revision(things);
    definitions.apply(changes(["a", { id: "a", n: 2 }], ["b", undefined], ["c", { id: "c", n: 3 }]));
    expect(definitions.all(things)).toEqual([
      { id: "a", n: 2 },
      { id: "c", n: 3 },
    ]);
    expect(definitions.revision(things)).toBeGreaterThan(before);
  });

  test("do not change a list that was returned before", async () => {
    const { definitions } = await setUp({ id: "a", n: 1 });
    const list = definitions.all(things);
    definitions.apply(changes(["b", { id: "b", n: 2 }]));
    expect(list).toEqual([{ id: "a", n: 1 }]);
    expect(definitions.all(things)).toHaveLength(2);
  });

  test("ignore a change of a record that is not resident", async () => {
    const { definitions } = await setUp();
    definitions.apply(new Map([["others", new Map([["a", { id: "a" }]])]]));
    await definitions.refresh("others", ["a"]);
    await definitions.refresh("nothing", ["a"]);
    expect(definitions.all(things)).toEqual([]);
  });
});

describe("refresh", () => {
  test("reads records that another process wrote or removed", async () => {
    const { storage, definitions } = await setUp({ id: "a", n: 1 }, { id: "b", n: 1 });
    await storage.write(async (tx) => {
      await tx.collection(things).update("a", () => ({ id: "a", n: 5 }));
      await tx.collection(things).delete("b");
      await tx.collection(things).insert({ id: "c", n: 6 });
    });
    await definitions.refresh("things", ["a", "b", "c"]);
    expect(definitions.all(things)).toEqual([
      { id: "a", n: 5 },
      { id: "c", n: 6 },
    ]);
  });

  test("never overwrites a newer record with a slow older read", async () => {
    const { storage } = await setUp({ id: "a", n: 1 });
    const gates: (() => void)[] = [];
    const slow = createDefinitions({
      storage: {
        ...storage,
        read: async (work) => {
          const result = await storage.read(work);
          if (gates.length > 0) await new Promise<void>((resolve) => gates.push(resolve));
          return result;
        },
      },
    });
    await slow.load([things]);
    gates.push(() => undefined);
    const first = slow.refresh("things", ["a"]);
    await new Promise((resolve) => setImmediate(resolve));
    await storage.write((tx) => tx.collection(things).update("a", () => ({ id: "a", n: 2 })));
    const second = slow.refresh("things", ["a"]);
    while (gates.length > 0) {
      gates.pop()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([first, second]);
    expect(slow.get(things, "a")).toEqual({ id: "a", n: 2 });
  });

  test("keeps a change that is applied while its record is read", async () => {
    const { storage } = await setUp({ id: "a", n: 1 }, { id: "b", n: 1 });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let waits = false;
    const slow = createDefinitions({
      storage: {
        ...storage,
        read: async (work) => {
          const result = await storage.read(work);
          if (waits) await gate;
          return result;
        },
      },
    });
    await slow.load([things]);
    waits = true;
    const refreshed = slow.refresh("things", ["a", "b"]);
    await new Promise((resolve) => setImmediate(resolve));
    await storage.write(async (tx) => {
      await tx.collection(things).update("a", () => ({ id: "a", n: 2 }));
      await tx.collection(things).delete("b");
    });
    slow.apply(changes(["a", { id: "a", n: 2 }], ["b", undefined]));
    open();
    await refreshed;
    expect(slow.all(things)).toEqual([{ id: "a", n: 2 }]);
  });

  test("refreshes that wait for a running one share one read", async () => {
    const ids = ["a", "b", "c", "d"];
    const { storage } = await setUp(...ids.map((id) => ({ id, n: 1 })));
    let reads = 0;
    const counted = createDefinitions({
      storage: {
        ...storage,
        read: (work) => {
          reads++;
          return storage.read(work);
        },
      },
    });
    await counted.load([things]);
    reads = 0;
    const first = counted.refresh("things", ["a"]);
    await Promise.resolve();
    await storage.write(async (tx) => {
      for (const id of ids) await tx.collection(things).update(id, () => ({ id, n: 2 }));
    });
    await Promise.all([first, ...ids.map((id) => counted.refresh("things", [id]))]);
    expect(counted.all(things).map(({ n }) => n)).toEqual([2, 2, 2, 2]);
    expect(reads).toBeLessThanOrEqual(2);
  });

  test("is logged when it fails, and does not stop the next one", async () => {
    const { storage } = await setUp({ id: "a", n: 1 });
    let fails = false;
    const definitions = createDefinitions({
      storage: {
        ...storage,
        read: (work) => (fails ? Promise.reject(new Error("gone")) : storage.read(work)),
      },
    });
    await definitions.load([things]);
    fails = true;
    await expect(definitions.refresh("things", ["a"])).rejects.toThrow("gone");
    fails = false;
    await storage.write((tx) => tx.collection(things).update("a", () => ({ id: "a", n: 2 })));
    await definitions.refresh("things", ["a"]);
    expect(definitions.get(things, "a")).toEqual({ id: "a", n: 2 });
  });
});

test("is repeated for unread records until it succeeds, and for no others", async () => {
  const { storage } = await setUp({ id: "a", n: 1 }, { id: "b", n: 1 });
  let fails = false;
  let reads = 0;
  const read: typeof storage.read = (work) => {
    reads += 1;
    return fails ? Promise.reject(new Error("gone")) : storage.read(work);
  };
  const definitions = createDefinitions({ storage: { ...storage, read } });
  await definitions.load([things]);
  await storage.write((tx) => tx.collection(things).update("a", () => ({ id: "a", n: 2 })));
  fails = true;
  await expect(definitions.refresh("things", ["a"])).rejects.toThrow("gone");
  await expect(definitions.catchUp()).rejects.toThrow("gone");
  fails = false;
  expect(await definitions.catchUp()).toEqual({ things: ["a"] });
  expect(definitions.get(things, "a")).toEqual({ id: "a", n: 2 });
  await storage.write((tx) => tx.collection(things).update("b", () => ({ id: "b", n: 2 })));
  fails = true;
  await expect(definitions.load([things])).rejects.toThrow("gone");
  fails = false;
  expect(await definitions.catchUp()).toEqual({ things: ["b"] });
  expect(definitions.get(things, "b")).toEqual({ id: "b", n: 2 });
  reads = 0;
  await definitions.catchUp();
  expect(reads).toBe(0);
});

test("a view answers resident reads from memory and everything else from the snapshot", async () => {
  const { storage, definitions } = await setUp({ id: "a", n: 1 });
  await storage.write((tx) => tx.collection(others).insert({ id: "o", n: 7 }));
  await storage.read(async (tx) => {
    const view = definitions.view(tx);
    expect(await view.collection(things).get("a")).toBe(definitions.get(things, "a"));
    expect(await view.collection(things).getMany(["z", "a"])).toEqual([undefined, { id: "a", n: 1 }]);
    expect(await view.collection(things).list()).toEqual([{ id: "a", n: 1 }]);
    expect((await view.collection(things).find(everything)).total).toBe(1);
    expect(await view.collection(others).get("o")).toEqual({ id: "o", n: 7 });
  });
});

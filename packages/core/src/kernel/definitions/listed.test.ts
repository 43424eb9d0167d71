import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection, type StoredRecord } from "../../ports/storage/collection.ts";
import type { WriteTx } from "../../ports/storage/storage.ts";
import { createDefinitions } from "./definitions.ts";
import { deleteListed, findListed, insertListed, updateListed } from "./listed.ts";

const collection = defineCollection<StoredRecord & { n: number }>({ name: "things", noun: "Thing" });
const listed = { collection, code: "thing", thing: "small thing" };

async function write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R> {
  const storage = memoryStorage();
  await storage.open([collection]);
  await storage.write((tx) => tx.collection(collection).insert({ id: "a", n: 1 }));
  return storage.write(work);
}
const refused = (description: string) => ({ code: "thing", description });

describe("listed records", () => {
  test.each(["Acme", "a b", 5])("records with the tenant %j are refused, and nothing is stored", async (tenant) => {
    await write(async (tx) => {
      const record = { id: "b", n: 1, tenant };
      await expect(insertListed(tx, listed, record)).rejects.toThrow("Malformed parameter: tenant");
      const change = (stored: { id: string; n: number }) => ({ ...stored, tenant });
      await expect(updateListed(tx, listed, { id: "a" }, change)).rejects.toThrow("Malformed parameter: tenant");
      expect(await tx.collection(collection).list()).toEqual([{ id: "a", n: 1 }]);
    });
  });

  test("are found, or refused by their name", async () => {
    const storage = memoryStorage();
    const resident = { ...collection, resident: true };
    await storage.open([resident]);
    await storage.write((tx) => tx.collection(resident).insert({ id: "a", n: 1 }));
    const definitions = createDefinitions({ storage });
    await definitions.load([resident]);
    const known = { collection: resident, thing: "small thing" };
    expect(findListed(definitions, known, "a")).toEqual({ id: "a", n: 1 });
    expect(() => findListed(definitions, known, "b")).toThrow("Failed to locate small thing: b");
  });

  test("with a taken id are refused with the contract's message or the domain's own", async () => {
    const record = { id: "a", n: 2 };
    expect(await refusalOf(write((tx) => insertListed(tx, listed, record)))).toEqual(
      refused("That Thing ID already exists: a"),
    );
    expect(await refusalOf(write((tx) => insertListed(tx, listed, record, (id) => `Taken: ${id}`)))).toEqual(
      refused("Taken: a"),
    );
  });

  test("unknown records cannot be updated or deleted", async () => {
    expect(await refusalOf(write((tx) => updateListed(tx, listed, { id: "z" }, (stored) => stored)))).toEqual(
      refused("Failed to update small thing: Error: Item not found"),
    );
    expect(await refusalOf(write((tx) => deleteListed(tx, listed, "z")))).toEqual(
      refused("Failed to delete small thing: Error: Item not found"),
    );
  });

  test("are returned by updating and deleting", async () => {
    await write(async (tx) => {
      expect(await updateListed(tx, listed, { id: "a" }, (stored) => ({ ...stored, n: 9 }))).toEqual({ id: "a", n: 9 });
      expect(await deleteListed(tx, listed, "a")).toEqual({ id: "a", n: 9 });
      expect(await tx.collection(collection).get("a")).toBeUndefined();
    });
  });

  test("pass on other kinds of errors", async () => {
    const failing = write((tx) =>
      updateListed(tx, listed, { id: "a" }, () => {
        throw new RangeError("other");
      }),
    );
    await expect(failing).rejects.toThrow(RangeError);
  });
});

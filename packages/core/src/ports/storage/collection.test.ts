import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { systemClock } from "../clock.ts";
import { defineCollection, readable } from "./collection.ts";

const notes = defineCollection<{ id: string; text: string }>({ name: "notes", noun: "Note" });
const noteRecords = readable(notes);

test("a readable collection can be read, and does not compile where it is written", async () => {
  const storage = memoryStorage({ clock: systemClock });
  await storage.open([notes]);
  await storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: "n1", text: "kept" });
    expect(await tx.collection(noteRecords).get("n1")).toEqual({ id: "n1", text: "kept" });
    // @ts-expect-error Other domains have nothing to write with.
    await tx.collection(noteRecords).delete("n2");
    // @ts-expect-error Likewise.
    await tx.collection(noteRecords).update("n1", (note) => note);
  });
  await storage.close();
});

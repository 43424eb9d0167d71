import { expect, test } from "vitest";
import { fakeClock } from "../testing/fake-clock.ts";
import { memoryBlobStoreOn } from "./memory-blob-store.ts";
import { copyOf, newContents } from "./memory-contents.ts";
import { memoryStorageOn } from "./memory-storage.ts";

const clock = fakeClock();
const THINGS = { name: "things", noun: "Thing" };
const enqueue = (storage: ReturnType<typeof memoryStorageOn>, payload: string) =>
  storage.write((tx) => tx.enqueue("mail", payload));

test("a copy holds what was there, and changes independently", async () => {
  const contents = newContents();
  const storage = memoryStorageOn(contents.tables, { clock });
  await storage.open([THINGS]);
  const blobs = memoryBlobStoreOn(contents.blobs, { clock });
  await storage.write((tx) => tx.collection(THINGS).insert({ id: "first" }));
  await blobs.put("first", (async function* () {})());

  const copied = copyOf(contents);
  const other = memoryStorageOn(copied.tables, { clock });
  await other.open([THINGS]);
  const otherBlobs = memoryBlobStoreOn(copied.blobs, { clock });
  await storage.write((tx) => tx.collection(THINGS).insert({ id: "second" }));
  await other.write((tx) => tx.collection(THINGS).delete("first"));
  await blobs.delete("first");

  const ids = async ({ read }: typeof storage) =>
    (await read((tx) => tx.collection(THINGS).list())).map(({ id }) => id);
  expect([await ids(storage), await ids(other)]).toEqual([["first", "second"], []]);
  expect([await blobs.head("first"), await otherBlobs.head("first")]).toEqual([
    undefined,
    { sizeBytes: 0, modified: clock.now() },
  ]);
});

test("work that is queued in a copy comes after what was queued before", async () => {
  const contents = newContents();
  const storage = memoryStorageOn(contents.tables, { clock });
  for (const payload of ["one", "two"]) await enqueue(storage, payload);
  const other = memoryStorageOn(copyOf(contents).tables, { clock });
  await enqueue(other, "three");
  const items = await other.work.claim({ node: "n1", kinds: ["mail"], limit: 10, now: clock.now(), leaseSec: 60 });
  expect(items.map(({ payload }) => payload)).toEqual(["one", "two", "three"]);
});

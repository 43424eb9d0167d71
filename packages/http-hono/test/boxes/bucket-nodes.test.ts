import { memoryBlobStore } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { pgStorage } from "@signalbox/storage-pg";
import { expect, onTestFinished, test } from "vitest";
import { lendDatabase } from "../../../storage-pg/test/lent-database.ts";
import { openBuckets, refusal, text } from "./bucket-box.ts";

/** Two engines on one database and one file store. */
async function twoNodes(through: (storage: Storage) => Storage = (storage) => storage) {
  const connectionString = await lendDatabase();
  const blobs = memoryBlobStore();
  const node = async () => {
    const storage = through(pgStorage({ connectionString }));
    onTestFinished(() => storage.close());
    return { ...(await openBuckets("postgres", {}, { storage, blobs })), storage };
  };
  const [one, two] = [await node(), await node()];
  await one.post("create_bucket", { id: "b1", title: "B", data: { first: true } });
  await expect.poll(async () => (await two.get("get_bucket/v1?id=b1")).status).toBe(200);
  return { one, two, blobs };
}

test("concurrent writes to one bucket on two nodes are all kept", async () => {
  const { one, two } = await twoNodes();
  const writes = Array.from({ length: 40 }, (_none, n) =>
    (n % 2 ? one : two).post("write_bucket_data", { id: "b1", data: { [`n${n}`]: n } }),
  );
  const uploads = Array.from({ length: 12 }, (_none, n) => (n % 2 ? one : two).upload("b1", text(`f${n}.txt`, `${n}`)));
  const same = Array.from({ length: 6 }, (_none, n) => (n % 2 ? one : two).upload("b1", text("same.txt", `same ${n}`)));
  const answers = await Promise.all([...writes, ...uploads, ...same]);
  expect(answers.filter(({ body }) => body.code !== 0).map(({ text }) => text)).toEqual([]);
  for (const node of [one, two]) {
    const { data, files } = await node.read("b1");
    expect(Object.keys(data)).toHaveLength(41);
    expect(files).toHaveLength(13);
    for (const { path, size } of files) {
      const served = await node.file(path);
      expect([served.status, served.text.length]).toEqual([200, size]);
    }
  }
  const removed = Array.from({ length: 12 }, (_none, n) =>
    (n % 2 ? one : two).post("delete_bucket_file", { id: "b1", filename: `f${n}.txt` }),
  );
  expect((await Promise.all(removed)).every(({ body }) => body.code === 0)).toBe(true);
  expect((await one.read("b1")).files).toMatchObject([{ filename: "same.txt" }]);
  await two.clock.advance(700);
  await two.until(async () => (await two.stored()).length === 1);
  expect((await one.file((await one.read("b1")).files[0].path)).text).toMatch(/^same \d$/);
});

test("a definition that one node writes is in the list of the other", async () => {
  const { one, two } = await twoNodes();
  await one.post("update_bucket", { id: "b1", title: "Renamed", enabled: false });
  await expect.poll(async () => (await two.get("get_buckets/v1")).body.rows[0].title).toBe("Renamed");
  expect((await two.post("write_bucket_data", { id: "b1", data: {} })).body).toEqual(refusal("Bucket is disabled: b1"));
});

/** The same storage, with a hundredth of the timeout. */
const hasty = (inner: Storage): Storage => ({
  ...inner,
  write: (work) =>
    inner.write((tx) =>
      work({
        ...tx,
        lock: (key, waitMs) => tx.lock(key, waitMs === undefined ? undefined : waitMs / 100),
      }),
    ),
});

test("a slow writer makes the other nodes answer that the bucket is busy", async () => {
  const { one, two } = await twoNodes(hasty);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = one.storage.write(async (tx) => {
    await tx.lock("bucket:b1");
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const busy = { status: 503, body: refusal("Bucket is busy: b1") };
  expect(await two.post("write_bucket_data", { id: "b1", data: { a: 1 } })).toMatchObject(busy);
  expect(await two.post("update_bucket", { id: "b1", title: "C" })).toMatchObject(busy);
  expect(await two.post("empty_bucket", { id: "b1", data: true })).toMatchObject(busy);
  expect(await two.post("delete_bucket", { id: "b1" })).toMatchObject(busy);
  expect(await two.upload("b1", text("a.txt"))).toMatchObject(busy);
  await two.until(async () => (await two.stored()).length === 0);
  // Readers and other buckets do not wait.
  expect((await two.read("b1")).data).toEqual({ first: true });
  expect((await two.post("create_bucket", { id: "b2", title: "B" })).body.code).toBe(0);
  release.resolve();
  await holder;
  expect((await two.post("write_bucket_data", { id: "b1", data: { a: 1 }, fetch: 1 })).body.data).toEqual({
    first: true,
    a: 1,
  });
});

import { expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import type { WorkItem } from "../../../ports/storage/work.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { startJobs } from "../../../testing/test-jobs.ts";
import { createFileStore } from "../service.ts";
import { expireFile } from "../services/plain-files.ts";

async function setUp(store?: BlobStore, file_expiration = "2 minutes") {
  const config = { base_app_url: "https://ops.example.com/", file_expiration };
  const at = await startJobs({ config, ...(store ? { blobs: store } : {}) });
  const { blobs } = at;
  let number = 0;
  const actor = { kind: "user", id: "ann", title: "Ann", privileges: {}, categories: [], groups: [] } as const;
  const upload = async (filename: string, text = "text") => {
    const key = `tmp/${++number}`;
    const content = (async function* () {
      yield Buffer.from(text);
    })();
    return { field: `f${number}`, filename, sizeBytes: (await blobs.put(key, content)).sizeBytes, key };
  };
  return {
    ...at,
    upload,
    async send(...names: string[]) {
      const uploads = [];
      for (const name of names) uploads.push(await upload(name));
      return at.signalbox.execute({ operation: "upload_files", input: {}, actor, uploads }) as Promise<{
        urls: string[];
      }>;
    },
    stored: () => blobs.list("files/", { limit: 20 }),
  };
}

test("files are kept under their own names, and the answer holds their addresses", async () => {
  const at = await setUp();
  expect(await at.send("My Report.PDF", "notes")).toEqual({
    urls: ["https://ops.example.com/files/ann/My_Report.PDF", "https://ops.example.com/files/ann/notes.bin"],
  });
  expect(await at.stored()).toEqual(["files/ann/My_Report.PDF", "files/ann/notes.bin"]);
});

test("uploading the same name again replaces the file and restarts its expiration", async () => {
  const at = await setUp(undefined, "20 seconds");
  await at.send("a.txt");
  await at.clock.advance(15);
  await at.send("a.txt");
  await at.clock.advance(10);
  expect(await at.stored()).toEqual(["files/ann/a.txt"]);
  await at.clock.advance(12);
  expect(await at.stored()).toEqual([]);
});

test("a file without an expiration stays", async () => {
  const at = await setUp(undefined, "0");
  await at.send("a.txt");
  await at.clock.advance(30);
  expect(await at.stored()).toEqual(["files/ann/a.txt"]);
});

test("a late expiration does not delete a newer file under the same name", async () => {
  const clock = fakeClock(1_800_000_000);
  const blobs = memoryBlobStore({ clock });
  const content = async function* () {
    yield Buffer.from("x");
  };
  const run = (noted: number) => {
    const item = { payload: { key: "files/ann/a.txt", noted } } as WorkItem;
    return expireFile(
      item,
      { files: createFileStore({ blobs, storage: memoryStorage({ clock }) }) } as Cradle,
      new AbortController().signal,
    );
  };
  await blobs.put("files/ann/a.txt", content());
  await run(clock.now() - 5 * 365 * 86_400);
  expect(await blobs.head("files/ann/a.txt")).toBeDefined();
  await run(clock.now() - 30);
  expect(await blobs.head("files/ann/a.txt")).toBeUndefined();
});

test("a store that fails halfway keeps none of the files", async () => {
  const memory = memoryBlobStore();
  const { move: _without, ...plain } = memory;
  const at = await setUp({
    ...plain,
    put: (key, content) => (key.endsWith("/b.txt") ? Promise.reject(new Error("no space")) : plain.put(key, content)),
  });
  expect(await refusalOf(at.send("a.txt", "b.txt"))).toEqual({
    code: "file",
    description: "Failed to process uploaded file: it could not be stored",
  });
  expect(await at.stored()).toEqual([]);
});

test("a store that fails halfway removes no earlier file", async () => {
  const memory = memoryBlobStore();
  let isFull = false;
  const move: BlobStore["move"] = (from, to) =>
    isFull && to.endsWith("/b.txt")
      ? Promise.reject(new Error("no space"))
      : (memory.move?.(from, to) ?? Promise.resolve(undefined));
  const at = await setUp({ ...memory, move });
  await at.send("a.txt");
  isFull = true;
  expect((await refusalOf(at.send("a.txt", "new.txt", "b.txt"))).code).toBe("file");
  expect(await at.stored()).toEqual(["files/ann/a.txt"]);
});

test("an upload without a file does nothing", async () => {
  const at = await setUp();
  expect(await refusalOf(at.send())).toEqual({ code: "file", description: "No file upload data found in request." });
});

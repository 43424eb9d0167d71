import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { memoryBlobStore, memoryStorage } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHandler } from "../../src/index.ts";
import { KEY, openBuckets, refusal, text } from "./bucket-box.ts";

async function withFile(...files: File[]) {
  const at = await openBuckets("memory");
  await at.post("create_bucket", { id: "b1", title: "B" });
  return { ...at, files: (await at.upload("b1", ...files)).body.files };
}

describe("downloads of bucket files over a real connection", () => {
  async function serve() {
    const at = await withFile(text("data.txt", "0123456789"), text("page.html", "<b>", "text/html"), text("a.svg"));
    const server = createServer(getRequestListener(createHandler(at.engine), { overrideGlobalObjects: true }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}/${path}`, init);
    return { ...at, ask, path: at.files[0].path as string };
  }

  test("have their headers, and need no credential", async () => {
    const { ask, path } = await serve();
    const answer = await ask(path);
    expect([answer.status, await answer.text()]).toEqual([200, "0123456789"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": expect.stringContaining("text/plain"),
      "content-length": "10",
      etag: expect.stringMatching(/^"10-\d+"$/),
      "last-modified": expect.stringMatching(/ GMT$/),
      "cache-control": "public, max-age=0",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  test.each<[string, RequestInit, number, string, Record<string, string>]>([
    ["a part", { headers: { range: "bytes=2-4" } }, 206, "234", { "content-range": "bytes 2-4/10" }],
    ["the end", { headers: { range: "bytes=-3" } }, 206, "789", { "content-range": "bytes 7-9/10" }],
    ["beyond the end", { headers: { range: "bytes=50-" } }, 416, "", { "content-range": "bytes */10" }],
    ["two parts", { headers: { range: "bytes=0-1,3-4" } }, 416, "", {}],
    ["another content", { headers: { "if-none-match": '"9-1"' } }, 200, "0123456789", {}],
    ["its head", { method: "HEAD" }, 200, "", { "content-length": "10" }],
  ])("of %s", async (_what, init, status, body, headers) => {
    const { ask, path } = await serve();
    const answer = await ask(path, init);
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  });

  test("of unchanged content are answered by 304, until it is replaced", async () => {
    const { ask, clock, path, upload } = await serve();
    const etag = (await ask(path)).headers.get("etag") ?? "";
    expect((await ask(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    await clock.advance(10);
    await upload("b1", text("data.txt", "another"));
    const newer = await ask(path, { headers: { "if-none-match": etag } });
    expect([newer.status, await newer.text()]).toEqual([200, "another"]);
  });

  test("of files that could run in a browser are for saving, and names in the address do no harm", async () => {
    const { ask, files, path } = await serve();
    for (const { path: active } of files.slice(1))
      expect((await ask(active)).headers.get("content-disposition")).toMatch(/^attachment/);
    const named = await ask(`${path}?download=${encodeURIComponent('a"\r\nx: y.txt')}`);
    expect(named.headers.get("content-disposition")).toBe('attachment; filename="ax: y.txt"');
    expect(named.headers.get("x")).toBeNull();
  });

  test("of paths that name no file are 404", async () => {
    const { ask, path, blobs } = await serve();
    // Stored in the folder, but not listed in any record.
    const loose = path.replace("data.txt", "loose.txt");
    await blobs.put(loose, one("loose"));
    const token = path.split("/")[3] as string;
    const paths = [loose, `files/bucket/b1/${token}`, `files/bucket/b2/${token}/data.txt`, "files/bucket/b1/"];
    const tricks = [`files/bucket/b1/${token}/%2e%2e/data.txt`, `files/bucket/b1/x/..%2f${token}/data.txt`];
    for (const each of [...paths, ...tricks]) expect([each, (await ask(each)).status]).toEqual([each, 404]);
  });
});

async function* one(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

test.each([
  ["../../../etc/passwd", "passwd", "passwd.bin"],
  ["<script>alert(1)</script>.svg", "script_.svg", "script_.svg"],
  ["a\u202Efdp.exe", "a_fdp.exe", "a_fdp.exe"],
  ["Zürich 東京 (1).txt", "Z_rich _ (1).txt", "z_rich_1_.txt"],
  ["...hidden", "...hidden", "...hidden"],
  ["a;b=c.txt", "a_b_c.txt", "a_b_c.txt"],
])("a file called %j is stored as %j in a path of its bucket", async (given, filename, kept) => {
  const at = await withFile(text(given));
  const [file] = at.files;
  expect(file.filename).toBe(filename);
  expect(file.path).toMatch(/^files\/bucket\/b1\/[\w-]{43}\/[\w.-]+$/);
  expect(file.path.split("/").at(-1)).toBe(kept);
  expect((await at.file(file.path)).status).toBe(200);
});

test("an empty file is refused with all others, and nothing stays", async () => {
  const at = await openBuckets("memory");
  await at.post("create_bucket", { id: "b1", title: "B" });
  const answer = await at.upload("b1", text("a.txt"), new File([], "empty.txt"));
  const refused = "File 'f1' is missing required size property, or is zero bytes.";
  expect(answer.body).toEqual(refusal(refused, "api"));
  expect([await at.stored(), (await at.read("b1")).files]).toEqual([[], []]);
});

test("files are bounded in size, number and type", async () => {
  const settings = { max_files_per_bucket: 2, max_file_size: 10, accepted_file_types: ".txt, image/*" };
  const at = await openBuckets("memory", { client: { bucket_upload_settings: settings } });
  await at.post("create_bucket", { id: "b1", title: "B" });
  expect((await at.upload("b1", text("a.txt"), text("b.txt", "x".repeat(11)))).body).toEqual(
    refusal("One or more of the files exceed the maximum allowed bucket file size."),
  );
  expect((await at.upload("b1", text("a.txt"), text("b.exe"))).body).toEqual(
    refusal("One or more of the files are not of an accepted type."),
  );
  expect(await at.stored()).toEqual([]);
  await at.upload("b1", text("a.txt"));
  const both = await Promise.all([at.upload("b1", text("b.png")), at.upload("b1", text("c.png"))]);
  expect(both.map(({ body }) => body.code).toSorted()).toEqual([0, "bucket"]);
  // A replaced file does not count twice.
  expect((await at.upload("b1", text("a.txt", "again"))).body.files).toHaveLength(2);
  const files = (await at.read("b1")).files.map(({ filename }: { filename: string }) => filename);
  expect(files.toSorted()).toEqual(["a.txt", expect.stringMatching(/^[bc]\.png$/)]);
  await at.clock.advance(1000);
  await at.until(async () => (await at.stored()).length === 2);
});

test("data have a bound, which applies to the whole result of a merge", async () => {
  const at = await openBuckets("memory", { api: { max_record_size: 2000 } });
  await at.post("create_bucket", { id: "b1", title: "B" });
  const write = (member: string) => at.post("write_bucket_data", { id: "b1", data: { [member]: "x".repeat(900) } });
  expect([(await write("a")).body.code, (await write("b")).body.code]).toEqual([0, 0]);
  const tooLarge = refusal("Record is too large.", "api");
  expect((await write("c")).body).toEqual(tooLarge);
  expect((await at.post("update_bucket", { id: "b1", data: { a: "x".repeat(2000) } })).body).toEqual(tooLarge);
  expect((await at.post("create_bucket", { id: "b2", title: "B", data: ["x".repeat(2000)] })).body).toEqual(tooLarge);
  expect(Object.keys((await at.read("b1")).data)).toEqual(["a", "b"]);
  expect((await at.get("get_buckets/v1")).body.list.length).toBe(1);
});

test("an upload whose bucket is deleted meanwhile leaves nothing", async () => {
  const at = await openBuckets("memory");
  await at.post("create_bucket", { id: "b1", title: "B" });
  const { move } = at.blobs;
  Object.assign(at.blobs, {
    move: async (from: string, to: string) => {
      await at.post("delete_bucket", { id: "b1" });
      return move?.call(at.blobs, from, to);
    },
  });
  expect((await at.upload("b1", text("a.txt"))).body).toEqual(refusal("Bucket not found: b1"));
  await at.until(async () => (await at.stored()).length === 0);
});

test("the search for abandoned contents spares the ones in use", async () => {
  const at = await withFile(text("a.txt"));
  await at.clock.advance(3700);
  expect(await at.stored()).toEqual([at.files[0].path]);
  expect((await at.file(at.files[0].path)).text).toBe("hello");
});

/** Counts how many records of each collection are read, and their bytes as JSON. */
function counting(inner: Storage): { readonly storage: Storage; readonly read: Map<string, number> } {
  const read = new Map<string, number>();
  const note = <T>(name: string, found: T): T => {
    read.set(name, (read.get(name) ?? 0) + (JSON.stringify(found)?.length ?? 0));
    return found;
  };
  const storage: Storage = {
    ...inner,
    read: (work) =>
      inner.read((tx) =>
        work({
          timeline: tx.timeline,
          counted: (name) => tx.counted(name),
          collection: (definition) => {
            const records = tx.collection(definition);
            return {
              get: async (id) => note(definition.name, await records.get(id)),
              getMany: async (ids) => note(definition.name, await records.getMany(ids)),
              list: async () => note(definition.name, await records.list()),
              find: async (where, page) => note(definition.name, await records.find(where, page)),
            };
          },
        }),
      ),
  };
  return { storage, read };
}

test("the list of ten buckets with a megabyte each reads and sends none of it", async () => {
  const { storage, read } = counting(memoryStorage());
  const at = await openBuckets("memory", {}, { storage, blobs: memoryBlobStore() });
  const megabyte = { text: "x".repeat(1_000_000) };
  for (let n = 0; n < 10; n++) {
    expect((await at.post("create_bucket", { id: `b${n}`, title: `B ${n}`, data: megabyte })).body.code).toBe(0);
    await at.upload(`b${n}`, text("a.txt"));
  }
  read.clear();
  const answer = await at.send("/api/app/get_buckets/v1", { headers: { "x-api-key": KEY } });
  expect(answer.body.rows).toHaveLength(10);
  expect(answer.text.length).toBeLessThan(3000);
  expect([...read.keys()].filter((name) => name.startsWith("bucket"))).toEqual([]);
  await at.read("b1");
  expect(read.get("bucket_data")).toBeGreaterThan(1_000_000);
  console.log(`get_buckets over 10 MB of data: 0 bytes read of them, an answer of ${answer.text.length} bytes`);
});

test("an imported bucket without content answers an empty one, and accepts data and files", async () => {
  const storage = memoryStorage();
  const at = await openBuckets("memory", {}, { storage });
  await at.post("create_bucket", { id: "b1", title: "B" });
  await storage.write(async (tx) => {
    for (const name of ["bucket_data", "bucket_files"]) await tx.collection({ name, noun: name }).delete("b1");
  });
  expect(await at.read("b1")).toMatchObject({ data: {}, files: [] });
  expect((await at.post("write_bucket_data", { id: "b1", data: { a: 1 } })).body.code).toBe(0);
  await at.upload("b1", text("a.txt"));
  expect(await at.read("b1")).toMatchObject({ data: { a: 1 }, files: [{ filename: "a.txt" }] });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobStoreConformance } from "../../../../core/src/testing/conformance/blob-store.ts";
import { rounds } from "../../../../core/test/rounds.ts";
import { fault } from "../../../test/s3-bucket.ts";
import { BUCKET, type S3Server, startS3Server } from "../../../test/s3-server.ts";
import { CREDENTIALS, REGION } from "../../../test/s3-signature.ts";
import { s3BlobStore } from "./s3-blob-store.ts";
import { parseS3Url, readS3Options, type S3BlobStoreOptions } from "./s3-options.ts";

const MIB = 1024 * 1024;
let server: S3Server;
beforeEach(async () => {
  server = await startS3Server();
});
afterEach(() => server.close());

const storeAt = (options: Partial<S3BlobStoreOptions> = {}) =>
  s3BlobStore({ bucket: BUCKET, region: REGION, endpoint: server.endpoint, credentials: CREDENTIALS, ...options });

async function* stream(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* zeroes(length: number, piece = 100_003): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; left -= piece) yield new Uint8Array(Math.min(left, piece));
}

const textOf = async (content: AsyncIterable<Uint8Array> = stream()): Promise<string> =>
  Buffer.concat(await Array.fromAsync(content)).toString();
const requestsOf = (pattern: RegExp): string[] => server.seen.filter((line) => pattern.test(line));

describe("blobs in a bucket", () => {
  blobStoreConformance({ describe, test }, async () => storeAt({ prefix: "hosts/one" }));

  test("are separate from other objects in the bucket", async () => {
    const store = storeAt({ prefix: "mine" });
    await storeAt().put("other", stream("x"));
    await store.put("a", stream("x"));
    server.objects.set("mine/not a key", { bytes: Buffer.from(""), size: 0, etag: "x", modified: 0 });
    expect(await store.list("", { limit: 10 })).toEqual(["a"]);
    expect([...server.objects.keys()].sort()).toEqual(["mine/a", "mine/not a key", "other"]);
  });
});

describe("an upload", () => {
  test("a short blob is uploaded by one request", async () => {
    await storeAt().put("a", stream("x"));
    expect(server.seen).toEqual([`PUT /${BUCKET}/a?`]);
  });

  test("a long blob is uploaded in parts, and visible only after the last request", async () => {
    const store = storeAt({ partSizeBytes: 5 * MIB });
    let visible: unknown = "not asked";
    async function* content() {
      yield* zeroes(12 * MIB);
      visible = await store.head("long");
    }
    expect((await store.put("long", content())).sizeBytes).toBe(12 * MIB);
    expect(visible).toBeUndefined();
    expect(requestsOf(/partNumber/)).toHaveLength(3);
    expect(server.longestBody()).toBe(5 * MIB);
    expect(server.uploads.size).toBe(0);
    expect((await store.head("long"))?.sizeBytes).toBe(12 * MIB);
  });

  test.each([5 * MIB, 10 * MIB])("a blob of %i bytes, which fill its parts, sends no empty part", async (length) => {
    await storeAt({ partSizeBytes: 5 * MIB }).put("even", zeroes(length));
    expect(server.objects.get("even")?.bytes.length).toBe(length);
    expect(requestsOf(/partNumber/)).toHaveLength(length === 5 * MIB ? 0 : 2);
  });

  test("reads no more from its source than two parts ahead of the stored ones", async () => {
    let taken = 0;
    async function* counted() {
      for await (const piece of zeroes(40 * MIB)) {
        taken += piece.length;
        yield piece;
      }
    }
    server.onNext(/partNumber=1&/, "silence");
    const put = storeAt({ partSizeBytes: 5 * MIB, timeoutMs: 300, attempts: 1 }).put("a", counted());
    await expect(put).rejects.toThrow(/did not answer/);
    expect(taken).toBeLessThan(10 * MIB + 200_000);
  });

  test("single bytes are collected into parts", async () => {
    await storeAt().put("a", zeroes(20_000, 1));
    expect(server.objects.get("a")?.bytes.length).toBe(20_000);
    expect(server.seen).toHaveLength(1);
  });

  test("an upload whose source fails is aborted at the store as well", async () => {
    async function* content() {
      yield* zeroes(11 * MIB);
      throw new Error("line cut");
    }
    await expect(storeAt({ partSizeBytes: 5 * MIB }).put("a", content())).rejects.toThrow("line cut");
    expect([server.uploads.size, server.objects.size]).toEqual([0, 0]);
  });

  test("an upload that fails at the store is aborted", async () => {
    server.onNext(/partNumber=2/, fault(400, "BadDigest"));
    const put = storeAt({ partSizeBytes: 5 * MIB }).put("a", zeroes(20 * MIB));
    await expect(put).rejects.toMatchObject({ status: 400, code: "BadDigest" });
    expect([server.uploads.size, server.objects.size]).toEqual([0, 0]);
  });

  test("an upload whose last answer says 200 and an error is repeated", async () => {
    const { xml = "" } = fault(500, "InternalError");
    server.onNext(/^POST .*uploadId/, { status: 200, xml });
    await storeAt({ partSizeBytes: 5 * MIB }).put("a", zeroes(6 * MIB));
    expect(server.objects.get("a")?.bytes.length).toBe(6 * MIB);
  });

  test("an upload whose last answer is lost has succeeded", async () => {
    server.onNext(/^POST .*uploadId/, "cut-after");
    expect(await storeAt({ partSizeBytes: 5 * MIB }).put("a", zeroes(6 * MIB))).toMatchObject({ sizeBytes: 6 * MIB });
  });
});

/** Size of a blob in MiB: more than twice the memory that it may cost. */
const LONG_MIB = rounds(100, 300);

test(`${LONG_MIB} MB cost a process less than 40 MB`, async () => {
  await server.close();
  server = await startS3Server({ isForgetful: true });
  const options = { bucket: BUCKET, region: REGION, endpoint: server.endpoint, credentials: CREDENTIALS };
  const script = `
    import { s3BlobStore } from ${JSON.stringify(new URL("s3-blob-store.ts", import.meta.url).href)};
    // One piece again and again: garbage of making pieces would count as the store's.
    const piece = Buffer.alloc(65_536, 1);
    async function* content(pieces) {
      for (let sent = 0; sent < pieces; sent++) yield piece;
    }
    const store = s3BlobStore(${JSON.stringify(options)});
    await store.put("small", content(1));
    const before = process.memoryUsage.rss();
    const { sizeBytes } = await store.put("long", content(${LONG_MIB * 16}));
    console.log(JSON.stringify({ sizeBytes, grown: process.resourceUsage().maxRSS * 1024 - before }));`;
  const run = ["--conditions=@signalbox/source", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, run);
  const { grown, sizeBytes } = JSON.parse(stdout) as { grown: number; sizeBytes: number };
  expect(sizeBytes).toBe(LONG_MIB * MIB);
  expect(grown / MIB).toBeLessThan(40);
});

describe("failures of the store", () => {
  test.each<[string, Parameters<S3Server["onNext"]>[1]]>([
    ["a busy store", fault(503, "SlowDown")],
    ["a limit of requests", fault(429, "TooManyRequests")],
    ["an internal error", fault(500, "InternalError")],
    ["a connection that is cut", "cut"],
    ["an answer that is lost", "cut-after"],
    ["a store that falls silent", "silence"],
  ])("%s is retried", async (_what, mishap) => {
    server.onNext(/^PUT/, mishap);
    const store = storeAt({ timeoutMs: 300 });
    await store.put("a", stream("text"));
    server.onNext(/^GET/, mishap);
    expect(await textOf((await store.get("a"))?.content)).toBe("text");
  });

  test("are given up after some attempts", async () => {
    for (let round = 0; round < 2; round++) server.onNext(/^HEAD/, fault(503, "SlowDown"));
    await expect(storeAt({ attempts: 2 }).head("a")).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(2);
  });

  test("permanent failures are reported at once, with the store's message and without the whole key", async () => {
    const key = `files/ann/${"R".repeat(43)}/a.txt`;
    const error = await storeAt({ credentials: { ...CREDENTIALS, secretAccessKey: "wrong" } })
      .put(key, stream("x"))
      .catch((reason: Error) => reason);
    expect(error).toMatchObject({
      message: "The object store answered 403 SignatureDoesNotMatch to PUT files/ann/RRRRRRRR…/a.txt",
      status: 403,
      code: "SignatureDoesNotMatch",
    });
    expect(server.seen).toHaveLength(1);
  });

  test("name a missing bucket, and an address without a server", async () => {
    await expect(storeAt({ bucket: "other" }).put("a", stream("x"))).rejects.toMatchObject({ code: "NoSuchBucket" });
    const nobody = storeAt({ endpoint: "http://127.0.0.1:1", attempts: 1 });
    await expect(nobody.head("a")).rejects.toThrow("The object store did not answer to HEAD a: ECONNREFUSED");
  });

  test("caused by a wrong region say so", async () => {
    server.onNext(/^PUT/, { status: 301 });
    await expect(storeAt().put("a", stream("x"))).rejects.toThrow(/the region or the endpoint is another one$/);
  });

  test("in the middle of a blob end its reading with an error", async () => {
    const store = storeAt();
    await store.put("long", zeroes(20 * MIB));
    const found = await store.get("long");
    const iterator = found?.content[Symbol.asyncIterator]();
    await iterator?.next();
    await server.close();
    const rest = async () => {
      for (let next = await iterator?.next(); !next?.done; ) next = await iterator?.next();
    };
    await expect(rest()).rejects.toThrow();
    server = await startS3Server();
  });
});

describe("credentials", () => {
  test("expiring credentials are requested before each request, including the token", async () => {
    await server.close();
    server = await startS3Server({ token: "session-token" });
    let asked = 0;
    const credentials = async () => {
      asked++;
      return { ...CREDENTIALS, sessionToken: "session-token" };
    };
    await storeAt({ credentials }).put("a", stream("x"));
    await storeAt({ credentials }).head("a");
    expect(asked).toBe(2);
    await expect(storeAt().head("a")).rejects.toMatchObject({ status: 403 });
  });
});

describe("cleaning up", () => {
  test("aborts uploads that began before a time, page by page, and only its own", async () => {
    await server.close();
    server = await startS3Server({ pageSize: 2 });
    const begun = (key: string, initiated: number) =>
      server.uploads.set(`id-${key}`, { key, initiated, parts: new Map() });
    for (const name of ["a", "b", "c", "d", "e"]) begun(`mine/${name}`, 1_000_000);
    begun("mine/now", Date.now());
    begun("other", 1_000_000);
    await storeAt({ prefix: "mine" }).tidy?.(2_000_000);
    expect([...server.uploads.values()].map(({ key }) => key)).toEqual(["mine/now", "other"]);
  });
});

describe("options", () => {
  const options = { bucket: "b-1", credentials: CREDENTIALS };
  test.each<[Partial<S3BlobStoreOptions>, string]>([
    [{ region: "eu-central-1" }, "https://b-1.s3.eu-central-1.amazonaws.com"],
    [{ bucket: "b.dots" }, "https://s3.us-east-1.amazonaws.com/b.dots"],
    [{ endpoint: "http://minio:9000/" }, "http://minio:9000/b-1"],
    [{ endpoint: "https://store.example.com/s3", pathStyle: false }, "https://b-1.store.example.com/s3"],
  ])("%j names the bucket as %s", (more, base) => {
    expect(readS3Options({ ...options, ...more }).base).toBe(base);
  });

  test.each<Partial<S3BlobStoreOptions>>([
    ...[{ bucket: "" }, { bucket: "a/b" }, { bucket: "a?b" }, { prefix: "../x" }, { prefix: "a//b" }, { prefix: "/" }],
    ...[{ region: "a b" }, { endpoint: "ftp://x" }, { endpoint: "https://x/?a=1" }, { endpoint: "no address" }],
    ...[{ partSizeBytes: 1000 }, { partSizeBytes: Number.NaN }, { timeoutMs: 0 }, { attempts: 0 }],
  ])("%j is refused", (more) => {
    expect(() => s3BlobStore({ ...options, ...more })).toThrow(TypeError);
  });

  test("an endpoint with a password is refused without repeating it", () => {
    const endpoint = "https://user:hunter2@store.example.com";
    expect(() => s3BlobStore({ ...options, endpoint })).toThrow(/^(?!.*hunter2).*$/);
  });

  test.each<[string, object]>([
    ["s3://bucket", { bucket: "bucket" }],
    ["s3://bucket/a/b/", { bucket: "bucket", prefix: "a/b" }],
    [
      "s3://bucket/a?region=auto&endpoint=https%3A%2F%2Fx.example.com%3A9000&pathStyle=1",
      { bucket: "bucket", prefix: "a", region: "auto", endpoint: "https://x.example.com:9000", pathStyle: true },
    ],
  ])("%s is accepted", (address, location) => {
    expect(parseS3Url(address)).toEqual(location);
  });

  test.each(["", "bucket", "https://bucket", "s3://user:pw@bucket", "s3://bucket?regoin=x", "s3://bucket:9000"])(
    "%j is no address of a bucket",
    (address) => {
      expect(() => parseS3Url(address)).toThrow(TypeError);
    },
  );
});

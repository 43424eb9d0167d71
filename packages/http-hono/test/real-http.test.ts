import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { type BlobInfo, type BlobStore, type LogFields, silentLogger } from "@signalbox/core/adapter";
import { expect, onTestFinished, test, vi } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createHandler } from "../src/index.ts";
import { createWatch, probes } from "./plugin.ts";

const MB = 1024 * 1024;

interface Served {
  readonly url: string;
  readonly port: number;
  readonly headers: { readonly "x-api-key": string };
  readonly blobs: CountingBlobs;
  readonly watch: ReturnType<typeof createWatch>;
  /** The first refusal that is logged; rejects when a failure is logged first. */
  readonly refused: Promise<LogFields>;
}

interface CountingBlobs extends BlobStore {
  readonly keys: Set<string>;
  /** Most bytes in one chunk, and all bytes received. */
  readonly largest: () => number;
  readonly total: () => number;
  /** Resolves when a key is deleted or a `put` has failed. */
  readonly settled: Promise<void>;
  readonly begun: Promise<void>;
}

/** A store that discards content, so that the memory of the process shows the transport's part. */
function countingBlobs(): CountingBlobs {
  const keys = new Set<string>();
  const settled = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let largest = 0;
  let total = 0;
  return {
    keys,
    largest: () => largest,
    total: () => total,
    settled: settled.promise,
    begun: begun.promise,
    async put(key, content): Promise<BlobInfo> {
      keys.add(key);
      let sizeBytes = 0;
      try {
        for await (const chunk of content) {
          begun.resolve();
          sizeBytes += chunk.length;
          total += chunk.length;
          largest = Math.max(largest, chunk.length);
        }
      } catch (error) {
        keys.delete(key);
        settled.resolve();
        throw error;
      }
      return { sizeBytes, modified: 0 };
    },
    get: async () => undefined,
    head: async () => undefined,
    async delete(key) {
      settled.resolve();
      return keys.delete(key);
    },
    list: async () => [...keys],
  };
}

async function serve(): Promise<Served> {
  const watch = createWatch();
  const blobs = countingBlobs();
  const engine = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    blobs,
    plugins: [quickKeys, probes(watch)],
  });
  const { administratorKey = "" } = await engine.start();
  const refused = Promise.withResolvers<LogFields>();
  refused.promise.catch(() => undefined);
  const error = (fields: LogFields, message: string): void =>
    refused.reject(new Error(message, { cause: fields["error"] }));
  const log = { ...silentLogger, warn: refused.resolve, error };
  const server = createServer(getRequestListener(createHandler(engine, { log }), { overrideGlobalObjects: true }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => close(server));
  onTestFinished(() => engine.stop());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    headers: { "x-api-key": administratorKey },
    blobs,
    watch,
    refused: refused.promise,
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

async function text(response: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
}

const opening = '--xx\r\nContent-Disposition: form-data; name="f"; filename="big.bin"\r\n\r\n';
const multipart = { "content-type": "multipart/form-data; boundary=xx" };

test("an upload of 64 MB passes through in small pieces", async () => {
  const { port, headers, blobs } = await serve();
  const chunk = Buffer.alloc(MB, "x");
  const call = request({
    port,
    path: "/api/app/upload_things/v1",
    method: "POST",
    headers: { ...headers, ...multipart },
  });
  call.write(opening);
  let inFlight = 0;
  for (let sent = 1; sent <= 64; sent++) {
    if (!call.write(chunk)) await once(call, "drain");
    inFlight = Math.max(inFlight, sent * MB - blobs.total());
  }
  call.end("\r\n--xx--\r\n");
  const [response] = (await once(call, "response")) as [IncomingMessage];
  expect(JSON.parse(await text(response))).toMatchObject({ code: 0, uploads: [{ sizeBytes: 64 * MB }] });
  expect([blobs.total(), blobs.largest() <= MB]).toEqual([64 * MB, true]);
  // Bytes on their way to the store are in the buffers of both sockets and in ours.
  expect(inFlight).toBeLessThan(16 * MB);
  expect([...blobs.keys]).toEqual([]);
});

test("a JSON body of 17 MB is refused and the server continues", async () => {
  const { url, headers } = await serve();
  const typed = { ...headers, "content-type": "application/json" };
  const body = `{"a":"${"x".repeat(17 * MB)}"}`;
  const response = await fetch(`${url}/api/app/reflect/v1`, { method: "POST", headers: typed, body });
  expect([response.status, await response.json()]).toEqual([
    413,
    { code: "api", description: "Request body exceeds the maximum size." },
  ]);
  expect(await (await fetch(`${url}/api/app/ping/v1`)).text()).toBe('{"code":0}\n');
});

test("a JSON body of 17 MB without a declared length is refused as well", async () => {
  const { port, url, headers } = await serve();
  const typed = { ...headers, "content-type": "application/json" };
  const call = request({ port, path: "/api/app/reflect/v1", method: "POST", headers: typed });
  call.on("error", () => undefined);
  const answered = once(call, "response") as Promise<[IncomingMessage]>;
  const piece = Buffer.alloc(MB, " ");
  for (let sent = 0; sent < 17; sent++) if (!call.write(piece)) await Promise.race([once(call, "drain"), answered]);
  const [response] = await answered;
  expect([response.statusCode, JSON.parse(await text(response)).code]).toEqual([413, "api"]);
  call.destroy();
  expect(await (await fetch(`${url}/api/app/ping/v1`)).text()).toBe('{"code":0}\n');
});

test("a client that disconnects ends its stream", async () => {
  const { url, headers, watch } = await serve();
  const abort = new AbortController();
  const response = await fetch(`${url}/api/app/stream_endless?wait=1`, { headers, signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  expect(await watch.ended).toBe("aborted");
});

test("a client that does not read blocks its stream instead of filling memory", async () => {
  const { url, headers, watch } = await serve();
  const abort = new AbortController();
  const response = await fetch(`${url}/api/app/stream_endless`, { headers, signal: abort.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  let last = -1;
  // The stream has settled once a full round trip of another request changes nothing any more.
  while (watch.produced !== last) {
    last = watch.produced;
    for (let round = 0; round < 20; round++) await (await fetch(`${url}/api/app/ping`)).text();
  }
  expect(watch.produced).toBeLessThan(400);
  abort.abort();
  expect(await watch.ended).toBe("aborted");
});

test("an aborted upload leaves no blob", async () => {
  const { port, url, headers, blobs } = await serve();
  const call = request({
    port,
    path: "/api/app/upload_things/v1",
    method: "POST",
    headers: { ...headers, ...multipart },
  });
  call.on("error", () => undefined);
  call.write(opening);
  call.write(Buffer.alloc(MB));
  await blobs.begun;
  expect(blobs.keys.size).toBe(1);
  call.destroy();
  await blobs.settled;
  await (await fetch(`${url}/api/app/ping`)).text();
  expect([...blobs.keys]).toEqual([]);
});

test("an upload that comes in small pieces is complete", async () => {
  const { port, headers, blobs } = await serve();
  const call = request({
    port,
    path: "/api/app/upload_things/v1",
    method: "POST",
    headers: { ...headers, ...multipart },
  });
  for (const byte of Buffer.from(`${opening}abc\r\n--xx--\r\n`))
    await new Promise((resolve) => call.write(Buffer.of(byte), resolve));
  call.end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  expect(JSON.parse(await text(response))).toMatchObject({ code: 0, uploads: [{ sizeBytes: 3, filename: "big.bin" }] });
  expect([...blobs.keys]).toEqual([]);
});

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

test.each([
  [64, 200],
  [65, 400],
])("JSON of %i levels answers %i", async (depth, status) => {
  const { url, headers } = await serve();
  const typed = { ...headers, "content-type": "application/json" };
  const response = await fetch(`${url}/api/app/reflect/v1`, { method: "POST", headers: typed, body: nested(depth) });
  expect(response.status).toBe(status);
});

test("the address of the socket is known, and proxies on this machine are trusted", async () => {
  const { url, headers } = await serve();
  const forwarded = { ...headers, "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "https" };
  const response = await fetch(`${url}/api/app/reflect/v1`, { headers: forwarded });
  const { client } = (await response.json()) as { client: { ips: string[]; ip: string; baseUrl: string } };
  expect(client).toMatchObject({
    ips: ["1.1.1.1", "127.0.0.1"],
    ip: "1.1.1.1",
    baseUrl: url.replace("http:", "https:"),
  });
});

test("HEAD and preflight work over a real connection", async () => {
  const { url, headers } = await serve();
  const head = await fetch(`${url}/api/app/stream_lines/v1`, { method: "HEAD", headers });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const options = await fetch(`${url}/api/app/ping`, { method: "OPTIONS" });
  expect([options.status, options.headers.get("access-control-allow-methods")]).toEqual([
    200,
    "POST, GET, HEAD, OPTIONS",
  ]);
});

test("an aborted body is an error of the caller, not an internal one", async () => {
  const { port, headers, refused } = await serve();
  const typed = { ...headers, "content-type": "application/json", "content-length": 1000, expect: "100-continue" };
  const call = request({ port, path: "/api/app/reflect/v1", method: "POST", headers: typed });
  call.on("error", () => undefined);
  call.flushHeaders();
  await once(call, "continue");
  call.destroy();
  expect(await refused).toMatchObject({ code: "api", description: "Malformed request body." });
});

test("a stream that breaks cuts the connection instead of looking complete", async () => {
  const { url, headers } = await serve();
  const printed = vi.spyOn(console, "error");
  onTestFinished(() => printed.mockRestore());
  const response = await fetch(`${url}/api/app/stream_broken`, { headers });
  await expect(response.text()).rejects.toThrow();
  expect(await (await fetch(`${url}/api/app/ping`)).text()).toBe('{"code":0}\n');
  expect(printed).not.toHaveBeenCalled();
});

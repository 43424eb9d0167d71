import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { WebHookRequest } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, expect, test } from "vitest";
import { type FetchWebHookClientOptions, fetchWebHookClient } from "./fetch-client.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;
function send(url: string, change: Partial<WebHookRequest> = {}, options: FetchWebHookClientOptions = {}) {
  const request: WebHookRequest = {
    method: "GET",
    url,
    headers: {},
    timeoutMs: 5000,
    followRedirects: true,
    skipCertificateCheck: false,
    ...change,
  };
  // The servers of these tests run on this machine.
  return fetchWebHookClient({ allow: ["loopback"], ...options }).send(request, never);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test("method, headers and body arrive, and the answer is returned", async () => {
  let seen: unknown;
  const url = await serve(async (request, response) => {
    seen = { method: request.method, url: request.url, headers: request.headers, body: await bodyOf(request) };
    response.writeHead(201, "Made", { "X-Test": "yes", "Set-Cookie": ["a=1", "b=2"] }).end("done");
  });
  const answer = await send(`${url}/in?x=1`, { method: "POST", headers: { "X-A": "b" }, body: "hällo" });
  expect(seen).toMatchObject({
    method: "POST",
    url: "/in?x=1",
    headers: { "x-a": "b", "user-agent": "Signalbox", "accept-encoding": "gzip, deflate, br", "content-length": "6" },
    body: "hällo",
  });
  expect(answer).toMatchObject({ status: 201, statusText: "Made", body: "done", headers: { "x-test": "yes" } });
  expect(answer.headers["set-cookie"]).toBe("a=1, b=2");
  expect(answer.elapsedMs).toBeGreaterThan(0);
});

test("headers of the request replace the defaults, and framing headers are dropped", async () => {
  let headers: IncomingMessage["headers"] = {};
  const url = await serve((request, response) => {
    headers = request.headers;
    response.end();
  });
  await send(url, { headers: { "user-agent": "mine", "Content-Length": "99", "Transfer-Encoding": "chunked" } });
  expect(headers["user-agent"]).toBe("mine");
  expect(headers["content-length"]).toBeUndefined();
  expect(headers["transfer-encoding"]).toBeUndefined();
});

test("an error status is an answer, not a rejection", async () => {
  const url = await serve((_, response) => response.writeHead(503).end("busy"));
  expect(await send(url)).toMatchObject({ status: 503, body: "busy" });
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
])("a body in %s is unpacked", async (encoding, pack) => {
  const url = await serve((_, response) =>
    response.writeHead(200, { "Content-Encoding": encoding }).end(pack("packed text")),
  );
  expect((await send(url)).body).toBe("packed text");
});

test("at most 1 MB of a body is kept, unpacked or not", async () => {
  const large = Buffer.alloc(20 * 1_048_576, "x");
  const url = await serve((request, response) => {
    if (request.url === "/gzip") response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(large));
    else response.end(large);
  });
  expect((await send(`${url}/gzip`)).body).toHaveLength(1_048_576);
  expect((await send(url)).body).toHaveLength(1_048_576);
});

test("garbled compression keeps the status", async () => {
  const url = await serve((_, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end("not gzip"));
  expect(await send(url)).toMatchObject({ status: 200, body: "" });
});

test.each([301, 302, 307, 308])("status %i repeats the request at the new place", async (status) => {
  const url = await serve(async (request, response) => {
    if (request.url === "/old") response.writeHead(status, { Location: "/new" }).end();
    else response.end(`${request.method} ${request.headers.authorization} ${await bodyOf(request)}`);
  });
  const headers = { Authorization: "Bearer t" };
  expect((await send(`${url}/old`, { method: "PUT", body: "b", headers })).body).toBe("PUT Bearer t b");
});

test("303 and disabled redirects are answers", async () => {
  const url = await serve((request, response) =>
    response.writeHead(request.url === "/303" ? 303 : 302, { Location: "/" }).end(),
  );
  expect((await send(`${url}/303`)).status).toBe(303);
  expect((await send(`${url}/302`, { followRedirects: false })).status).toBe(302);
});

test("another origin gets neither Authorization nor Cookie", async () => {
  let headers: IncomingMessage["headers"] = {};
  const other = await serve((request, response) => {
    headers = request.headers;
    response.end();
  });
  const url = await serve((_, response) => response.writeHead(307, { Location: `${other}/x` }).end());
  await send(url, { headers: { Authorization: "Bearer t", Cookie: "a=b", "X-Keep": "1" } });
  expect(headers).toMatchObject({ "x-keep": "1" });
  expect(headers.authorization).toBeUndefined();
  expect(headers.cookie).toBeUndefined();
});

test("redirects end after the limit", async () => {
  let hits = 0;
  const url = await serve((_, response) => {
    hits += 1;
    response.writeHead(302, { Location: "/again" }).end();
  });
  await expect(send(url)).rejects.toThrow("Too many redirects (32)");
  expect(hits).toBe(33);
});

test("the name is resolved once and the connection goes to the checked address", async () => {
  const url = await serve((request, response) => response.end(request.headers.host));
  const { port } = new URL(url);
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return [{ address: "127.0.0.1", family: 4 }];
  };
  expect((await send(`http://hook.example:${port}/`, {}, { resolve })).body).toBe(`hook.example:${port}`);
  expect(asked).toBe(1);
});

test.each(["ftp://example.com/", "file:///etc/passwd", "javascript:1", "no url"])("%s is refused", async (url) => {
  await expect(send(url)).rejects.toThrow(TypeError);
});

test("a malformed header is named, its value is not", async () => {
  const failure = await send("http://127.0.0.1:1/", { headers: { "X-Key": "s3cret\nX: 1" } }).catch((error) => error);
  expect(failure.message).toBe("Invalid characters in header value: X-Key");
  await expect(send("http://127.0.0.1:1/", { headers: { "a b": "1" } })).rejects.toThrow("header name: a b");
});

test("silence of the server ends the request after the idle timeout", async () => {
  const clock = fakeClock();
  const arrived = Promise.withResolvers<void>();
  const url = await serve(() => arrived.resolve());
  const sent = send(`${url}/secret-path`, { timeoutMs: 3000 }, { clock });
  const outcome = sent.catch((error: Error) => error.message);
  await arrived.promise;
  await clock.advance(3.1);
  expect(await outcome).toBe(`No data from ${new URL(url).host} within 3000 ms`);
});

test("a stalled body ends the request, too", async () => {
  const clock = fakeClock();
  const { promise, resolve } = Promise.withResolvers<void>();
  const url = await serve((_, response) => {
    response.writeHead(200);
    response.write("first", () => resolve());
  });
  const outcome = expect(send(url, { timeoutMs: 1000 }, { clock })).rejects.toThrow("No data from");
  await promise;
  // The bytes must arrive before the clock advances; otherwise the deadline for the head ends first.
  for (let step = 0; step < 20; step++) await clock.advance(0.2);
  await outcome;
});

test("a name server that never answers ends the request after the connect timeout", async () => {
  const clock = fakeClock();
  const sent = send("http://slow.example/", {}, { clock, resolve: () => new Promise(() => undefined) });
  const outcome = expect(sent).rejects.toThrow("No connection to slow.example within 10000 ms");
  await clock.advance(10.1);
  await outcome;
});

test("a refused connection names only host and code", async () => {
  const failure = await send("http://127.0.0.1:1/token").catch((error: Error) => error);
  expect((failure as Error).message).toBe("Request to 127.0.0.1:1 failed: ECONNREFUSED");
});

test("an abort rejects with its reason", async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort(new Error("stopping")));
  const request = {
    method: "GET",
    url,
    headers: {},
    timeoutMs: 1000,
    followRedirects: true,
    skipCertificateCheck: false,
  };
  const client = fetchWebHookClient({ allow: ["loopback"] });
  await expect(client.send(request, controller.signal)).rejects.toThrow("stopping");
  await expect(client.send(request, controller.signal)).rejects.toThrow("stopping");
});

test("an unknown certificate is refused unless the hook bypasses the check", async () => {
  const read = (name: string) => readFileSync(new URL(`./fixtures/self-signed.${name}.pem`, import.meta.url));
  const server = createSecureServer({ key: read("key"), cert: read("cert") }, (_, response) => response.end("secure"));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  await expect(send(url, {}, { resolve })).rejects.toThrow("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(await send(url, { skipCertificateCheck: true }, { resolve })).toMatchObject({ status: 200, body: "secure" });
});

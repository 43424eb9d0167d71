import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { AgentTransport, WebHookTargets } from "@signalbox/core/adapter";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localConductor } from "../../../test/local-conductor.ts";
import { fsBlobStore } from "../../blobs/index.ts";
import { type LocalAgentOptions, localAgent } from "../index.ts";

let tempDir = "";
let agent: AgentTransport | undefined;
const cleanUp: (() => unknown)[] = [];
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-http-"));
});
afterEach(async () => {
  await agent?.stop();
  for (const undo of cleanUp.splice(0)) undo();
  await rm(tempDir, { recursive: true, force: true });
});

const seen: { request: IncomingMessage; body: string }[] = [];
async function serve(answer: RequestListener = (_, response) => response.end("fine")): Promise<string> {
  seen.length = 0;
  const server = createServer(async (request, response) => {
    seen.push({ request, body: await text(request) });
    answer(request, response);
  }).listen(0, "127.0.0.1");
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(options: LocalAgentOptions = {}) {
  agent = localAgent({ tempDir, killTimeoutSec: 2, quickEverySec: 0, http: { allow: ["loopback"] }, ...options });
  const conductor = localConductor(agent);
  await conductor.start();
  await conductor.untilCommand("join");
  return {
    ...conductor,
    async run(params: Record<string, unknown>) {
      conductor.launch({ plugin: "httpplug", command: "[http-plugin]", params });
      return conductor.finished();
    },
  };
}

describe("an HTTP request as a job", () => {
  test("is sent according to its parameters, and the answer is its log and its data", async () => {
    const url = await serve((_, response) => response.setHeader("Content-Type", "application/json").end('{"n":1}'));
    const conductor = await start();
    const job = await conductor.run({
      method: "PUT",
      url: `${url}/a?b=c`,
      headers: "X-One: 1\nX-Two: 2\n",
      data: "hello",
    });
    expect(seen[0]).toMatchObject({ body: "hello", request: { method: "PUT", url: "/a?b=c" } });
    expect(seen[0]?.request.headers).toMatchObject({ "x-one": "1", "x-two": "2" });
    expect(job).toMatchObject({
      code: 0,
      description: "HTTP 200 OK",
      data: { status: 200, json: { n: 1 }, headers: { "content-type": "application/json" } },
      perf: { total: expect.any(Number) },
    });
    expect(conductor.logOf()).toMatch(/^PUT http:\/\/127.*\nHTTP 200 OK\n[\s\S]*\n\n\{"n":1\}\n$/);
  });

  test.each<[string, Record<string, unknown>, number, string]>([
    ["an error status", { url: "/404" }, 1, "The server answered with an error (HTTP 404 Not Found)"],
    ["a redirect that is not to be followed", { url: "/302" }, 0, "HTTP 302 Found"],
    ["a redirect that is", { url: "/302", follow: true }, 0, "HTTP 200 OK"],
    ["the success pattern", { url: "/", success_match: "f[aio]ne" }, 0, "HTTP 200 OK"],
    ["no success pattern", { url: "/", success_match: "bad" }, 1, "The answer lacks the success pattern (HTTP 200 OK)"],
    ["the error pattern", { url: "/", error_match: "fine" }, 1, "The answer contains the error pattern (HTTP 200 OK)"],
  ])("with %s in the answer has that result", async (_what, { url: path, ...params }, code, description) => {
    const url = await serve((request, response) => {
      const status = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 200);
      response.writeHead(status, status === 302 ? { Location: "/" } : {}).end("fine");
    });
    const conductor = await start();
    expect(await conductor.run({ method: "GET", url: url + String(path), ...params })).toMatchObject({
      code,
      description,
    });
  });

  test("stores the answer as a file when configured, byte by byte", async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0]);
    const url = await serve((_, response) => response.end(bytes));
    const blobs = fsBlobStore(join(tempDir, "blobs"));
    const conductor = await start({ blobs });
    const job = await conductor.run({ method: "GET", url: `${url}/x/..%2fpage.bin`, download: true });
    const [file] = job["files"] as { filename: string; path: string; size: number }[];
    expect(file).toMatchObject({ filename: "_2fpage.bin", size: 6 });
    const stored: Uint8Array[] = [];
    for await (const piece of (await blobs.get(String(file?.path)))?.content ?? []) stored.push(piece);
    expect(Buffer.concat(stored)).toEqual(bytes);
    expect(job["data"]).not.toHaveProperty("body");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ method: "TRACE", url: "http://a/" }, "Plugin Error: Unknown method: TRACE"],
    [{ method: "GET", url: "file:///etc/passwd" }, "Plugin Error: The URL must begin with http:// or https://"],
    [{ method: "GET", url: "http://a/", headers: "nothing" }, "Plugin Error: Malformed header: nothing"],
    [
      { method: "GET", url: "http://a/", headers: "X: a\u0000b" },
      "Plugin Error: Invalid characters in header value: X",
    ],
    [{ method: "GET", url: "http://a/", timeout: "soon" }, "Plugin Error: Malformed number of seconds: soon"],
    [{ method: "GET", url: "http://a/", success_match: "(" }, "Plugin Error: Malformed pattern: success_match"],
  ])("with parameters like %j fails with a clear message", async (params, description) => {
    const conductor = await start();
    expect(await conductor.run(params)).toMatchObject({ code: 1, description });
  });
});

describe("targets of a request", () => {
  test("are only public addresses, unless the host allows more", async () => {
    const url = await serve();
    const conductor = await start({ http: {} });
    const job = await conductor.run({ method: "GET", url });
    expect(job).toMatchObject({ code: 1, description: expect.stringContaining("Address is not allowed: 127.0.0.1") });
    expect(seen).toEqual([]);
  });

  test("are fewer in an air gap", async () => {
    const url = await serve();
    const conductor = await start({ httpTargets: { allow: [], airGap: { whitelist: ["10.0.0.0/8"], blacklist: [] } } });
    expect(await conductor.run({ method: "GET", url })).toMatchObject({ code: 1 });
    expect(seen).toEqual([]);
  });

  test("are set before each request, where a function sets them", async () => {
    const url = await serve();
    let targets: WebHookTargets = { allow: [], airGap: { whitelist: ["10.0.0.0/8"], blacklist: [] } };
    const conductor = await start({ httpTargets: () => targets });
    targets = { allow: [] };
    expect(await conductor.run({ method: "GET", url })).toMatchObject({ code: 0 });
  });
});

test("a server that does not answer is given up after the time of the parameters", async () => {
  const url = await serve(() => undefined);
  const conductor = await start();
  expect(await conductor.run({ method: "GET", url, timeout: 0.1 })).toMatchObject({
    code: 1,
    description: expect.stringContaining("within 100 ms"),
  });
});

test("an abort ends the request", async () => {
  const url = await serve(() => undefined);
  const conductor = await start();
  conductor.launch({ plugin: "httpplug", command: "[http-plugin]", params: { method: "GET", url } });
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  conductor.send("abort_job", { id: "j1", reason: "Enough" });
  expect(await conductor.finished()).toMatchObject({ code: "abort", description: "Enough" });
});

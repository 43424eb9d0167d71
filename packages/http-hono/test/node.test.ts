import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { silentLogger } from "@signalbox/core/adapter";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createHandler, type HandlerOptions } from "../src/index.ts";
import { nodeListener, nodeRequest } from "../src/node.ts";

type Message = IncomingMessage & { body?: unknown; originalUrl?: string };

async function engine(options: HandlerOptions = {}) {
  const signalbox = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    plugins: [quickKeys],
  });
  const { administratorKey = "" } = await signalbox.start();
  onTestFinished(() => signalbox.stop());
  return { signalbox, handler: createHandler(signalbox, { log: silentLogger, ...options }), key: administratorKey };
}

/** A server whose middleware first does something to each message. */
async function serve(before: (message: Message, response: ServerResponse) => unknown, options: HandlerOptions = {}) {
  const { handler, key } = await engine(options);
  const seen: unknown[] = [];
  const listener = nodeListener((request, env) => {
    seen.push(nodeRequest<Message>(env)?.originalUrl);
    return handler(request, env);
  });
  const server = createServer(async (message, response) => {
    await before(message, response);
    await listener(message, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (body: RequestInit["body"], type?: string) => {
    const headers = { "x-api-key": key, ...(type ? { "content-type": type } : {}) };
    const path = `${options.basePath ?? ""}/api/app/create_tag/v1`;
    const response = await fetch(url + path, { method: "POST", headers, body: body ?? null });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { url, key, seen, post };
}

const parsed = async (message: Message): Promise<void> => {
  const sent = await text(message);
  const isForm = message.headers["content-type"]?.includes("urlencoded");
  message.body = isForm ? Object.fromEntries(new URLSearchParams(sent)) : JSON.parse(sent);
};

describe("a body that middleware has read", () => {
  test("is taken from where it was left, as JSON, longer than it came, and as a form", async () => {
    const { post } = await serve(parsed);
    expect((await post('{"title":"A","id":"a"}', "application/json")).body["tag"]).toMatchObject({ title: "A" });
    const escapes = '{"id":"b","title":"B","list":[1e20]}';
    expect((await post(escapes, "application/json")).body["tag"]).toMatchObject({ list: [1e20] });
    const long = JSON.stringify({ id: "d", title: "D", notes: "x".repeat(80_000), list: Array(900).fill(0) });
    const sent = long.replaceAll("0,", "1e20,");
    expect((await post(sent, "application/json")).body["tag"]).toMatchObject({ id: "d" });
    const form = new URLSearchParams({ title: "C & c", id: "c" });
    expect((await post(form)).body["tag"]).toMatchObject({ title: "C & c" });
  });

  test("a body that middleware left nowhere is answered with advice for the host", async () => {
    const { post } = await serve((message) => text(message));
    const sentence = expect.stringMatching(/^Something read the body .*request\.body.*mount Signalbox in front/);
    const files = new FormData();
    files.append("file1", new File(["a"], "a.txt"));
    for (const body of ['{"title":"A"}', "x".repeat(70_000), files])
      expect(await post(body, typeof body === "string" ? "application/json" : undefined)).toEqual({
        status: 500,
        body: { code: "body", description: sentence },
      });
  });

  test("a body read by the program that made the request is refused with the same message", async () => {
    const { handler, key } = await engine();
    const init = { method: "POST", body: '{"title":"A"}', headers: { "x-api-key": key } };
    const request = new Request("http://localhost/api/app/create_tag/v1", init);
    await request.text();
    expect(await (await handler(request)).json()).toMatchObject({ code: "body" });
  });
});

describe("an answer to Node", () => {
  const kept = (headers: Headers) =>
    [...headers].filter(([name]) => !["connection", "content-length", "date", "keep-alive"].includes(name));
  const saidBy = async (response: Response) => ({
    status: response.status,
    headers: kept(response.headers),
    body: await response.text(),
  });
  const long = "x".repeat(3000);

  test.each([
    ["a read", "/api/app/get_tags/v1", {}],
    ["a read for people", "/api/app/get_tags/v1?pretty=1", {}],
    ["a head", "/api/app/get_tags/v1", { method: "HEAD" }],
    ["a preflight of a browser", "/api/app/get_tags/v1", { method: "OPTIONS", headers: { origin: "https://a.test" } }],
    ["escapes in the path", "/api/app/get%5Ftags/v1", {}],
    ["an unknown operation", "/api/app/get_nothing/v1", {}],
    ["no operation at all", "/api/nothing", {}],
    ["a refusal without its version", "/api/app/get_tag?id=none", {}],
    ["a stranger", "/api/app/get_tags/v1", { headers: { "x-api-key": "unknown" } }],
    ["a body that is invalid", "/api/app/create_tag/v1", { method: "POST", body: "{" }],
    ["a packed one", "/api/app/get_tag/v1?id=long", { headers: { "accept-encoding": "gzip" } }],
    ["liveness", "/health", { method: "HEAD" }],
  ])("a plain answer equals a `Response`: %s", async (_case, path, init: RequestInit) => {
    const { handler, key } = await engine();
    const ask = (to: string, { headers, ...rest }: RequestInit) =>
      new Request(to + path, { ...rest, headers: { "x-api-key": key, "accept-encoding": "identity", ...headers } });
    const make = { method: "POST", body: JSON.stringify({ id: "long", title: "Long", notes: long }) };
    await handler(new Request("http://localhost/api/app/create_tag/v1", { ...make, headers: { "x-api-key": key } }));
    const server = createServer(nodeListener(handler)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const sent = await saidBy(await fetch(ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, init)));
    const made = await handler(ask("http://localhost", init));
    const isPacked = made.headers.has("content-encoding");
    const body = isPacked ? gunzipSync(await made.arrayBuffer()).toString() : await made.text();
    expect(sent).toEqual({ status: made.status, headers: kept(made.headers), body });
  });

  test("is sent once beside an adapter that replaced Node's `Response`", async () => {
    const program = `
      import { createServer } from "node:http";
      import { getRequestListener } from "@hono/node-server";
      getRequestListener(() => new Response());
      const { handlerOf } = await import("@signalbox/http-hono/mount");
      const { PlainAnswer } = await import("./src/answer/plain-answer.ts");
      const { nodeListener } = await import("@signalbox/http-hono/node");
      const listener = nodeListener(handlerOf(() => new PlainAnswer("plain", 201, { "x-a": "b" })));
      const server = createServer(listener).listen(0, "127.0.0.1", async () => {
        const found = await fetch("http://127.0.0.1:" + server.address().port);
        console.log(found.status, found.headers.get("x-a"), await found.text());
        server.closeAllConnections();
        server.close();
      });`;
    const flags = ["--conditions=@signalbox/source", "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, flags, {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
    });
    expect(stdout).toBe("201 b plain\n");
  });

  test.each([
    ["after a compressor of the host", (response: object) => Object.assign(response, { flush() {} }), ", no-transform"],
    ["without one", () => undefined, ""],
  ])("of streams of events and files is marked to be sent unbuffered: %s", async (_where, pack, mark) => {
    const { url, key } = await serve((_message, response) => pack(response));
    const headers = { "x-api-key": key };
    const saidOf = ({ headers: said }: Response) => said.get("cache-control");
    const events = await fetch(`${url}/api/app/stream_updates/v1`, { headers });
    expect(saidOf(events)).toBe(`no-cache${mark}`);
    const { value } = (await events.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain("event: ");
    expect(saidOf(await fetch(`${url}/api/app/get_tags/v1`, { headers }))).toBe("no-store");
    const body = new FormData();
    body.append("file1", new File([long], "long.txt"));
    const uploaded = await fetch(`${url}/api/app/upload_files/v1`, { method: "POST", headers, body });
    const { urls } = (await uploaded.json()) as { readonly urls: readonly [string] };
    const part = await fetch(url + new URL(urls[0]).pathname, { headers: { ...headers, range: "bytes=1-2000" } });
    expect([part.status, (await part.text()).length]).toEqual([206, 2000]);
    expect(saidOf(part)).toBe(`public, max-age=0${mark}`);
  });

  test("is not sent when the host has answered already", async () => {
    const { handler } = await engine();
    const listener = nodeListener(handler);
    const server = createServer(async (message, response) => {
      response.end("the host's");
      await listener(message, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const found = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/app/ping`);
    expect(await found.text()).toBe("the host's");
  });
});

test.each([undefined, createSignalbox({ storage: memoryStorage(), secretKey: "a key of the tests" })])(
  "a handler that answers no requests is refused",
  (given) => {
    const listen = () => nodeListener(given as never);
    expect(listen).toThrow(
      "nodeListener: its handler is no function: give what createDashboard or createHandler makes",
    );
  },
);

describe("the mount point", () => {
  test("a mount point that Express removes from the path is restored, and the message is available", async () => {
    const mount = (message: Message): void => {
      message.originalUrl = message.url ?? "";
      message.url = message.originalUrl.replace("/ops", "");
    };
    const { url, post, seen } = await serve(mount, { basePath: "/ops" });
    expect((await post('{"title":"A"}', "application/json")).status).toBe(200);
    expect(await (await fetch(`${url}/ops/api/openapi.json`)).json()).toMatchObject({ servers: [{ url: "/ops" }] });
    expect(seen).toEqual(["/ops/api/app/create_tag/v1", "/ops/api/openapi.json"]);
  });

  test("a mount point that does not match is reported", async () => {
    const { handler } = await engine({ basePath: "/ops/" });
    const found = await handler(new Request("http://localhost/ops/health"));
    expect(found.status).toBe(200);
    const lost = await handler(new Request("http://localhost/oops/health"));
    expect([lost.status, await lost.text()]).toEqual([
      404,
      'This handler answers below "/ops/", and /oops/health is nothing of it: basePath of createHandler names the path of its mount.\n',
    ]);
    await expect(engine({ basePath: "ops" })).rejects.toThrow(
      'createHandler: basePath must be a path such as "/ops", and is "ops"',
    );
  });
});

describe("the address of the caller", () => {
  test.each([
    ["of Bun", { requestIP: () => ({ address: "203.0.113.9" }) }],
    ["of Hono on Bun", { server: { requestIP: () => ({ address: "203.0.113.9" }) } }],
    ["of Deno", { remoteAddr: { hostname: "203.0.113.9", transport: "tcp", port: 1 } }],
    ["given explicitly", { remoteAddress: "203.0.113.9" }],
  ])("is taken from what the server passes: %s", async (_name, env) => {
    const { signalbox, handler, key } = await engine();
    const init = { method: "POST", body: '{"title":"A","id":"a"}', headers: { "x-api-key": key } };
    await handler(new Request("http://localhost/api/app/create_tag/v1", init), env);
    const { rows } = await signalbox.api.searchActivity({ query: "action:tag_create" });
    expect(rows).toMatchObject([{ ip: "203.0.113.9" }]);
  });
});

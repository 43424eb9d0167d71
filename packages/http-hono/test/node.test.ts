import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
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

/** A server whose middleware does something to each message first. */
async function serve(before: (message: Message) => unknown, options: HandlerOptions = {}) {
  const { handler, key } = await engine(options);
  const seen: unknown[] = [];
  const listener = nodeListener((request, env) => {
    seen.push(nodeRequest<Message>(env)?.originalUrl);
    return handler(request, env);
  });
  const server = createServer(async (message, response) => {
    await before(message);
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

  test("and left nowhere is answered with what to change", async () => {
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

  test("by the program that made the request is told in the same words", async () => {
    const { handler, key } = await engine();
    const init = { method: "POST", body: '{"title":"A"}', headers: { "x-api-key": key } };
    const request = new Request("http://localhost/api/app/create_tag/v1", init);
    await request.text();
    expect(await (await handler(request)).json()).toMatchObject({ code: "body" });
  });
});

describe("the mount", () => {
  test("that Express takes from the path is part of it, and the message is at hand", async () => {
    const mount = (message: Message): void => {
      message.originalUrl = message.url ?? "";
      message.url = message.originalUrl.replace("/ops", "");
    };
    const { url, post, seen } = await serve(mount, { basePath: "/ops" });
    expect((await post('{"title":"A"}', "application/json")).status).toBe(200);
    expect(await (await fetch(`${url}/ops/api/openapi.json`)).json()).toMatchObject({ servers: [{ url: "/ops" }] });
    expect(seen).toEqual(["/ops/api/app/create_tag/v1", "/ops/api/openapi.json"]);
  });

  test("that does not fit is told", async () => {
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
    ["in so many words", { remoteAddress: "203.0.113.9" }],
  ])("is taken from what the server hands over: %s", async (_name, env) => {
    const { signalbox, handler, key } = await engine();
    const init = { method: "POST", body: '{"title":"A","id":"a"}', headers: { "x-api-key": key } };
    await handler(new Request("http://localhost/api/app/create_tag/v1", init), env);
    const { rows } = await signalbox.api.searchActivity({ query: "action:tag_create" });
    expect(rows).toMatchObject([{ ip: "203.0.113.9" }]);
  });
});

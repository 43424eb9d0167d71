import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import type { LogFields } from "@signalbox/core/adapter";
import { afterEach, expect, test } from "vitest";
import { type FetchWebHookClientOptions, fetchWebHookClient } from "./fetch-client.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** An engine with the real client. */
async function start(options: FetchWebHookClientOptions = {}) {
  const logged: unknown[] = [];
  const log = (fields: LogFields, message: string) => void logged.push([fields, message]);
  const signalbox = createSignalbox({
    storage: memoryStorage(),
    webHooks: fetchWebHookClient(options),
    secretKey: "a secret key for tests",
    config: { debug: true },
    log: { debug: log, info: log, warn: log, error: log },
  });
  cleanUp.push(signalbox.stop);
  await signalbox.start();
  return { api: signalbox.api, logged };
}

const KEY = "canary+key/7f3a";

test("a secret reaches the first origin, no other one, and not the report", async () => {
  const seen: { at: string; authorization: string | undefined; token: unknown; body: string }[] = [];
  const keep = (at: string, request: IncomingMessage, body: string) =>
    seen.push({ at, authorization: request.headers.authorization, token: request.headers["x-token"], body });
  const second = await serve(async (request, response) => {
    keep("second", request, await bodyOf(request));
    response.end("done");
  });
  const first = await serve(async (request, response) => {
    const body = await bodyOf(request);
    keep("first", request, body);
    if (request.url === "/echo") response.setHeader("X-Echo", encodeURIComponent(body)).end(`${body} ${request.url}`);
    else response.writeHead(307, { Location: `${second}/next` }).end();
  });
  const { api, logged } = await start({ allow: ["loopback"] });
  const headers = [
    { name: "Authorization", value: "Bearer {{secrets.KEY}}" },
    { name: "X-Token", value: "{{secrets.KEY}}" },
  ];
  const hook = { id: "ops", title: "Ops", url: first, method: "POST", headers, body: "{{secrets.KEY}}", follow: true };
  await api.createWebHook(hook);
  const fields = [{ name: "KEY", value: KEY }];
  await api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["ops"] });
  const redirected = await api.testWebHook(hook);
  const echoed = await api.testWebHook({ ...hook, url: `${first}/echo` });
  expect(seen).toEqual([
    { at: "first", authorization: `Bearer ${KEY}`, token: KEY, body: KEY },
    { at: "second", authorization: undefined, token: undefined, body: "" },
    { at: "first", authorization: `Bearer ${KEY}`, token: KEY, body: KEY },
  ]);
  expect(echoed.result.details).toContain("(REDACTED) /echo");
  expect(JSON.stringify([redirected, echoed, logged])).not.toMatch(/canary|7f3a/);
});

test("by default a hook reaches no address of this machine, and the refusal is the answer", async () => {
  let hits = 0;
  const url = await serve((_, response) => {
    hits += 1;
    response.end();
  });
  const { api } = await start();
  const { host } = new URL(url);
  await expect(api.testWebHook({ id: "t", title: "T", url, method: "GET", retries: 5 })).rejects.toMatchObject({
    code: "webhook",
    message: `Error: Address is not allowed: 127.0.0.1 (${host}: loopback)`,
  });
  expect(hits).toBe(0);
});

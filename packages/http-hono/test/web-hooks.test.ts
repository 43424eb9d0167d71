import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSignalbox } from "@signalbox/core";
import type { WebHookClient } from "@signalbox/core/adapter";
import { expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { openStorage, STORAGES } from "./open-storage.ts";
import { read, start } from "./start.ts";

const hook = { id: "ops", title: "Ops", url: "https://example.com/", method: "POST" };
const failure = {
  code: "webhook",
  description: "Web hooks are not configured: the host gave no web hook client",
};

test.each(["/api/app/test_web_hook/v1", "/api/app/test_web_hook"])(
  "a web hook test that fails is answered with status 200 on %s",
  async (path) => {
    const { post } = await start();
    expect(await post(path, hook)).toMatchObject({ status: 200, body: failure });
  },
);

test("a malformed web hook test is refused with another status", async () => {
  const { post } = await start();
  expect(await post("/api/app/test_web_hook/v1", { ...hook, url: "file:///x" })).toMatchObject({
    status: 400,
    body: { code: "api", description: "Malformed parameter: url" },
  });
});

test("fire_job_web_hook needs no credential and reveals nothing about ids", async () => {
  const { post } = await start();
  const call = { job: "j1", server: "s1", web_hook: "ops", text: "" };
  expect(await post("/api/app/fire_job_web_hook/v1", call, {})).toMatchObject({
    status: 400,
    body: { code: "api", description: "Invalid." },
  });
});

const plainClient: WebHookClient = {
  async send({ method, url, headers, body }, signal) {
    const answer = await fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    const { status, statusText } = answer;
    return { status, statusText, headers: {}, body: await answer.text(), elapsedMs: 1 };
  },
};

/** A receiver that is not ready for its first request, and the keys that were sent to it. */
async function startReceiver() {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers["x-idempotency-key"]);
    response.writeHead(keys.length === 1 ? 404 : 200).end();
    request.resume();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test.each(STORAGES)("over %s a permanently failed firing is listed and can be resent", async (name) => {
  const receiver = await startReceiver();
  const engine = createSignalbox({
    storage: await openStorage(name),
    secretKey: "a secret key for tests",
    webHooks: plainClient,
    plugins: [quickKeys],
    config: { presets: false, hooks: { tag_create: { web_hook: "ops" } } },
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": administratorKey, "content-type": "application/json" };
  const post = async (operation: string, body: object) =>
    read(await app.request(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(body) }));
  await post("create_web_hook", { ...hook, url: receiver.url });
  await post("create_tag", { id: "red", title: "Red" });
  const listed = async () =>
    (await read(await app.request("/api/app/get_web_hook_deliveries/v1?web_hook=ops", { headers }))).body.rows;
  await expect.poll(listed).toMatchObject([{ type: "system", about: "tag_create", attempts: 1, code: "webhook" }]);
  const [{ id }] = await listed();
  const again = await post("resend_web_hook_delivery", { id });
  expect(again).toMatchObject({ status: 200, body: { code: 0, delivery: { id, code: 0, delivered: true } } });
  expect(receiver.keys).toEqual([expect.stringMatching(/./), receiver.keys[0]]);
  expect((await post("resend_web_hook_delivery", { id })).status).toBe(409);
});

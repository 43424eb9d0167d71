import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { credentials, defineCommand, definePlugin } from "@signalbox/core/plugin";
import { fakeClock } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";

/** A server with an operation that answers when the test allows it. */
async function serve() {
  const [begun, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait = defineCommand({
    name: "wait_long",
    method: "POST",
    summary: "Wait.",
    access: credentials,
    input: z.looseObject({}),
    output: z.looseObject({}),
    async prepare() {
      begun.resolve();
      await allowed.promise;
    },
    handler: async () => ({ done: true }),
  });
  const plugin = definePlugin({ id: "test.wait", operations: [wait] });
  const setting = { storage: memoryStorage(), secretKey: "a secret key for tests" };
  const engine = createSignalbox({ ...setting, plugins: [quickKeys, plugin] });
  const { administratorKey = "" } = await engine.start();
  const clock = fakeClock();
  const server = createServer(getRequestListener(createRouter(engine, { clock }).fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await engine.stop();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/app/wait_long/v1`;
  const headers = { "content-type": "application/json", "x-api-key": administratorKey };
  const post = (body: string) => fetch(url, { method: "POST", headers, body });
  return { clock, begun: begun.promise, finish: allowed.resolve, post };
}

test("a call with a long body may take longer than its body may", async () => {
  const { clock, begun, finish, post } = await serve();
  const answer = post(JSON.stringify({ filler: "x".repeat(100_000) }));
  await begun;
  await clock.advance(100);
  finish();
  expect(await (await answer).json()).toMatchObject({ code: 0, done: true });
});

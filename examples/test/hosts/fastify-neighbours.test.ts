import { once } from "node:events";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { createDashboard } from "@signalbox/dashboard";
import { fastifyPlugin } from "@signalbox/http-hono/node";
import fastify from "fastify";
import { afterEach, expect, test } from "vitest";

const ADMIN_KEY = "hostsTestAdministratorKey0";
const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

async function start() {
  const signalbox = createSignalbox({
    ...{ storage: memoryStorage(), secretKey: "only for this test of a host", administratorKey: ADMIN_KEY },
  });
  await signalbox.start();
  const app = fastify();
  ends.push(
    () => signalbox.stop(),
    () => app.close(),
  );
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("access-control-allow-origin", "https://app.example.com").header("cache-control", "public");
  });
  app.addHook("preClose", () => signalbox.stop());
  app.register(fastifyPlugin(createDashboard(signalbox)), { prefix: "/ops" });
  return { app, url: await app.listen({ port: 0, host: "127.0.0.1" }) };
}

test("headers of the app's hooks are on pages and calls, except where the answer has its own", async () => {
  const { url } = await start();
  for (const path of ["/ops/", "/ops/api/app/ping/v1"]) {
    const { headers } = await fetch(url + path);
    expect([headers.get("access-control-allow-origin"), headers.get("cache-control")]).toEqual([
      "https://app.example.com",
      "no-store",
    ]);
  }
});

test("an app that stops the engine before its server ends although a page has its stream open", async () => {
  const { app, url } = await start();
  const stream = await fetch(`${url}/ops/api/app/stream_updates/v1`, { headers: { "x-api-key": ADMIN_KEY } });
  const read = stream.text();
  const closed = once(app.server, "close");
  await app.close();
  await closed;
  expect(await read).toContain("event: login");
});

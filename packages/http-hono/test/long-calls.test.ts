import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { credentials, defineCommand, definePlugin } from "@signalbox/core/plugin";
import { fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { untilOf } from "./until.ts";

/** A server with an operation that answers when the test allows it, and an agent whose jobs end when the test says so. */
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
  const agents = scriptedAgent();
  const setting = { storage: memoryStorage(), secretKey: "a secret key for tests", agents };
  const api = { max_json_size: 1_048_576, max_body_memory: 2 * 1_048_576 };
  const config = { api, job_universal_actions: { default: [], workflow: [] } };
  const engine = createSignalbox({ ...setting, config, plugins: [quickKeys, plugin] });
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
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/app`;
  const headers = { "content-type": "application/json", "x-api-key": administratorKey };
  const post = (body: string, path = "wait_long/v1") => fetch(`${url}/${path}`, { method: "POST", headers, body });
  return { clock, engine, agents, begun: begun.promise, finish: allowed.resolve, post };
}

test("a call with a long body may take longer than sending its body", async () => {
  const { clock, begun, finish, post } = await serve();
  const answer = post(JSON.stringify({ filler: "x".repeat(100_000) }));
  await begun;
  await clock.advance(100);
  finish();
  expect(await (await answer).json()).toMatchObject({ code: 0, done: true });
});

test("callers who wait for the end of their jobs use no memory for bodies", async () => {
  const { agents, clock, engine, post } = await serve();
  const launched: string[] = [];
  const server = await agents.connect({
    ...{ hostname: "web01.example.com", id: "s1", initial: { groups: ["main"] } },
    onMessage({ cmd, data }) {
      if (cmd === "launch_job") launched.push((data as { job: { id: string } }).job.id);
    },
  });
  await engine.api.createEvent({
    ...{ id: "long", title: "Long", enabled: true, category: "general", plugin: "shellplug", targets: ["s1"] },
    ...{ algo: "random", params: { script: "true" }, triggers: [{ type: "manual", enabled: true }] },
  });
  const body = JSON.stringify({ id: "long", filler: ["x".repeat(600_000)] });
  const waiting: Promise<Response>[] = [];
  let answered = 0;
  for (let at = 0; at < 4; at++) {
    waiting.push(post(body, "run_event/v1/wait").finally(() => answered++));
    await untilOf(clock)(() => launched.length > at || answered > 0);
  }
  for (const id of launched) server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  const answers = await Promise.all(waiting.map(async (each) => (await each).json()));
  expect(answers).toMatchObject(launched.map((id) => ({ job: { id, code: 0 } })));
});

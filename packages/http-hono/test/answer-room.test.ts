import { EventEmitter, once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { silentLogger, systemClock } from "@signalbox/core/adapter";
import { credentials, definePlugin, defineQuery, type Plugin } from "@signalbox/core/plugin";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { quickKeys } from "../../core/test/engine.ts";
import { createAnswerRoom } from "../src/answer/answer-room.ts";
import { createOutput } from "../src/answer/output.ts";
import { toResponse } from "../src/answer/plain-answer.ts";
import { createHandler } from "../src/index.ts";
import { nodeListener } from "../src/node.ts";

/** The host's server object of one answer. */
const answer = () => ({ outgoing: new EventEmitter() });

describe("memory for long answers", () => {
  const taken = (room: ReturnType<typeof createAnswerRoom>, bytes: number, env: object | undefined) =>
    room.take(bytes, env) !== undefined;

  test("is reserved until there is none left, and released when an answer has been sent", () => {
    const room = createAnswerRoom(100);
    const first = answer();
    expect([taken(room, 60, first), taken(room, 40, answer()), taken(room, 1, answer())]).toEqual([true, true, false]);
    first.outgoing.emit("close");
    expect([taken(room, 61, answer()), taken(room, 60, answer())]).toEqual([false, true]);
  });

  test("is released once, by the end of the text or of the connection", () => {
    const room = createAnswerRoom(100);
    const first = answer();
    const release = room.take(60, first);
    expect(taken(room, 40, answer())).toBe(true);
    release?.();
    first.outgoing.emit("close");
    expect([taken(room, 61, answer()), taken(room, 60, answer())]).toEqual([false, true]);
  });

  test("is always enough for a single answer of any length", () => {
    const room = createAnswerRoom(100);
    expect([taken(room, 1000, answer()), taken(room, 1, answer())]).toEqual([true, false]);
  });

  test("is not counted where the end of an answer cannot be observed", () => {
    const room = createAnswerRoom(100);
    expect([taken(room, 1000, undefined), taken(room, 1000, {})]).toEqual([true, true]);
  });
});

/** A page that becomes long when the test allows it, and fails the first time. */
function longPage() {
  const [begun, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const operation = defineQuery({
    name: "long_page",
    method: "GET",
    summary: "Answer a long page.",
    access: credentials,
    input: z.looseObject({}),
    output: z.looseObject({}),
    async handler(_input, { reply }) {
      const fails = isFirst;
      isFirst = false;
      begun.resolve();
      await allowed.promise;
      reply.becomesLong?.();
      if (fails) throw new Error("The store is gone");
      return { rows: [] };
    },
  });
  return { operation, begun: begun.promise, allow: allowed.resolve };
}

async function serve(plugin: Plugin) {
  const engine = createSignalbox({
    ...{ storage: memoryStorage(), secretKey: "a secret key for tests", log: silentLogger },
    config: { api: { max_body_memory: 1_048_576 } },
    plugins: [quickKeys, plugin],
  });
  const { administratorKey = "" } = await engine.start();
  const server = createServer(nodeListener(createHandler(engine)));
  const opened = once(server, "connection") as Promise<[Socket]>;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await engine.stop();
  });
  const { port } = server.address() as AddressInfo;
  return { opened, url: `http://127.0.0.1:${port}/api/app`, headers: { "x-api-key": administratorKey } };
}

test("is not reserved for a caller who leaves before the answer becomes long", async () => {
  const { operation, begun, allow } = longPage();
  const { opened, url, headers } = await serve(definePlugin({ id: "test.page", operations: [operation] }));
  const caller = request(`${url}/long_page/v1`, { headers }).on("error", () => "it leaves");
  caller.end();
  const [socket] = await opened;
  await begun;
  const closed = once(socket, "close");
  caller.destroy();
  await closed;
  await nextTurn();
  allow();
  expect((await fetch(`${url}/long_page/v1`, { headers })).status).toBe(200);
});

describe("a long answer", () => {
  const ofLength = (kilobytes: number) => ({ rows: Array.from({ length: kilobytes }, () => "x".repeat(1000)) });
  const long = ofLength(5000);
  const traffic = { requests: 0, bytesIn: 0, bytesOut: 0 };
  const parts = { headers: {}, options: {}, clock: systemClock, log: silentLogger, traffic };
  const open = (limit: number) => {
    const output = createOutput({ ...parts, answers: createAnswerRoom(limit) });
    return async (members: object, env: object, more = {}) =>
      toResponse(await output.success(members, { pretty: false, env, ...more }));
  };

  test("is refused with 503's code without free memory, unlike a short one", async () => {
    const send = open(20_000_000);
    const [first, second] = [answer(), answer()];
    expect((await send(long, first)).status).toBe(200);
    await expect(send(long, second)).rejects.toMatchObject({ code: "api", reason: "unavailable" });
    expect((await send({ rows: [] }, second)).status).toBe(200);
    first.outgoing.emit("close");
    expect((await send(long, second)).status).toBe(200);
    // The command is done: calling it again would make the change twice.
    expect((await send(long, answer(), { isDone: true })).status).toBe(200);
  });

  test.each([
    [900, 20],
    [1200, 10],
    [3800, 5],
    [5000, 1],
  ])("of %d kB is counted at its largest possible size: %d at a time in 20 MB", async (kilobytes, times) => {
    const send = open(20 * 1_048_576);
    for (let sent = 0; sent < times; sent++) expect((await send(ofLength(kilobytes), answer())).status).toBe(200);
    await expect(send(ofLength(kilobytes), answer())).rejects.toMatchObject({ reason: "unavailable" });
  });

  test("releases its memory when its text has been read, and when only its head is requested", async () => {
    const send = open(20_000_000);
    for (let times = 0; times < 3; times++) {
      expect(JSON.parse(await (await send(long, answer())).text())).toEqual({ code: 0, ...long });
      expect(await (await send(long, answer(), { head: true })).text()).toBe("");
    }
  });

  test("is written as fast as it is read", async () => {
    let written = 0;
    const row = {
      toJSON() {
        written++;
        return "x".repeat(10_000);
      },
    };
    const response = await open(20_000_000)({ rows: new Array(1000).fill(row) }, answer());
    const reader = response.body?.getReader();
    await reader?.read();
    expect(written).toBeLessThan(100);
    await reader?.cancel();
    expect(written).toBeLessThan(100);
  });
});

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer, get } from "node:http";
import { createServer as createSecureServer, get as getSecurely } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Clock } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createEntrance } from "./entrance.ts";
import { createSlices } from "./slices.ts";

const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of stack.splice(0).toReversed()) await end();
});

const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function listen(entrance: Server): Promise<number> {
  entrance.listen({ port: 0, host: "127.0.0.1" });
  await once(entrance, "listening");
  stack.push(() => entrance.close());
  return (entrance.address() as AddressInfo).port;
}

/** A host's HTTP server behind an entrance; counts the connections that are open. */
async function open(limits = { maxSilent: 2, maxWaiting: 100 }, clock?: Clock) {
  const server = createServer((_, response) => response.end("host"));
  const opened = { count: 0 };
  server.on("connection", () => opened.count++);
  const arrivals = { count: 0 };
  const entrance = createEntrance(server, arrivals, limits, clock);
  const port = await listen(entrance);
  stack.push(() => server.closeAllConnections());
  return { server, entrance, port, opened, arrivals };
}

async function call(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  stack.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

const callMany = (port: number, count: number) => Promise.all(Array.from({ length: count }, () => call(port)));

describe("the entrance of a server", () => {
  test("passes requests to the server, also several of one connection", async () => {
    const { port, opened, arrivals } = await open();
    const agent = new Agent({ keepAlive: true });
    stack.push(() => agent.destroy());
    for (let count = 0; count < 3; count++) {
      const [response] = await once(get({ port, host: "127.0.0.1", agent }), "response");
      expect([response.statusCode, await text(response)]).toEqual([200, "host"]);
    }
    expect(opened.count).toBe(1);
    expect(arrivals.count).toBe(1);
  });

  test("serves a server that speaks TLS as well", async () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../web-hook/fixtures/self-signed.${name}.pem`, import.meta.url));
    const server = createSecureServer({ key: read("key"), cert: read("cert") }, (_, response) =>
      response.end("secure"),
    );
    stack.push(() => server.closeAllConnections());
    const port = await listen(createEntrance(server, { count: 0 }));
    const sent = getSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false, agent: false });
    const [response] = await once(sent, "response");
    expect(await text(response)).toBe("secure");
  });

  test("opens further connections as earlier ones send", async () => {
    // The clock stands still, so that no silence times out: only a connection that sends lets the next one in.
    const { port, opened } = await open(undefined, fakeClock());
    const sockets = await callMany(port, 50);
    const answered = sockets.map((socket) => once(socket, "data"));
    for (const socket of sockets) socket.write(REQUEST);
    for (const [answer] of await Promise.all(answered)) expect(String(answer)).toContain("200 OK");
    expect(opened.count).toBe(50);
  });

  test("waits a tenth of a second for silent connections, and no longer", async () => {
    const clock = fakeClock();
    const { port, opened, arrivals } = await open(undefined, clock);
    await callMany(port, 5);
    const talker = await call(port);
    talker.write(REQUEST);
    await expect.poll(() => arrivals.count).toBe(6);
    for (const count of [2, 4]) {
      await expect.poll(() => opened.count).toBe(count);
      await clock.advance(0.1);
      expect(opened.count).toBe(count);
      await clock.advance(0.001);
    }
    const [answer] = await once(talker, "data");
    expect(String(answer)).toContain("200 OK");
    expect(opened.count).toBe(6);
  });

  test("forgets silent connections that are closed", async () => {
    const { port, opened } = await open({ maxSilent: 2, maxWaiting: 100 });
    const [one, two] = await callMany(port, 2);
    await expect.poll(() => opened.count).toBe(2);
    one?.destroy();
    two?.destroy();
    const talker = await call(port);
    talker.write(REQUEST);
    expect(String((await once(talker, "data"))[0])).toContain("200 OK");
  });

  test("continues after a listener of the host has thrown, which is still an uncaught exception", async () => {
    // In another process, because an uncaught error would fail this one.
    const program = `
      import { createServer, get } from "node:http";
      import { createEntrance } from ${JSON.stringify(new URL("./entrance.ts", import.meta.url).href)};
      const uncaught = [];
      process.on("uncaughtException", ({ message }) => uncaught.push(message));
      const server = createServer((_, response) => response.end("host"));
      server.once("connection", () => { throw new Error("A listener of the host"); });
      const entrance = createEntrance(server, { count: 0 });
      entrance.listen({ port: 0, host: "127.0.0.1" }, async () => {
        const { port } = entrance.address();
        const call = () => new Promise((answer) => get({ port, host: "127.0.0.1", agent: false }, (response) => {
          response.resume();
          answer(response.statusCode);
        }).on("error", () => answer("cut off")));
        void call();
        while (uncaught.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        console.log(JSON.stringify([uncaught, await call()]));
        process.exit();
      });`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...["--conditions=@signalbox/source", "--input-type=module", "--eval", program],
    ]);
    expect(JSON.parse(stdout)).toEqual([["A listener of the host"], 200]);
  });

  test("cuts off surplus connections, and all waiting ones when it closes", async () => {
    const { entrance, port, opened } = await open({ maxSilent: 1, maxWaiting: 3 });
    let closed = 0;
    for (const socket of await callMany(port, 30)) socket.on("close", () => closed++);
    // One is open and three wait; one or two more may have been opened meanwhile.
    await expect.poll(() => closed).toBeGreaterThanOrEqual(24);
    const before = opened.count;
    entrance.close();
    await expect.poll(() => closed).toBe(30 - opened.count);
    expect(opened.count).toBe(before);
    entrance.unref();
  });
});

describe("slices of work", () => {
  function setUp() {
    let nowMs = 0;
    const arrivals = { count: 0 };
    const clock = { now: () => nowMs, monotonicMs: () => nowMs, after: () => ({ [Symbol.dispose]: () => undefined }) };
    const tasks = new Set<() => void>();
    const done: number[] = [];
    const wake = createSlices(clock, arrivals, () => {
      const [task] = tasks;
      if (task) tasks.delete(task);
      return task;
    });
    const add = (takesMs: number): void => {
      tasks.add(() => {
        nowMs += takesMs;
        done.push(nowMs);
      });
      wake();
    };
    return { arrivals, add, done, pass: (ms: number) => (nowMs += ms) };
  }

  test("wait while every turn brings a connection, and continue in the first that brings none", async () => {
    const { arrivals, add, done } = setUp();
    add(1);
    add(1);
    for (let count = 0; count < 20; count++) {
      arrivals.count += 1;
      await turn();
      expect(done).toEqual([]);
    }
    await turn();
    expect(done).toEqual([1, 2]);
  });

  test("wait no longer than the time of a slice", async () => {
    const { arrivals, add, done, pass } = setUp();
    for (let count = 0; count < 20; count++) add(1);
    for (const expected of [0, 0, 5, 5, 10]) {
      arrivals.count += 1;
      await turn();
      expect(done).toHaveLength(expected);
      pass(2.5);
    }
  });
});

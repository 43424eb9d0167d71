import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { fakeClock } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { limitSilence } from "../src/caller/connection.ts";
import { start } from "./start.ts";

const MB = 1024 * 1024;

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A client that sends a request and then reads no more than the operating system buffers for it. */
function ask(port: number, path: string, key: string): Socket {
  const client = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void client.destroy());
  client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`);
  return client.pause();
}

/** How the connection ends for a client that starts to read now: "end", or an error code. */
async function endOf(client: Socket): Promise<string> {
  const failed = Promise.withResolvers<string>();
  client.once("error", (error: NodeJS.ErrnoException) => failed.resolve(error.code ?? ""));
  client.once("end", () => failed.resolve("end"));
  client.resume();
  return failed.promise;
}

async function serve() {
  const clock = fakeClock();
  const started = await start({ clock });
  const server = createServer(getRequestListener(started.app.fetch));
  const opened = once(server, "connection") as Promise<[Socket]>;
  const port = await listen(server);
  return {
    ...started,
    clock,
    port,
    /** Waits until the stream is stalled: the operating system buffers no more for the reader. */
    async held(): Promise<void> {
      let last = -1;
      while (started.watch.produced !== last || last === 0) {
        last = started.watch.produced;
        for (let round = 0; round < 20; round++) await (await fetch(`http://127.0.0.1:${port}/api/app/ping`)).text();
      }
    },
    socket: async () => (await opened)[0],
  };
}

test("a connection for events that is never read is reset after 30 seconds, with its waiting bytes", async () => {
  const { clock, port, key, held, socket } = await serve();
  const client = ask(port, "/api/app/stream_endless", key);
  const closed = once(await socket(), "close");
  await held();
  await clock.advance(31);
  await closed;
  expect(await endOf(client)).toBe("ECONNRESET");
});

test("a connection for a file that is never read is reset after two minutes", async () => {
  const { clock, port, key, held, socket } = await serve();
  const client = ask(port, "/api/app/stream_endless?type=application/octet-stream", key);
  const closed = once(await socket(), "close");
  await held();
  await clock.advance(119);
  expect((await socket()).destroyed).toBe(false);
  await clock.advance(2);
  await closed;
  expect(await endOf(client)).toBe("ECONNRESET");
});

test("a stop of the engine gives readers five seconds and then resets unread connections", async () => {
  const { clock, port, key, held, socket, engine } = await serve();
  const client = ask(port, "/api/app/stream_endless", key);
  const closed = once(await socket(), "close");
  await held();
  await engine.stop();
  expect((await socket()).destroyed).toBe(false);
  await clock.advance(6);
  await closed;
  expect(await endOf(client)).toBe("ECONNRESET");
});

test("a stop of the engine ends a stream that is read without a reset", async () => {
  const { port, key, engine, watch } = await serve();
  const client = ask(port, "/api/app/stream_endless?wait=1", key);
  const text: Buffer[] = [];
  client.on("data", (chunk) => text.push(chunk)).resume();
  while (watch.produced === 0) await (await fetch(`http://127.0.0.1:${port}/api/app/ping`)).text();
  const ended = new Promise<void>((resolve) => {
    client.on("data", () => Buffer.concat(text).toString().endsWith("0\r\n\r\n") && resolve());
  });
  await engine.stop();
  await ended;
  expect(watch.produced).toBe(1);
});

test("a single-piece answer that is not read is reset as well, and an active connection is left alone", async () => {
  const server = createServer((request, response) => {
    limitSilence({ outgoing: response }, request.url === "/silent" ? 300 : 2000);
    response.end(Buffer.alloc(32 * MB));
  });
  const port = await listen(server);
  const opened = once(server, "connection") as Promise<[Socket]>;
  const silent = ask(port, "/silent", "");
  const closed = once((await opened)[0], "close");
  const reader = ask(port, "/", "");
  let read = 0;
  let rested = 0;
  // Pauses after each megabyte: longer than the limit in total, but far shorter each time.
  reader.on("data", (chunk) => {
    read += chunk.length;
    if (read / MB < rested + 1) return;
    rested = Math.floor(read / MB);
    reader.pause();
    setTimeout(() => reader.resume(), 80);
  });
  reader.resume();
  while (read < 32 * MB) await once(reader, "data");
  await closed;
  expect(await endOf(silent)).toBe("ECONNRESET");
});

test("a long answer of an operation is monitored, a short one is not", async () => {
  const { app, key } = await start();
  const watched: number[] = [];
  const outgoing = { setTimeout: (ms: number) => void watched.push(ms) };
  const call = (length: number) =>
    app.request(
      "/api/app/reflect",
      { method: "POST", body: JSON.stringify({ a: "x".repeat(length) }), headers: { "x-api-key": key } },
      { outgoing },
    );
  await call(10);
  expect(watched).toEqual([]);
  await call(70_000);
  expect(watched).toEqual([120_000]);
});

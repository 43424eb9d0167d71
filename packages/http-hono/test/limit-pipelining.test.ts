import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { limitPipelining } from "../src/node/limit-pipelining.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers in the next turn, and the number of requests to it. */
async function setUp(most: number) {
  const seen = { count: 0 };
  const requests: IncomingMessage[] = [];
  const limited = limitPipelining(async (_request, response) => {
    seen.count += 1;
    await nextTurn();
    response.end("yes");
  }, most);
  server = createServer((request, response) => {
    requests.push(request);
    limited(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { seen, requests, port };
}

const request = (more = ""): string => `GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** Everything that the server sends until it closes the connection. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk) => {
    heard += String(chunk);
  });
  // Closing a connection with bytes in transit resets it.
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "close");
  return heard;
}

const answersIn = (heard: string): number => heard.split("HTTP/1.1 200").length - 1;

describe("requests that do not wait for answers", () => {
  test("are answered up to the limit", async () => {
    const { seen, port } = await setUp(4);
    const heard = await send(port, request().repeat(3) + request("Connection: close\r\n"));
    expect([answersIn(heard), seen.count]).toEqual([4, 4]);
  });

  test("close their connection above it, and the rest of the packet is not answered", async () => {
    const { seen, port } = await setUp(4);
    await send(port, request().repeat(2000));
    expect(seen.count).toBe(4);
  });

  test("end with errors whose stacks were not captured, and later ones have theirs", async () => {
    const { requests, port } = await setUp(4);
    await send(port, request().repeat(50));
    await expect.poll(() => requests.at(-1)?.errored?.stack).toBe("Error: aborted");
    expect(new Error("later").stack).toContain("limit-pipelining.test.ts");
  });

  test("count until they are answered, so that a connection can be used forever", async () => {
    const { seen, port } = await setUp(1);
    const socket = connect(port, "127.0.0.1");
    for (let turn = 0; turn < 20; turn++) {
      socket.write(request());
      const [answer] = await once(socket, "data");
      expect(String(answer)).toContain("200 OK");
    }
    expect(seen.count).toBe(20);
    socket.destroy();
  });

  test("requests of other connections are answered meanwhile", async () => {
    const { port } = await setUp(1);
    const [, honest] = await Promise.all([
      send(port, request().repeat(50)),
      send(port, request("Connection: close\r\n")),
    ]);
    expect(answersIn(honest)).toBe(1);
  });
});

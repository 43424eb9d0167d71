import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { useConductors } from "../../test/ws-conductor.ts";

const start = useConductors();

const MASK = [1, 2, 3, 4];
const empty = (head: number, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from([head, 0x80, ...MASK])));

describe("an unknown sender of five thousand frames at once", () => {
  test.each([
    ["pings", empty(0x89, 5000), "Too many pings."],
    ["pongs", empty(0x8a, 5000), "Too many pings."],
    ["empty messages", empty(0x81, 5000), "Too many malformed messages."],
    ["parts of a message", Buffer.concat([empty(0x01, 1), empty(0x00, 5000)]), expect.any(String)],
  ])("is closed: %s", async (_fact, bytes, reason) => {
    const { url, agents, until } = await start();
    const socket = new WebSocket(url);
    const [, tcp] = await Promise.all([once(socket, "open"), once(socket, "upgrade").then(([{ socket }]) => socket)]);
    const closed = once(socket, "close");
    tcp.write(bytes);
    const [code, said] = await closed;
    expect([code, String(said)]).toEqual([1008, reason]);
    await until(() => agents.size === 0);
  });
});

test("a greeting that comes byte by byte is read", async () => {
  const { port } = await start();
  const socket = connect(port, "127.0.0.1").setNoDelay();
  let heard = "";
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
  });
  await once(socket, "connect");
  socket.write(
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const greeting = JSON.stringify({
    cmd: "hello",
    data: { hostname: "web01", id: "s1", info: { text: "x".repeat(900) } },
  });
  const head = Buffer.from([0x81, 0xfe, greeting.length >> 8, greeting.length & 0xff, 0, 0, 0, 0]);
  for (const byte of Buffer.concat([head, Buffer.from(greeting)])) {
    socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => heard).toContain('{"cmd":"hello"');
  socket.destroy();
});

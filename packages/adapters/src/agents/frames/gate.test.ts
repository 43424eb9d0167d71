import { Duplex } from "node:stream";
import { describe, expect, test } from "vitest";
import { openGate } from "./gate.ts";

const PING = Buffer.from([0x89, 0x80, 1, 2, 3, 4]);
const CLOSE = Buffer.from([0x88, 0x80, 1, 2, 3, 4]);
const pings = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => PING));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A socket whose reader records its chunks; tasks run when the test says so. */
async function setUp({ hasJoined = true } = {}) {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const got: Buffer[] = [];
  const tasks: (() => void)[] = [];
  const said: string[] = [];
  const state = { hasJoined, isPaused: false };
  socket.on("data", (chunk: Buffer) => got.push(chunk));
  const gate = openGate(socket, {
    hasJoined: () => state.hasJoined,
    isPaused: () => state.isPaused,
    setHolding: (isHolding) => (isHolding ? socket.pause() : socket.resume()),
    run: (task) => void tasks.push(task),
    refuse: () => void said.push("refused"),
  });
  return {
    ...{ socket, gate, got, said, state },
    async send(...chunks: Buffer[]) {
      for (const chunk of chunks) {
        socket.push(chunk);
        await turn();
      }
    },
    /** Runs its next turn; false when it wants none. */
    async next() {
      const task = tasks.shift();
      task?.();
      await turn();
      return task !== undefined;
    },
    frames: () => got.map(({ length }) => length / PING.length),
  };
}

describe("data of a joined agent", () => {
  test("is passed straight through", async () => {
    const { send, frames, next } = await setUp();
    await send(pings(256));
    expect(frames()).toEqual([256]);
    expect(await next()).toBe(false);
  });

  test("waits for its turn with every 256 frames more", async () => {
    const { send, frames, next, socket } = await setUp();
    await send(pings(600));
    expect(frames()).toEqual([256]);
    expect(socket.isPaused()).toBe(true);
    await next();
    expect(frames()).toEqual([256, 256]);
    await next();
    expect(frames()).toEqual([256, 256, 88]);
    expect(socket.isPaused()).toBe(false);
    expect(await next()).toBe(false);
  });

  test("waits while something else keeps the socket from being read", async () => {
    const { send, frames, next, state, gate } = await setUp();
    await send(pings(300));
    state.isPaused = true;
    await next();
    expect(await next()).toBe(false);
    expect(frames()).toEqual([256]);
    state.isPaused = false;
    gate.goOn();
    await next();
    expect(frames()).toEqual([256, 44]);
  });

  test("is passed on when the socket is closed", async () => {
    const { send, socket, frames } = await setUp();
    await send(pings(600));
    socket.destroy();
    await turn();
    expect(frames()).toEqual([256, 344]);
  });

  test("is ignored after the closing frame", async () => {
    const { send, frames } = await setUp();
    await send(Buffer.concat([pings(2), CLOSE, pings(5)]), pings(1));
    expect(frames()).toEqual([3]);
  });

  test("reaches the reader in few pieces, also from segments of one byte", async () => {
    const { send, got } = await setUp();
    const payload = 5000;
    await send(Buffer.from([0x81, 0xfe, payload >> 8, payload & 0xff, 1, 2, 3, 4]));
    const segments = Array.from({ length: payload }, (_, index) => Buffer.from([index & 0xff]));
    await send(...segments);
    expect(got.length).toBeLessThan(25);
    expect(Buffer.concat(got).subarray(8)).toEqual(Buffer.concat(segments));
  });

  test("is not copied when the segments are large", async () => {
    const { send, got } = await setUp();
    const large = Buffer.alloc(20_000, 1);
    await send(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4]), large);
    expect(got.at(-1)).toBe(large);
  });
});

describe("data of an unknown sender", () => {
  test("waits for its turn from the first byte on", async () => {
    const { send, frames, next } = await setUp({ hasJoined: false });
    await send(pings(1));
    expect(frames()).toEqual([]);
    await next();
    expect(frames()).toEqual([1]);
  });

  test("is refused with the 513th frame, and the rest of the chunk is not read", async () => {
    const { send, frames, next, said } = await setUp({ hasJoined: false });
    await send(pings(512));
    while (await next());
    expect(said).toEqual([]);
    await send(pings(1000));
    while (await next());
    expect(said).toEqual(["refused"]);
    expect(frames()).toEqual([256, 256]);
    await send(pings(1));
    expect(await next()).toBe(false);
    expect(frames()).toEqual([256, 256]);
  });

  test("is not read when the socket is closed", async () => {
    const { send, frames, socket } = await setUp({ hasJoined: false });
    await send(pings(100));
    socket.destroy();
    await turn();
    expect(frames()).toEqual([]);
  });
});

describe("a closed gate", () => {
  test("lets nothing through, not even held frames", async () => {
    const { send, gate, frames, next } = await setUp();
    await send(pings(600));
    gate.shut();
    await next();
    await send(pings(1));
    expect(frames()).toEqual([256]);
  });

  test("leaves nothing in a socket that is no longer read", async () => {
    const { send, gate, socket } = await setUp();
    socket.pause();
    await send(pings(600));
    expect(socket.readableLength).toBe(3600);
    gate.shut();
    socket.pause();
    socket.destroy();
    await turn();
    expect(socket.readableLength).toBe(0);
  });
});

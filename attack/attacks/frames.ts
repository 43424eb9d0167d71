/** Strangers who open the socket of a satellite and then violate the framing rules, or send too many frames. */
import { type Peer, withPeers } from "../server/sockets.ts";
import type { Attack, Stage } from "../stage/attack.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Number of peers still connected after this many milliseconds. */
export const allGone = async (peers: readonly Peer[], ms: number): Promise<number> =>
  (await Promise.all(peers.map(({ gone }) => gone(ms)))).filter((gone) => !gone).length;

/** An honest caller must get an answer during the attack, and soon where nothing else runs on the machine. */
export async function othersAreServed(stage: Stage): Promise<void> {
  const answer = await stage.ask({ path: "/api/app/ping/v1", ...(stage.short ? {} : { timeoutMs: 5000 }) });
  stage.must(answer.status === 200, `others get ${answer.status} meanwhile`);
}

const UPGRADE =
  "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

const MASK = [1, 2, 3, 4];
/** Frames without a payload, `count` of them. */
const empty = (head: number, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from([head, 0x80, ...MASK])));

/** The header of a masked frame of a gigabyte, and part of its payload. */
const GIGABYTE = Buffer.concat([
  Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, ...MASK]),
  Buffer.alloc(64_000, 1),
]);
/** Endless frames, each a fragment of the same message. */
const PARTS = Buffer.concat(
  Array.from({ length: 2000 }, (_, n) => Buffer.from([n === 0 ? 0x01 : 0x00, 0x81, ...MASK, 0x60])),
);
const MANY = 5000;

interface Flood {
  readonly name: string;
  readonly frame?: Buffer;
  readonly peers?: number;
  readonly upgrades?: number;
}

const FLOODS: readonly Flood[] = [
  { name: "open a socket and never speak" },
  { name: "announce frames of a gigabyte", frame: GIGABYTE },
  { name: "send a message in parts without an end", frame: PARTS },
  { name: "send 5,000 pings each", frame: empty(0x89, MANY) },
  { name: "send 5,000 pongs each", frame: empty(0x8a, MANY) },
  { name: "send 5,000 empty messages each", frame: empty(0x81, MANY) },
  { name: "send 5,000 empty parts each", frame: Buffer.concat([empty(0x01, 1), empty(0x00, MANY)]) },
  { name: "send bytes that are no frame", frame: Buffer.alloc(5000, 0xff) },
  { name: "ask for 2,000 sockets on one connection", upgrades: 2000 },
  { name: "come at once with 1,000 pings each", peers: 600, frame: empty(0x89, 1000) },
];

const flood = ({ name, frame, peers: count = 80, upgrades = 1 }: Flood): Attack => ({
  name: `${count} strangers ${name}`,
  by: "strangers",
  short: true,
  run: (stage) =>
    withPeers(stage.server.port, count, {}, async (peers) => {
      for (const { socket } of peers) socket.write(UPGRADE.repeat(upgrades));
      await wait(200);
      for (const { socket } of peers) if (frame && !socket.destroyed) socket.write(frame);
      await wait(300);
      await othersAreServed(stage);
      if (stage.short) return;
      const left = await allGone(peers, 45_000);
      stage.must(left === 0, `${left} of ${count} are still connected after 45 s`);
    }),
});

/** Every byte is its own segment, and arrives alone if it is read before the next one. */
const byteByByte: Attack = {
  name: "4 strangers send a message byte by byte",
  by: "strangers",
  short: true,
  run: (stage) =>
    withPeers(stage.server.port, 4, {}, async (peers) => {
      const bytes = stage.short ? 10_000 : 100_000;
      const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, ...MASK]);
      head.writeUInt32BE(bytes, 6);
      for (const { socket } of peers) socket.setNoDelay().write(UPGRADE);
      await wait(200);
      for (const { socket } of peers) socket.write(head);
      const byte = Buffer.from("a");
      for (let sent = 0; sent < bytes; sent++) {
        for (const { socket } of peers) socket.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await wait(300);
      await othersAreServed(stage);
    }),
};

export const frames: readonly Attack[] = [...FLOODS.map(flood), byteByByte];

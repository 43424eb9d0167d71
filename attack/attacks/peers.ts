/** Peers that are slow, never read or never send, and satellites that violate their protocol. */
import { openSatellite, type SocketSatellite, socketSatellite } from "@signalbox/core/testing";
import { jsonCall } from "../server/http.ts";
import { type Peer, withPeers } from "../server/sockets.ts";
import { SECRET_KEY } from "../server/start.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";
import { allGone, frames, othersAreServed } from "./frames.ts";

const MB = 1_000_000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeatedly writes a text to each peer. */
async function dribble(peers: readonly Peer[], text: string, seconds: number): Promise<void> {
  for (let left = seconds * 4; left > 0; left--) {
    for (const { socket } of peers) if (!socket.destroyed) socket.write(text);
    await wait(250);
  }
}

interface Slow {
  readonly name: string;
  readonly peers: number;
  /** Text sent first; `dribble` follows byte by byte. */
  readonly head: string;
  readonly dribble: string;
  /** Seconds after which no peer may still be connected; the long form waits that long. */
  readonly goneAfter: number;
}

const POST = "POST /api/app/create_tag/v1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const SLOW: readonly Slow[] = [
  {
    name: "60 strangers never end the head of a request",
    peers: 60,
    head: "GET / HTTP/1.1\r\nX-",
    dribble: "a",
    goneAfter: 30,
  },
  {
    name: "60 strangers send a body byte by byte",
    peers: 60,
    head: `${POST}Content-Length: 60000\r\n\r\n`,
    dribble: "a",
    goneAfter: 75,
  },
  {
    name: "60 strangers announce a body and say nothing more",
    peers: 60,
    head: `${POST}Content-Length: 60000\r\n\r\n`,
    dribble: "",
    goneAfter: 75,
  },
  {
    name: "60 strangers send chunks of one byte",
    peers: 60,
    head: `${POST}Transfer-Encoding: chunked\r\n\r\n`,
    dribble: "1\r\na\r\n",
    goneAfter: 75,
  },
  { name: "60 strangers connect and say nothing", peers: 60, head: "", dribble: "", goneAfter: 75 },
];
const SHORT_SECONDS = 0.5;

const slow = SLOW.map(
  ({ name, peers: count, head, dribble: text, goneAfter }): Attack => ({
    name,
    by: "strangers",
    short: true,
    run: (stage) =>
      withPeers(stage.server.port, count, {}, async (peers) => {
        for (const { socket } of peers) if (head) socket.write(head);
        await dribble(peers, text, SHORT_SECONDS);
        await othersAreServed(stage);
        if (stage.short) return;
        const until = Date.now() + goneAfter * 1000;
        while (Date.now() < until && peers.some(({ socket }) => !socket.destroyed)) await dribble(peers, text, 1);
        const left = await allGone(peers, 500);
        stage.must(left === 0, `${left} of ${count} are still connected after ${goneAfter} s`, JSON.stringify(head));
      }),
  }),
);

/** As many requests as fit into one packet of 64 KB, sent without waiting for answers. */
const PACKET = "GET /api/app/get_tags/v1 HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1300);

const pipelined: Attack = {
  name: "a stranger sends 1,300 requests in one packet, again and again",
  by: "strangers",
  short: true,
  async run(stage) {
    for (let turn = 0; turn < (stage.short ? 3 : 50); turn++)
      await withPeers(stage.server.port, 1, {}, async ([peer]) => {
        peer?.socket.write(PACKET);
        stage.must((await peer?.gone(30_000)) === true, "its connection stays open");
      });
    await othersAreServed(stage);
  },
};

const keyed = (path: string, stage: Stage): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${stage.callers.admin["X-API-Key"]}\r\n\r\n`;

/** Bytes in the system's socket buffers are memory as well, but no figure of the process shows them. */
const deafStreams: Attack = {
  name: "40 callers open a stream and never read it",
  by: "callers",
  short: true,
  run: (stage) =>
    withPeers(stage.server.port, 40, { deaf: true }, async (peers) => {
      for (const { socket } of peers) socket.write(keyed("/api/app/stream_updates/v1", stage));
      for (let turn = 0; turn < (stage.short ? 20 : 400); turn++)
        await stage.ask(jsonCall("update_tag", { id: "atk_tag", notes: "n".repeat(2000 + turn) }, stage.callers.admin));
      await othersAreServed(stage);
    }),
};

const DOWNLOADED = 8 * MB;
/** Milliseconds that a reader of a file may pause before its connection is ended. */
const STALLED_FILE_MS = 120_000;
/** Files that the server itself may open meanwhile; each reader has a file and a socket. */
const SPARE_FILES = 10;

const deafDownloads: Attack = {
  name: "30 callers ask for a file and never read it",
  by: "callers",
  short: true,
  async run(stage) {
    const path = await upload(stage, DOWNLOADED);
    const before = stage.server.openFiles() ?? 0;
    await withPeers(stage.server.port, 30, { deaf: true }, async (peers) => {
      for (const { socket } of peers) socket.write(keyed(`/${path}`, stage));
      await wait(1000);
      await othersAreServed(stage);
      if (stage.short) return;
      // A connection that accepts nothing must be ended, so that it cannot be held forever.
      await wait(STALLED_FILE_MS + 15_000);
      const more = (stage.server.openFiles() ?? 0) - before;
      stage.must(more <= SPARE_FILES, `${more} more files and sockets are open than before`);
    });
  },
};

async function upload(stage: Stage, bytes: number): Promise<string> {
  const answer = await stage.ask({
    method: "POST",
    path: "/api/app/upload_files/v1",
    headers: { ...stage.callers.admin, "Content-Type": "multipart/form-data; boundary=x" },
    body: [
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file1"; filename="a.bin"\r\n\r\n'),
      Buffer.alloc(bytes, "x"),
      Buffer.from("\r\n--x--\r\n"),
    ],
  });
  const { urls, files } = JSON.parse(answer.text) as { urls?: string[]; files?: { path: string }[] };
  const [url] = urls ?? [];
  return url ? new URL(url, "http://x").pathname.slice(1) : (files?.[0]?.path ?? "files/missing");
}

const join = (stage: Stage, id: string): Promise<SocketSatellite> =>
  socketSatellite({
    url: `ws://127.0.0.1:${stage.server.port}/`,
    hostname: `${id}.invalid`,
    id,
    join: { serverKey: SECRET_KEY },
  });

const impostors: Attack = {
  name: "strangers claim the id of another server",
  by: "strangers",
  short: true,
  async run(stage) {
    const real = await join(stage, "atk_real");
    for (const [hostname, token] of [
      ["atk_real.invalid", "0".repeat(64)],
      ["other.invalid", ""],
      ["local", "x"],
    ]) {
      const other = await openSatellite(`ws://127.0.0.1:${stage.server.port}/`);
      other.send("hello", { hostname, id: hostname === "local" ? "local" : "atk_real", info: {} });
      other.send("join", { token });
      await Promise.race([other.closed, wait(1000)]);
      stage.must(!other.received.some(({ cmd }) => cmd === "joined"), `a stranger joined as ${hostname}`);
      stage.must(!JSON.stringify(other.received).includes("duplicate"), "a stranger is told that an id is in use");
      other.close();
    }
    stage.must(real.isOpen, "the real server lost its connection");
    real.close();
  },
};

/** Messages of a server that has joined. */
const MESSAGES: readonly (readonly [cmd: string, data: (stage: Stage) => unknown])[] = [
  ["monitor", () => null],
  ["monitor", () => ({ date: 1e300, data: { __proto__: null, load: ["x"], mem: { total: -1 } } })],
  [
    "monitor",
    () => ({
      date: Date.now() / 1000,
      data: { processes: { list: Array.from({ length: 20_000 }, (_, pid) => ({ pid, command: "x".repeat(50) })) } },
    }),
  ],
  ["quickmon", () => Array.from({ length: 5000 }, (_, n) => n)],
  [
    "jobs",
    ({ ids }) =>
      Object.fromEntries(
        (ids["job"] ?? []).map((id) => [id, { id, complete: true, code: 0, push: { actions: [{}] } }]),
      ),
  ],
  ["job_log", ({ ids }) => ({ id: ids["job"]?.[0], text: "x".repeat(MB) })],
  ["job_meta", ({ ids }) => ({ id: ids["job"]?.[0], text: { a: 1 } })],
  ["echoback", () => ({ id: {}, last_ping_ms: "soon" })],
  ["notice", () => ({ description: "<script>".repeat(10_000) })],
  ["critical", () => ["__proto__"]],
  ["monitorPluginTestResult", () => ({ request_id: "__proto__" })],
  ["hello", () => ({ hostname: "again", id: "local" })],
  ["join", () => ({ token: 5 })],
  ["constructor", () => ({})],
  ["unheard_of", () => "x".repeat(MB)],
];

const lyingServer: Attack = {
  name: "a server that has joined sends what no server sends",
  by: "callers",
  short: true,
  async run(stage) {
    for (const [cmd, make] of MESSAGES) {
      const satellite = await join(stage, "atk_liar");
      for (let turn = 0; turn < 3 && satellite.isOpen; turn++) satellite.send(cmd, make(stage));
      await Promise.race([satellite.closed, wait(40)]);
      satellite.close();
      await Promise.race([satellite.closed, wait(500)]);
    }
    await othersAreServed(stage);
    const { text } = await stage.ask(jsonCall("get_job", { id: stage.ids["job"]?.[0] }, stage.callers.admin));
    stage.must(!text.includes("x".repeat(1000)), "a server wrote into the log of another server's job");
  },
};

const floodingServer: Attack = {
  name: "a server that has joined sends 20,000 messages at once",
  by: "callers",
  short: true,
  async run(stage) {
    const satellite = await join(stage, "atk_flood");
    const count = stage.short ? 3000 : 20_000;
    for (let turn = 0; turn < count && satellite.isOpen; turn++)
      satellite.send("quickmon", { cpu: turn, text: "x".repeat(100) });
    await wait(1500);
    await othersAreServed(stage);
    satellite.close();
  },
};

export const peers: Part = {
  id: "peers",
  title: "Peers that are slow, deaf or mute",
  attacks: [...slow, pipelined, deafStreams, deafDownloads, ...frames, impostors, lyingServer, floodingServer],
};

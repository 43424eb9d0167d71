import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { WebSocket } from "ws";
import { reportText, SATELLITES, SECRET } from "./ingest-data.ts";

/** One measurement: consecutive rounds in which every satellite reports once. */
export interface IngestOrder {
  /** Port for the satellites, which stay connected for the next order. */
  readonly port: number;
  /** Port that reports the number of stored minutes; a line sent there advances the server's clock to the next minute. */
  readonly countPort: number;
  readonly measureMs: number;
}
export interface IngestResult {
  readonly stored: number;
  readonly tookMs: number;
}

/** Reports sent in one turn of the event loop. */
const CHUNK = 25;
/** The report is built once, because building it is not measured. */
const FIRST_DATE = 1_800_000_000;
const TEXT = reportText(FIRST_DATE);
const frameOf = (date: number): Buffer => Buffer.from(TEXT.replace(`"date":${FIRST_DATE}`, `"date":${date}`));

interface Fleet {
  readonly sockets: readonly WebSocket[];
  /** Resolves when this many minutes have been stored since the start. */
  stored(count: number): Promise<void>;
  nextMinute(): void;
  sent: number;
  date: number;
}

const fleets = new Map<number, Promise<Fleet>>();

async function joinOne(port: number, index: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
  const say = (cmd: string, data: object): void => socket.send(JSON.stringify({ cmd, data }));
  const heard = new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (_code, reason) => reject(new Error(`Satellite ${index} was sent away: ${reason}`)));
    socket.on("message", (raw) => {
      const { cmd, data } = JSON.parse(String(raw));
      if (cmd === "hello")
        say("join", {
          token: createHash("sha256")
            .update(data.nonce + SECRET)
            .digest("hex"),
        });
      else if (cmd === "echo") say("echoback", data);
      else if (cmd === "joined") resolve();
    });
  });
  await once(socket, "open");
  say("hello", { hostname: `bench${index}`, id: `bench${index}`, info: {} });
  await heard;
  return socket;
}

async function joinAll({ port, countPort }: IngestOrder): Promise<Fleet> {
  const sockets: WebSocket[] = [];
  for (let index = 0; index < SATELLITES; index += 50)
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, (_unused, at) => joinOne(port, index + at)))));
  const counter = connect(countPort, "127.0.0.1");
  await once(counter, "connect");
  let known = 0;
  let waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  createInterface(counter).on("line", (line) => {
    known = Number(line);
    if (waiting && known >= waiting.count) waiting.resolve();
  });
  return {
    sockets,
    sent: 0,
    date: FIRST_DATE,
    nextMinute: () => void counter.write("next\n"),
    stored: (count) => (known >= count ? Promise.resolve() : new Promise((resolve) => (waiting = { count, resolve }))),
  };
}

async function measure(order: IngestOrder): Promise<IngestResult> {
  const known = fleets.get(order.port) ?? joinAll(order);
  fleets.set(order.port, known);
  const fleet = await known;
  const started = performance.now();
  const before = fleet.sent;
  do {
    fleet.date += 60;
    fleet.nextMinute();
    const frame = frameOf(fleet.date);
    for (const socket of fleet.sockets) {
      socket.send(frame, { binary: false });
      fleet.sent += 1;
      if (fleet.sent % CHUNK === 0) await setImmediate();
    }
    await fleet.stored(fleet.sent);
  } while (performance.now() - started < order.measureMs);
  return { stored: fleet.sent - before, tookMs: performance.now() - started };
}

process.on("message", (order: IngestOrder) => {
  measure(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

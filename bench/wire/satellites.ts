/** Satellites that send the messages of real ones, and end each job at once. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { SECRET } from "./processes.ts";

const fixture = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../../packages/core/src/testing/fixtures/agent-${name}.json`, import.meta.url), "utf8"),
  );
const hello = fixture("hello");
const minute = fixture("monitor") as { readonly data: object };
const second = fixture("quickmon");
const JOINED_AT_ONCE = 50;
const MINUTE_SEC = 60;

export interface Satellite {
  readonly id: string;
  /** Sends the next minute, so that none counts as a repeat; `mark` shows that it was stored. */
  sendMinute(mark: number): void;
  sendSecond(): void;
  /** Bytes in this process that are still to be sent. */
  readonly buffered: number;
  close(): void;
}

/** Members of a minute in which no alert fires. */
export const WELL = { load: [0.5, 0.5, 0.5] };

function open(port: number, id: string, members: object): Promise<Satellite> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
  const say = (cmd: string, data: unknown): void => socket.send(JSON.stringify({ cmd, data }));
  let date = Math.floor(Date.now() / 1000 / MINUTE_SEC) * MINUTE_SEC;
  const satellite: Satellite = {
    id,
    sendMinute(mark) {
      date += MINUTE_SEC;
      say("monitor", { ...minute, server: id, date, data: { ...minute.data, ...members, mark } });
    },
    sendSecond: () => say("quickmon", second),
    get buffered() {
      return socket.bufferedAmount;
    },
    close: () => socket.close(),
  };
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => say("hello", { ...hello, id, hostname: `${id}.example.internal` }));
    socket.on("message", (frame) => {
      const { cmd, data } = JSON.parse(String(frame)) as { cmd: string; data: { nonce: string; job: { id: string } } };
      if (cmd === "hello")
        say("join", {
          token: createHash("sha256")
            .update(data.nonce + SECRET)
            .digest("hex"),
        });
      else if (cmd === "echo") say("echoback", data);
      else if (cmd === "joined") resolve(satellite);
      else if (cmd === "launch_job") {
        const end = { id: data.job.id, server: id, pid: 4242, progress: 1, complete: true, state: "complete" };
        say("jobs", { [data.job.id]: { ...end, code: 0, description: "Success" } });
      }
    });
  });
}

/** Connects this many satellites; each of their minutes contains `members`. */
export async function joinAll(port: number, name: string, count: number, members: object = {}): Promise<Satellite[]> {
  const all: Satellite[] = [];
  for (let from = 0; from < count; from += JOINED_AT_ONCE) {
    const size = Math.min(JOINED_AT_ONCE, count - from);
    all.push(
      ...(await Promise.all(Array.from({ length: size }, (_unused, at) => open(port, `${name}${from + at}`, members)))),
    );
  }
  return all;
}

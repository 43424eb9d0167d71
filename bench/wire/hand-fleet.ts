/**
 * Hand-written jobs, minutes and samples of satellites: their messages over `ws`, and the rows that ours stores for them, in a
 * copy of the measured server's store. Without keys, tokens, rights, limits, actions, firings and data for pages, so that they
 * cost the least possible.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { type WebSocket, WebSocketServer } from "ws";
import { createHandJobs } from "./hand-jobs.ts";
import { createHandMinutes, type Minute } from "./hand-minutes.ts";

type Members = Readonly<Record<string, unknown>>;

const [store = "", copy = ""] = process.argv.slice(2);
new DatabaseSync(store, { readOnly: true }).exec(`vacuum into '${copy}'`);
const database = new DatabaseSync(copy);
database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -12800");
database.exec("pragma wal_autocheckpoint = 4000; pragma temp_store = memory");

const sockets = new Map<string, WebSocket>();
const say = (socket: WebSocket | undefined, message: object): void => socket?.send(JSON.stringify(message));
const jobs = createHandJobs(database, (server, message) => say(sockets.get(server), message));
const minutes = createHandMinutes(database);

function serve(socket: WebSocket): void {
  let id = "";
  const hear: Readonly<Record<string, (data: Members) => void>> = {
    hello(data) {
      id = String(data["id"]);
      sockets.set(id, socket);
      say(socket, { cmd: "hello", data: { id, nonce: "nonce" } });
    },
    join: () => say(socket, { cmd: "joined", data: { id } }),
    monitor: (data) => minutes.take(data as unknown as Minute),
    quickmon: (data) => minutes.takeSecond(id, data),
    jobs(data) {
      for (const job of Object.keys(data)) jobs.end(job);
    },
  };
  socket.on("message", (frame) => {
    const { cmd, data } = JSON.parse(String(frame)) as { readonly cmd: string; readonly data: Members };
    hear[cmd]?.(data);
  });
}

const operations: Readonly<Record<string, (input: Members) => object | Promise<object>>> = {
  create_event({ targets }) {
    jobs.setEvent(targets as readonly string[]);
    return { event: { id: "byhand" } };
  },
  run_event: async () => ({ id: await jobs.run() }),
  get_active_jobs: () => ({ rows: [], list: { length: jobs.active } }),
  get_server: ({ id }) => ({ data: minutes.latest(String(id)) }),
  get_quickmon_data: () => ({ servers: {} }),
};

function answer(response: ServerResponse, members: object): void {
  const text = JSON.stringify({ code: 0, ...members });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer((request, response) => {
  const operation = operations[request.url?.split("/")[3] ?? ""];
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => {
    text += part;
  });
  request.on("end", async () => answer(response, (await operation?.(JSON.parse(text) as Members)) ?? {}));
});
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", serve);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));

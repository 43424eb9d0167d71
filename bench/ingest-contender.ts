/** A server, in its own process, that receives the reports of satellites. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { wsAgents } from "@signalbox/adapters/agents";
import { createSignalbox } from "@signalbox/core";
import { type Clock, systemClock } from "@signalbox/core/adapter";
import { definePlugin } from "@signalbox/core/plugin";
import type { Storage } from "@signalbox/core/storage";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import jexl from "jexl";
import pg from "pg";
import { WebSocketServer } from "ws";
import { ALERTS, MONITORS, SECRET } from "./ingest-data.ts";

/** Advances by a minute when the load says so, so that a server can report many times a second. */
interface MinuteClock extends Clock {
  next(): void;
}
function minuteClock(): MinuteClock {
  let minutes = 0;
  const start = Math.floor(systemClock.now() / 60) * 60;
  return { ...systemClock, now: () => start + minutes * 60 + 1, next: () => void minutes++ };
}

/** Called for each stored minute. */
type Stored = () => void;

interface Site {
  readonly port: number;
}

async function openEngine(storage: Storage, clock: Clock, stored: Stored): Promise<Site> {
  const agents = wsAgents({ maxPendingPerAddress: 10_000 });
  const counting = definePlugin({ id: "bench.count", on: { "server.minute": stored } });
  const engine = createSignalbox({ storage, clock, secretKey: SECRET, agents, plugins: [counting] });
  await engine.start();
  for (const monitor of MONITORS) await engine.api.createMonitor(monitor);
  for (const alert of ALERTS) await engine.api.createAlert(alert);
  const { port } = await agents.listen({ port: 0, host: "127.0.0.1" });
  return { port };
}

/** The values of a report in the form of a minute's row. */
interface Evaluated {
  readonly server: string;
  readonly minute: number;
  readonly row: string;
  readonly raw: string;
}

/** Stores a minute durably. */
type Save = (evaluated: Evaluated) => void | Promise<void>;

const DEFAULT_SOURCES = [
  "load[0]",
  "cpu.currentLoad",
  "memory.used",
  "memory.available",
  "stats.network.conns",
  "mounts.root.use",
  "stats.fs.rx",
  "stats.fs.wx",
  "stats.io.tIO",
  "cpu.totals.iowait",
  "commands.open_files",
  "stats.network.rx_bytes",
  "stats.network.tx_bytes",
  "processes.all",
  "jobs",
];
const DEFAULT_CONDITIONS = [
  "monitors.load_avg >= (cpu.cores + 1)",
  "memory.available < (memory.total * 0.05)",
  "monitors.io_wait >= 75",
  "monitors.disk_usage_root >= 90",
  "monitors.active_jobs >= 50",
];

function jexlEvaluator(): (raw: string, clock: Clock) => Evaluated {
  const parser = new jexl.Jexl();
  parser.addFunction("count", (value: readonly unknown[]) => (value || []).length);
  parser.addFunction("float", (value: number) => Math.floor(value * 100) / 100 || 0);
  const compile = (source: string) => parser.createExpression(source).compile();
  const sources = [...DEFAULT_SOURCES, ...MONITORS.map(({ source }) => source)].map(compile);
  const conditions = [...DEFAULT_CONDITIONS, ...ALERTS.map(({ expression }) => expression)].map(compile);
  return (raw, clock) => {
    const { data: message } = JSON.parse(raw);
    const { data } = message;
    const monitors: Record<string, unknown> = {};
    for (const [index, source] of sources.entries()) monitors[`m${index}`] = source.evalSync(data);
    const context = { ...data, monitors, deltas: {} };
    const held = conditions.flatMap((condition, index) => (condition.evalSync(context) ? [index] : []));
    const row = JSON.stringify({ monitors, held });
    return { server: message.server, minute: Math.floor(clock.now() / 60), row, raw };
  };
}

/** The usual hand-written way: jexl, and a JSON row and the raw sample per report, each in its own transaction. */
async function openUsual(save: Save, clock: Clock, stored: Stored): Promise<Site> {
  const evaluate = jexlEvaluator();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  server.on("connection", (socket) => {
    let id = "";
    const say = (cmd: string, data: object): void => socket.send(JSON.stringify({ cmd, data }));
    socket.on("message", async (frame) => {
      const raw = String(frame);
      if (raw.startsWith('{"cmd":"monitor"')) {
        await save({ ...evaluate(raw, clock), server: id });
        return stored();
      }
      const { cmd, data } = JSON.parse(raw);
      if (cmd === "hello") {
        id = data.id;
        say("hello", { nonce: "nonce", id });
      } else if (data.token === createHash("sha256").update(`nonce${SECRET}`).digest("hex")) say("joined", {});
      else socket.close();
    });
  });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port };
}

function saveInSqlite(filename: string): Save {
  const database = new DatabaseSync(filename);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table samples (server text, minute integer, row text, primary key (minute, server))");
  database.exec("create table hosts (server text primary key, raw text)");
  const sample = database.prepare("insert into samples values (?, ?, ?)");
  const host = database.prepare("insert into hosts values (?, ?) on conflict do update set raw = excluded.raw");
  return ({ server, minute, row, raw }) => {
    database.exec("begin immediate");
    sample.run(server, minute, row);
    host.run(server, raw);
    database.exec("commit");
  };
}

async function saveInPostgres(connectionString: string): Promise<Save> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query("create table samples (server text, minute bigint, row text, primary key (minute, server))");
  await pool.query("create table hosts (server text primary key, raw text)");
  const host = "insert into hosts values ($1, $2) on conflict (server) do update set raw = excluded.raw";
  return async ({ server, minute, row, raw }) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const text = "insert into samples values ($1, $2, $3)";
      await client.query({ name: "sample", text, values: [server, minute, row] });
      await client.query({ name: "host", text: host, values: [server, raw] });
      await client.query("commit");
    } finally {
      client.release();
    }
  };
}

type Open = (place: string, clock: Clock, stored: Stored) => Promise<Site>;

/** Contenders by name; `place` is a file for SQLite and a URL for PostgreSQL. */
const sites: Readonly<Record<string, Open>> = {
  "engine-sqlite": (place, clock, stored) => openEngine(sqliteStorage({ filename: place, clock }), clock, stored),
  "engine-postgres": (place, clock, stored) => openEngine(pgStorage({ connectionString: place, clock }), clock, stored),
  "usual-sqlite": (place, clock, stored) => openUsual(saveInSqlite(place), clock, stored),
  "usual-postgres": async (place, clock, stored) => openUsual(await saveInPostgres(place), clock, stored),
};

/** Tells each connection the number of stored minutes, once per turn of the event loop. */
async function openCounter(clock: MinuteClock): Promise<{ readonly port: number; readonly stored: Stored }> {
  const sockets = new Set<Socket>();
  let count = 0;
  let isDue = false;
  const tell = (): void => {
    isDue = false;
    for (const socket of sockets) socket.write(`${count}\n`);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", () => clock.next());
    socket.on("close", () => sockets.delete(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stored() {
      count += 1;
      if (isDue) return;
      isDue = true;
      setImmediate(tell);
    },
  };
}

/** Messages to the parent: first the ports, then, whenever the parent asks, the processor time spent. */
export interface IngestReady {
  readonly port: number;
  readonly countPort: number;
}
export interface IngestReport {
  /** Processor time of the whole process since its start, in microseconds. */
  readonly cpuMicros: number;
}

const [kind = "", place = ""] = process.argv.slice(2);
const open = sites[kind];
if (!open) throw new Error(`There is no contender "${kind}"`);
const clock = minuteClock();
const counter = await openCounter(clock);
const { port } = await open(place, clock, counter.stored);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system } satisfies IngestReport);
});
process.on("disconnect", () => process.exit());
process.send?.({ port, countPort: counter.port } satisfies IngestReady);

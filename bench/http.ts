import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getRequestListener } from "@hono/node-server";
import {
  createSignalbox,
  definePlugin,
  defineQuery,
  memoryStorage,
  privilege,
  type Storage,
  systemRandom,
} from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { Hono } from "hono";
import * as z from "zod";
import type { LoadOrder, LoadResult } from "./http-load.ts";
import { median, printReport, type Row } from "./report.ts";

export interface HttpBenchmarkOptions {
  /** Default 5. */
  readonly rounds?: number;
  /** Of one measurement; default 2000. */
  readonly measureMs?: number;
  readonly connections?: number;
}

interface Scenario {
  readonly name: string;
  readonly port: number;
  readonly request: string;
}

interface Site extends AsyncDisposable {
  readonly port: number;
  readonly key: string;
}

const TAG = { id: "bench", title: "Benchmark", icon: "tag-outline", notes: "A tag as people make them." };
const BODY = JSON.stringify({ title: "Benchmark", icon: "tag-outline", notes: "A tag as people make them." });

/** Asks for a key with a privilege and does nothing: what dispatch costs. */
const probe = definePlugin({
  id: "bench.probe",
  operations: [
    defineQuery({
      name: "bench_probe",
      method: "GET",
      summary: "Answer nothing.",
      access: privilege("create_tags"),
      input: z.looseObject({}),
      output: z.object({}),
      handler: async () => ({}),
    }),
  ],
});

const get = (path: string, key = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key && `X-API-Key: ${key}\r\n`}\r\n`;
const post = (path: string, key = ""): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${key && `X-API-Key: ${key}\r\n`}` +
  `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

async function listen(app: Hono): Promise<{ port: number; server: Server }> {
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

async function openSite(storage: Storage): Promise<Site & { readonly tag: unknown }> {
  const engine = createSignalbox({ storage, secretKey: "a key for benchmarks only", plugins: [probe] });
  const { administratorKey: key = "" } = await engine.start();
  const { tag } = await engine.api.createTag(TAG);
  const { port, server } = await listen(createRouter(engine));
  return {
    port,
    key,
    tag,
    async [Symbol.asyncDispose]() {
      await close(server);
      await engine.stop();
    },
  };
}

/** What a host would write by hand: no keys, no checks, no log of activity but where it says so. */
async function openBareSite(tag: unknown, filename: string): Promise<Site> {
  const database = new DatabaseSync(filename);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec(
    "create table tags (id text primary key, doc text); create table activity (id text primary key, doc text)",
  );
  const insertTag = database.prepare("insert into tags values (?, ?)");
  const insertActivity = database.prepare("insert into activity values (?, ?)");
  let counter = 0;
  const newTag = (sent: object) => {
    const id = `t${Date.now().toString(36)}${(counter++).toString(36).padStart(7, "0")}`;
    return { ...sent, id, username: "bench", created: 1, modified: 1, revision: 1 };
  };
  const app = new Hono()
    .get("/nothing", (context) => context.json({ code: 0 }))
    .get("/tag", (context) => context.json({ code: 0, tag }))
    .post("/tag", async (context) => context.json({ code: 0, tag: newTag(await context.req.json()) }))
    .post("/stored", async (context) => {
      const made = newTag(await context.req.json());
      database.exec("begin immediate");
      insertTag.run(made.id, JSON.stringify(made));
      insertActivity.run(made.id, JSON.stringify({ action: "tag_create", tag: made, ip: "127.0.0.1", headers: {} }));
      database.exec("commit");
      return context.json({ code: 0, tag: made });
    });
  const { port, server } = await listen(app);
  return {
    port,
    key: "",
    async [Symbol.asyncDispose]() {
      await close(server);
      database.close();
    },
  };
}

/** `cpuMicros` is what this process, the server, spent on one request: steadier than throughput on a busy machine. */
interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function load(child: ChildProcess, order: LoadOrder): Promise<LoadResult & Measured> {
  const before = process.cpuUsage();
  const answer = once(child, "message");
  child.send(order);
  const [result] = (await answer) as [LoadResult];
  const { user, system } = process.cpuUsage(before);
  return { ...result, cpuMicros: (user + system) / result.answers };
}

function shuffle<T>(items: readonly T[]): T[] {
  const random = systemRandom();
  return items
    .map((item) => ({ item, order: random.fraction() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

type Round = ReadonlyMap<string, Measured>;

async function runRound(
  child: ChildProcess,
  scenarios: readonly Scenario[],
  options: HttpBenchmarkOptions,
): Promise<Round> {
  const { measureMs = 2000, connections = 50 } = options;
  const round = new Map<string, Measured>();
  for (const { name, port, request } of shuffle(scenarios)) {
    const order = { port, request, connections, warmupMs: measureMs / 4, measureMs };
    const { perSecond, cpuMicros, failures } = await load(child, order);
    if (failures > 0) throw new Error(`${name}: ${failures} answers were no success`);
    round.set(name, { perSecond, cpuMicros });
  }
  return round;
}

/** Anchor and goal of each figure (speed goals P5, P6, P8). */
const COMPARISONS: readonly { name: string; anchor: string; target?: number }[] = [
  { name: "dispatch, memory", anchor: "bare GET", target: 0.8 },
  { name: "get_tag, memory", anchor: "bare GET tag", target: 0.8 },
  { name: "get_tag, SQLite", anchor: "bare GET tag" },
  { name: "create_tag, memory", anchor: "bare POST" },
  { name: "create_tag, SQLite FULL", anchor: "bare POST", target: 0.6 },
  { name: "create_tag, SQLite FULL", anchor: "transaction per POST", target: 15 },
];

function rowsOf(rounds: readonly Round[], scenarios: readonly Scenario[]): Row[] {
  const figure = (round: Round, name: string, which: keyof Measured): number => round.get(name)?.[which] ?? Number.NaN;
  const middle = (name: string, which: keyof Measured): number =>
    median(rounds.map((round) => figure(round, name, which)));
  const ratioOf = (name: string, anchor: string): number =>
    median(rounds.map((round) => figure(round, name, "perSecond") / figure(round, anchor, "perSecond")));
  return [
    ...scenarios.map(({ name }) => ({ name, value: middle(name, "perSecond"), unit: "req/s" })),
    ...scenarios.map(({ name }) => ({ name: `${name}, server CPU`, value: middle(name, "cpuMicros"), unit: "µs" })),
    ...COMPARISONS.map(({ name, anchor, ...goal }) => ({
      name: `${name} / ${anchor}`,
      value: middle(name, "perSecond"),
      unit: "req/s",
      ratio: ratioOf(name, anchor),
      ...goal,
    })),
  ];
}

/**
 * Requests per second over real HTTP, beside the same by hand in bare Hono; rounds in random order, medians of ratios
 * within a round. The load comes from a process of its own. Takes about two minutes by default.
 */
export async function benchmarkHttp(options: HttpBenchmarkOptions = {}): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const child = fork(new URL("./http-load.ts", import.meta.url));
  try {
    await using memory = await openSite(memoryStorage());
    await using sqlite = await openSite(sqliteStorage({ filename: join(folder, "signalbox.db") }));
    await using bare = await openBareSite(memory.tag, join(folder, "bare.db"));
    const scenarios: Scenario[] = [
      { name: "bare GET", port: bare.port, request: get("/nothing") },
      { name: "bare GET tag", port: bare.port, request: get("/tag") },
      { name: "bare POST", port: bare.port, request: post("/tag") },
      { name: "transaction per POST", port: bare.port, request: post("/stored") },
      { name: "dispatch, memory", port: memory.port, request: get("/api/app/bench_probe/v1", memory.key) },
      { name: "get_tag, memory", port: memory.port, request: get("/api/app/get_tag/v1?id=bench", memory.key) },
      { name: "get_tag, SQLite", port: sqlite.port, request: get("/api/app/get_tag/v1?id=bench", sqlite.key) },
      { name: "create_tag, memory", port: memory.port, request: post("/api/app/create_tag/v1", memory.key) },
      { name: "create_tag, SQLite FULL", port: sqlite.port, request: post("/api/app/create_tag/v1", sqlite.key) },
    ];
    const rounds: Round[] = [];
    for (let round = 0; round < (options.rounds ?? 5); round++) rounds.push(await runRound(child, scenarios, options));
    return rowsOf(rounds, scenarios);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) printReport("HTTP", await benchmarkHttp());

/** A server to be measured, in its own process, so that garbage of one contender does not slow another down. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox } from "@signalbox/core";
import { defineCommand, definePlugin, defineQuery, privilege } from "@signalbox/core/plugin";
import type { Storage } from "@signalbox/core/storage";
import { createRouter } from "@signalbox/http-hono";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import type { Hono } from "hono";
import * as z from "zod";
import { barePostgres, bareRoutes, bareSqlite, usualSqlite } from "./bare.ts";
import { type CallName, KEY, type Order, type Ready, type Report, TAG, TITLES } from "./contenders.ts";
import { groupedSqlite } from "./grouped.ts";

const IN_FLIGHT = 50;

interface Site {
  readonly app: Hono;
  readonly calls: Partial<Record<CallName, () => Promise<unknown>>>;
}

/** Operations that need a key with a privilege and do nothing: they measure the cost of a call, also inside a transaction. */
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
      handler: () => ({}),
    }),
    defineCommand({
      name: "bench_command",
      method: "POST",
      summary: "Change nothing.",
      access: privilege("create_tags"),
      input: z.looseObject({}),
      output: z.object({}),
      together: true,
      handler: async () => ({}),
    }),
  ],
});

async function openEngine(storage: Storage): Promise<Site> {
  const secretKey = "a key for benchmarks only";
  const engine = createSignalbox({ storage, secretKey, administratorKey: KEY, plugins: [probe] });
  await engine.start();
  const { api } = engine;
  await api.createTag({ ...TITLES, id: TAG.id });
  return {
    app: createRouter(engine),
    calls: { getTag: () => api.getTag({ id: TAG.id }), createTag: () => api.createTag(TITLES) },
  };
}

const bare = (app: Hono): Site => ({ app, calls: {} });

/** Contenders by name; `place` is a file for SQLite and a URL for PostgreSQL. */
const sites: Readonly<Record<string, (place: string) => Site | Promise<Site>>> = {
  bare: () => bare(bareRoutes()),
  "bare-sqlite": (place) => bare(bareSqlite(place)),
  "bare-postgres": async (place) => bare(await barePostgres(place)),
  "grouped-sqlite": (place) => bare(groupedSqlite(place)),
  "usual-sqlite": (place) => bare(usualSqlite(place)),
  "engine-sqlite": (place) => openEngine(sqliteStorage({ filename: place })),
  "engine-postgres": (place) => openEngine(pgStorage({ connectionString: place })),
};

/** Keeps as many calls in flight as the HTTP load has connections; resolves to how many were completed. */
async function callFor(ms: number, call: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + ms;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (; performance.now() < until; done++) await call();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return done;
}

async function obey({ calls }: Site, { call, ms }: Order): Promise<Report> {
  const run = call && calls[call];
  const started = performance.now();
  const done = run ? await callFor(ms, run) : 0;
  const { user, system } = process.cpuUsage();
  return { done, tookMs: performance.now() - started, cpuMicros: user + system };
}

const [kind = "", place = ""] = process.argv.slice(2);
const open = sites[kind];
if (!open) throw new Error(`There is no contender "${kind}"`);
const site = await open(place);
const server = createServer(getRequestListener(site.app.fetch)).listen(0, "127.0.0.1");
await once(server, "listening");
process.on("message", async (order: Order) => process.send?.(await obey(site, order)));
process.on("disconnect", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port } satisfies Ready);

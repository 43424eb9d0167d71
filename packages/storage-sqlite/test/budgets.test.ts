import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createSignalbox } from "@signalbox/core";
import { fakeClock, type ScriptedServer, scriptedAgent } from "@signalbox/core/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sqliteStorage } from "../src/index.ts";
import { type Counted, countStatements } from "./counted.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-budgets-"));
const counter = countStatements();
const clock = fakeClock();
const agents = scriptedAgent();
const filename = join(folder, "budgets.db");
const storage = sqliteStorage({ filename, clock });
const engine = createSignalbox({ storage, clock, agents, secretKey: "a key of tests alone" });
const { api } = engine;

afterAll(async () => {
  await engine.stop();
  counter[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const minutes = new URL("../../core/src/testing/fixtures/agent-monitor.json", import.meta.url);
const minute = JSON.parse(readFileSync(minutes, "utf8")) as object;
const ticket = {
  subject: "backup disk network cluster release",
  body: "queue latency memory kernel firewall storage replica index cache login ".repeat(4),
  type: "issue",
  status: "open",
  tags: ["important"],
} as const;

/** Connects a satellite that ends each of its jobs at once. */
async function connect(id: string): Promise<ScriptedServer> {
  const server = await agents.connect({
    ...{ id, hostname: `${id}.example` },
    onMessage({ cmd, data }) {
      if (cmd !== "launch_job") return;
      const { id: job } = (data as { job: { id: string } }).job;
      server.send("jobs", { [job]: { id: job, state: "complete", complete: true, code: 0, progress: 1 } });
    },
  });
  return server;
}

const happened = (type: "job.completed" | "server.minute"): Promise<void> =>
  new Promise((resolve) => {
    const listener = (): void => {
      engine.events.off(type, listener);
      resolve();
    };
    engine.events.on(type, listener);
  });

/** Turns of the event loop without a statement after which the work counts as over: the clock stands still. */
const QUIET = 300;
async function settled(): Promise<void> {
  for (let turns = 0, before = counter.count; turns < QUIET; turns++) {
    await nextTurn();
    if (counter.count !== before) [turns, before] = [0, counter.count];
  }
}

/** Waits for the canary of the key, which the engine seals after the first secret: the key is derived in the background. */
async function sealed(): Promise<void> {
  using database = new DatabaseSync(filename, { readOnly: true });
  const seals = database.prepare("select count(*) as count from sb_secret_canary where doc like '%seal%'");
  await vi.waitUntil(() => Number(seals.get()?.["count"]) > 0, { timeout: 120_000 });
}

async function runJob(): Promise<void> {
  const ended = happened("job.completed");
  await api.runEvent({ id: "nothing" });
  await ended;
}

async function sendMinute(server: ScriptedServer | undefined): Promise<void> {
  const stored = happened("server.minute");
  server?.send("monitor", { ...minute, server: server.id, date: clock.now() });
  await stored;
}

/** One minute of an idle engine, second by second: a late round would displace the next one. */
async function quietMinute(): Promise<void> {
  for (let second = 0; second < 60; second++) {
    await clock.advance(1);
    await settled();
  }
}

let id = "";
let known: ScriptedServer | undefined;
let fresh: ScriptedServer | undefined;
beforeAll(async () => {
  await engine.start();
  for (const { id } of (await api.getAlerts({})).rows) await api.deleteAlert({ id });
  id = (await api.createTicket(ticket)).ticket.id;
  await api.createSecret({ id: "held", title: "Held", enabled: true, fields: [{ name: "TOKEN", value: "value" }] });
  await api.decryptSecret({ id: "held" });
  known = await connect("known");
  fresh = await connect("fresh");
  await api.createEvent({
    ...{ id: "nothing", title: "Nothing", enabled: true, category: "general", plugin: "shellplug", algo: "random" },
    targets: ["known"],
    params: { script: "true" },
    triggers: [{ type: "manual", enabled: true }],
  });
  await sendMinute(known);
  await runJob();
  await clock.advance(61);
  await sealed();
});

const works: Readonly<Record<string, () => Promise<unknown>>> = {
  create_ticket: () => api.createTicket(ticket),
  update_ticket: () => api.updateTicket({ id, subject: "another subject of five words" }),
  get_ticket: () => api.getTicket({ id }),
  search_tickets: () => api.searchTickets({ query: "latency", limit: 25, compact: true }),
  get_tags: () => api.getTags({}),
  get_active_jobs: () => api.getActiveJobs({}),
  decrypt_secret: () => api.decryptSecret({ id: "held" }),
  "a minute": () => sendMinute(known),
  "the first minute of a server": () => sendMinute(fresh),
  "a job on a satellite": runJob,
};

/** Lower a number when it falls; a rise is a cost for everybody and needs a reason in its commit. */
test.each<[string, Counted]>([
  ["create_ticket", { statements: 8, rows: 6, bytes: 2120, flushes: 1 }],
  ["update_ticket", { statements: 7, rows: 5, bytes: 2274, flushes: 1 }],
  ["get_ticket", { statements: 1, rows: 0, bytes: 0, flushes: 0 }],
  ["search_tickets", { statements: 6, rows: 0, bytes: 0, flushes: 0 }],
  ["get_tags", { statements: 0, rows: 0, bytes: 0, flushes: 0 }],
  ["get_active_jobs", { statements: 1, rows: 0, bytes: 0, flushes: 0 }],
  ["decrypt_secret", { statements: 6, rows: 4, bytes: 565, flushes: 1 }],
  ["a minute", { statements: 5, rows: 1, bytes: 206, flushes: 1 }],
  ["the first minute of a server", { statements: 8, rows: 3, bytes: 7518, flushes: 1 }],
  ["a job on a satellite", { statements: 17, rows: 22, bytes: 3810, flushes: 2 }],
])("%s costs SQLite its budget of statements", async (name, budget) => {
  await settled();
  counter.take();
  await works[name]?.();
  await settled();
  expect(counter.take()).toEqual(budget);
});

test("a ticket that is mailed to users costs SQLite its budget of statements", async () => {
  let sent = 0;
  const mailer = { send: async () => void sent++ };
  const own = sqliteStorage({ filename: join(folder, "mails.db"), clock });
  const config = { email_from: "ops@example.com" };
  const telling = createSignalbox({ storage: own, clock, config, mailer, secretKey: "a key of tests alone" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => telling.stop());
  await telling.start();
  const tell = async (): Promise<void> => {
    const before = sent;
    await telling.api.createTicket({ ...ticket, cc: ["ada@example.com"] });
    await expect.poll(() => sent).toBe(before + 1);
    await settled();
  };
  await tell();
  counter.take();
  await tell();
  expect(counter.take()).toEqual({ statements: 20, rows: 9, bytes: 3112, flushes: 3 });
});

/** An engine with the default alerts, whose satellites report a minute in which one of them fires. */
async function watchFirings(name: string, stack: AsyncDisposableStack) {
  const time = fakeClock();
  const own = sqliteStorage({ filename: join(folder, name), clock: time });
  const satellites = scriptedAgent();
  const watching = createSignalbox({
    storage: own,
    clock: time,
    agents: satellites,
    secretKey: "a key of tests alone",
  });
  stack.defer(() => watching.stop());
  await watching.start();
  return {
    ...{ time, events: watching.events },
    async connect(id: string): Promise<() => void> {
      const server = await satellites.connect({ id, hostname: `${id}.example` });
      await settled();
      return () => server.send("monitor", { ...minute, server: id, date: time.now() });
    },
  };
}

test("a first minute in which an alert fires costs SQLite its budget of statements", async () => {
  await using stack = new AsyncDisposableStack();
  const { connect, events } = await watchFirings("firing.db", stack);
  const fire = async (id: string): Promise<void> => {
    const send = await connect(id);
    counter.take();
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    events.on("snapshot.created", () => resolve());
    send();
    await taken;
    await settled();
  };
  await fire("first");
  await fire("second");
  expect(counter.take()).toEqual({ statements: 44, rows: 28, bytes: 19592, flushes: 6 });
});

test("twenty first minutes at once in which an alert fires cost SQLite their budget of statements", async () => {
  await using stack = new AsyncDisposableStack();
  const { connect } = await watchFirings("at-once.db", stack);
  const sends: (() => void)[] = [];
  for (let each = 0; each < 20; each++) sends.push(await connect(`s${each}`));
  counter.take();
  for (const send of sends) send();
  await settled();
  const { rows, bytes, statements } = counter.take();
  expect({ rows, bytes }).toEqual({ rows: 561, bytes: 376_833 });
  // Each group of transactions, of which there are more on a slow machine, costs some; one by one they would be 490.
  expect(statements).toBeLessThan(440);
});

test("counting twenty firings and deciding about their problem costs SQLite its budget of statements", async () => {
  await using stack = new AsyncDisposableStack();
  const { connect, time } = await watchFirings("storm.db", stack);
  for (let each = 0; each < 20; each++) (await connect(`s${each}`))();
  await settled();
  counter.take();
  await time.advance(1);
  await settled();
  expect(counter.take()).toEqual({ statements: 34, rows: 47, bytes: 13531, flushes: 3 });
});

test("a minute in which nothing happens costs SQLite its budget of statements", async () => {
  // The first minute still writes leftovers of earlier work.
  await quietMinute();
  counter.take();
  await quietMinute();
  expect(counter.take()).toEqual({ statements: 83, rows: 8, bytes: 421, flushes: 8 });
});

test("no statement has a limit for which SQLite compiles it again at each run", () => {
  const limited = [...counter.texts].filter((text) => /\blimit\b/i.test(text));
  expect(limited.length).toBeGreaterThan(3);
  expect(limited.filter((text) => /\blimit\s+\?/i.test(text))).toEqual([]);
});

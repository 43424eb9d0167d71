/** A process with an engine and its dashboard on a socket, which takes orders from the benchmark. */
import { systemActor } from "@signalbox/core/plugin";
import type { TestServer } from "@signalbox/core/testing";
import { connectFleet, copiesPlugin, makeCopies } from "../packages/dashboard/test/fixture/company/large.ts";
import { secondOf } from "../packages/dashboard/test/fixture/company/machines.ts";
import { FIXTURE_PAGES } from "../packages/dashboard/test/fixture/pages.ts";
import { serveFixture } from "../packages/dashboard/test/fixture/serve.ts";
import { prepareStore } from "../packages/dashboard/test/fixture/store.ts";
import { historyPlugin, hoursOf } from "./dashboard-history.ts";

/** Orders to the site, each with its parameters. */
export type SiteOrder =
  | { readonly what: "start"; readonly servers: number }
  | { readonly what: "hours"; readonly server: string; readonly count: number }
  | { readonly what: "job" }
  | { readonly what: "lines"; readonly perSecond: number; readonly seconds: number }
  | { readonly what: "run"; readonly seconds: number; readonly restMs: number }
  | { readonly what: "idle"; readonly seconds: number }
  | { readonly what: "change" }
  | { readonly what: "fill"; readonly jobs: number; readonly tickets: number }
  | { readonly what: "paths" };

export interface SiteAnswer {
  readonly url?: string;
  readonly key?: string;
  /** First and last filled hour, in Unix seconds. */
  readonly from?: number;
  readonly to?: number;
  /** Number of monitors in them. */
  readonly monitors?: number;
  readonly job?: string;
  /** Milliseconds of processor time. */
  readonly cpuMs?: number;
  /** How often the most repeated text was serialised. */
  readonly most?: number;
  /** Pages to open, and what must be on them. */
  readonly pages?: readonly { readonly name: string; readonly path: string; readonly ready: string }[];
}

const LINES_EVERY_MS = 100;
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const store = await prepareStore({ plugins: [historyPlugin, copiesPlugin] });
const { box } = store;
const served = await serveFixture(store);
const fleet: TestServer[] = [];
let seconds = 0;
let isRunning = true;

/** One second in the life of every server. */
async function second(): Promise<void> {
  const at = seconds;
  for (const [seed, server] of fleet.entries())
    server.send("quickmon", secondOf({ id: server.id, cpu: (seed % 90) / 100, memory: 0.5, disk: 0.4 }, at, seed));
  seconds += 1;
  await store.second();
}

async function live(): Promise<void> {
  while (true) {
    const begun = performance.now();
    if (isRunning) await second();
    await rest(Math.max(10, 1000 - (performance.now() - begun)));
  }
}

/** Fills this many hours of a server, up to the last complete hour. */
async function hours(server: string, count: number): Promise<SiteAnswer> {
  const { rows } = await box.api.getMonitors({});
  const first = Math.floor(box.clock.now() / 3600) - count;
  const points = hoursOf(rows, first, count);
  await box.signalbox.execute({ operation: "bench_fill_hours", input: { server, points }, actor: systemActor });
  return { from: first * 3600, to: (first + count) * 3600, monitors: rows.length };
}

/** Writes lines of a running job at an even pace. */
async function lines(id: string, perSecond: number, span: number): Promise<void> {
  const job = store.servers.flatMap(({ jobs }) => jobs).find((one) => one.id === id);
  if (!job) throw new Error(`No machine has the job ${id}`);
  const each = (perSecond * LINES_EVERY_MS) / 1000;
  const begun = performance.now();
  for (let turn = 0; turn < (span * 1000) / LINES_EVERY_MS; turn += 1) {
    const from = turn * each;
    job.log(Array.from({ length: each }, (_, at) => `info row ${from + at} of the import was taken over\n`).join(""));
    await rest(Math.max(0, begun + (turn + 1) * LINES_EVERY_MS - performance.now()));
  }
}

/** Processor time of an idle period of this many seconds, in which only the clock advances. */
async function idle(span: number): Promise<number> {
  isRunning = false;
  await rest(1500);
  const before = process.cpuUsage();
  const begun = performance.now();
  for (let at = 1; at <= span; at += 1) {
    await box.advanceBy({ seconds: 1 });
    await rest(Math.max(0, begun + at * 1000 - performance.now()));
  }
  const { user, system } = process.cpuUsage(before);
  isRunning = true;
  return (user + system) / 1000;
}

/** Changes a tag, and counts how often each text about it was serialised for the streams. */
async function change(): Promise<number> {
  const title = `Tag ${Math.random()}`;
  const made = new Map<string, number>();
  const { stringify } = JSON;
  JSON.stringify = ((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given);
    // Storage and checks serialise the record as well, so only texts made for the event stream count.
    const isSent = typeof text === "string" && text.includes(title) && new Error().stack?.includes("encodeEvent");
    if (isSent) made.set(text, (made.get(text) ?? 0) + 1);
    return text;
  }) as typeof stringify;
  try {
    await box.api.updateTag({ id: "slow", title });
    await box.advanceBy({ seconds: 2 });
    await rest(1000);
  } finally {
    JSON.stringify = stringify;
  }
  if (made.size === 0) throw new Error("Nobody was told of the tag");
  return Math.max(...made.values());
}

const paths = () =>
  Promise.all(FIXTURE_PAGES.map(async ({ name, path, ready }) => ({ name, ready, path: await path(store) })));

let lastJob = "";
async function answer(order: SiteOrder): Promise<SiteAnswer> {
  switch (order.what) {
    case "start": {
      fleet.push(...(await connectFleet(box, order.servers)));
      const { plain_key: key } = (await box.api.createApiKey({
        ...{ title: "Benchmark", active: 1, privileges: { admin: true } },
      } as Parameters<typeof box.api.createApiKey>[0])) as { readonly plain_key: string };
      void live();
      return { url: served.url, key };
    }
    case "hours":
      return hours(order.server, order.count);
    case "job": {
      lastJob = (await box.api.runEvent({ id: "index" })).id;
      await rest(4000);
      return { job: lastJob };
    }
    case "lines":
      await lines(lastJob, order.perSecond, order.seconds);
      return {};
    case "run":
      isRunning = false;
      for (let at = 0; at < order.seconds; at += 1) {
        await second();
        await rest(order.restMs);
      }
      isRunning = true;
      return {};
    case "idle":
      return { cpuMs: await idle(order.seconds) };
    case "change":
      return { most: await change() };
    case "fill":
      await makeCopies(box, order);
      return {};
    case "paths":
      return { pages: await paths() };
  }
}

process.on("message", (order: SiteOrder) => {
  answer(order).then(
    (told) => process.send?.(told),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));
process.send?.({});

/** Cost of a process without callers: its start, its memory, an idle minute, and the library inside a host. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "../report.ts";
import {
  cpuMs,
  residentMb,
  type ServerProcess,
  startFloor,
  startIdleByHand,
  startLeast,
  startStandalone,
} from "./processes.ts";

const RUNS = 5;

export interface Cost {
  readonly cpuMs: number;
  readonly mb: number;
}

const middleOf = (costs: readonly Cost[]): Cost => ({
  cpuMs: median(costs.map((cost) => cost.cpuMs)),
  mb: median(costs.map((cost) => cost.mb)),
});

const costOf = ({ pid }: ServerProcess): Cost => ({ cpuMs: cpuMs(pid), mb: residentMb(pid) });

interface Starts {
  readonly own: Cost;
  readonly bare: Cost;
  readonly hand: Cost;
}

/** Measures the time from the start of the process to its first answer, with an empty folder. */
export async function measureStart(): Promise<Starts> {
  const turns: Starts[] = [];
  for (let run = 0; run < RUNS; run++) {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-start-"));
    await using bare = await startFloor();
    await using hand = await startLeast(folder);
    await using own = await startStandalone(folder);
    turns.push({ own: costOf(own), bare: costOf(bare), hand: costOf(hand) });
    rmSync(folder, { recursive: true, force: true });
  }
  const middle = (name: keyof Starts): Cost => middleOf(turns.map((turn) => turn[name]));
  return { own: middle("own"), bare: middle("bare"), hand: middle("hand") };
}

/** Milliseconds after the first answer in which a process compiles hot code and collects the garbage of its start. */
const SETTLING_MS = 30_000;

/** Idle processor time in percent of a core, ours and hand-written. */
export async function measureIdle({ pid }: ServerProcess, seconds: number): Promise<{ own: number; hand: number }> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-idle-"));
  await using hand = await startIdleByHand(folder);
  await sleep(SETTLING_MS);
  const before = [cpuMs(pid), cpuMs(hand.pid)] as const;
  await sleep(seconds * 1000);
  const percent = (since: number, each: number): number => (cpuMs(each) - since) / (seconds * 10);
  rmSync(folder, { recursive: true, force: true });
  return { own: percent(before[0], pid), hand: percent(before[1], hand.pid) };
}

const BARE = `
  const { Hono } = await import("hono");
  const { getRequestListener } = await import("@hono/node-server");
  const { createServer } = await import("node:http");
  const app = new Hono().get("/", (context) => context.text("host"));
  createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
`;
const MOUNTED = `
  const { createSignalbox } = await import("@signalbox/core");
  const { createRouter } = await import("@signalbox/http-hono");
  const { sqliteStorage } = await import("@signalbox/storage-sqlite");
  const signalbox = createSignalbox({ storage: sqliteStorage({ filename: ":memory:" }), secretKey: "0123456789abcdef" });
  app.route("/", createRouter(signalbox));
  await signalbox.start();
`;
const BY_HAND = `
  const { mountByHand } = await import("${new URL("hand-mount.mjs", import.meta.url).href}");
  await mountByHand(app);
`;
const REPORT = `
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { user, system } = process.cpuUsage();
  const rss = process.memoryUsage().rss;
  // As an argument it would have Node compile its own modules again, which no host has to pay.
  (await import("node:v8")).setFlagsFromString("--expose-gc");
  (await import("node:vm")).runInNewContext("gc")();
  console.log(JSON.stringify([(user + system) / 1000, rss / 1048576, process.memoryUsage().heapUsed / 1048576]));
  process.exit();
`;

/** Cost of a mounted library beyond the bare host's. */
export interface Mounting extends Cost {
  readonly heapMb: number;
}

/** Measures the cost that the published library, and a hand-written one, add to a bare Hono host, each in its own process. */
export function measureMounting(): { own: Mounting; hand: Mounting } {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const run = (program: string): number[] =>
    JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "-e", BARE + program + REPORT], { cwd, encoding: "utf8" }),
    );
  const turns = Array.from({ length: RUNS }, () => [run(""), run(MOUNTED), run(BY_HAND)] as const);
  const beyondBare = (which: 1 | 2): Mounting => {
    const at = (index: number): number =>
      median(turns.map((turn) => (turn[which][index] ?? Number.NaN) - (turn[0][index] ?? Number.NaN)));
    return { cpuMs: at(0), mb: at(1), heapMb: at(2) };
  };
  return { own: beyondBare(1), hand: beyondBare(2) };
}

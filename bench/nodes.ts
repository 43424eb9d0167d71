import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figures, measure, type Setting } from "./nodes/cost.ts";
import { openDatabase } from "./nodes/database.ts";
import { type Latency, measureLatency, type Waits } from "./nodes/latency.ts";
import { type MassFigures, measureMass } from "./nodes/mass.ts";
import { openPostgres } from "./postgres.ts";
import { type ServerProcess, startStandalone } from "./wire/processes.ts";

export interface NodesOptions {
  /** Number of satellites per node, in each of the three settings. */
  readonly satellites: number;
  /** A mass of satellites over three nodes, and for how many minutes. */
  readonly mass: { readonly satellites: number; readonly minutes: number };
  /** Parts to run: `latency`, `cost`, `mass`. */
  readonly only: RegExp;
}

const NODES = 3;

/** Settings that differ per node. */
const ownOf = (folder: string, index: number) => ({
  SIGNALBOX_SERVER_ID: `own${index}`,
  SIGNALBOX_LOG_DIR: join(folder, `log${index}`),
});

/** Starts this many stand-alone servers on a new database, with a shared blob store. */
async function openNodes(
  stack: AsyncDisposableStack,
  count: number,
  { folder, url }: { readonly folder: string; readonly url: string },
): Promise<Setting> {
  const nodes: ServerProcess[] = [];
  for (let index = 0; index < count; index++)
    nodes.push(stack.use(await startStandalone(folder, url, ownOf(folder, index))));
  return { nodes, database: stack.use(await openDatabase(url)) };
}

/**
 * Measures one, two and three nodes on one PostgreSQL: waiting times between nodes, the cost of a minute, a job and a list, and
 * how many satellites three nodes can serve.
 */
export async function runNodes({ satellites, mass, only }: NodesOptions): Promise<[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-nodes-"));
  const part = async (name: string, run: (stack: AsyncDisposableStack, folder: string) => Promise<void>) => {
    if (!only.test(name)) return;
    await using stack = new AsyncDisposableStack();
    await run(stack, join(folder, name));
  };
  /** Opens nodes on their own PostgreSQL server, so that its processor time is theirs alone. */
  const open = async (stack: AsyncDisposableStack, count: number, place: string): Promise<Setting> => {
    const url = await (await openPostgres(stack, "nodes"))();
    return openNodes(stack, count, { folder: place, url });
  };
  try {
    await part("latency", async (stack, place) =>
      printLatency(await measureLatency((await open(stack, 2, place)).nodes)),
    );
    await part("cost", async (stack, place) => {
      const settings: Setting[] = [];
      for (let count = 1; count <= NODES; count++) settings.push(await open(stack, count, `${place}${count}`));
      const found = await measure(settings, satellites);
      console.log([HEAD, ...found.map((figures, index) => lineOf(index + 1, figures))].join("\n"));
    });
    await part("mass", async (stack, place) => {
      const { nodes, database } = await open(stack, NODES, place);
      printMass(await measureMass(nodes, database, mass), mass);
      printComplaints(place);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [];
}

const HEAD = `| nodes | a minute, µs in nodes + database, bytes of log | a job | a server in a list | a second at rest | connections |
|---:|---:|---:|---:|---:|---:|`;

const short = (value: number): string => String(Number(value.toPrecision(3)));

function lineOf(nodes: number, { minute, job, listed, rest, connections }: Figures): string {
  const cells = [minute, job, listed, rest].map(
    (cost) => `${short(cost.nodes)} + ${short(cost.database)}, ${short(cost.logBytes)}`,
  );
  return `| ${nodes} | ${cells.join(" | ")} | ${connections} |`;
}

function printLatency(found: readonly Latency[]): void {
  const both = ({ p50, p99 }: Waits): string => `${short(p50)}, ${short(p99)}`;
  const lines = found.map(({ operation, near, far }) => `| \`${operation}\` | ${both(near)} | ${both(far)} |`);
  console.log(["| ms, p50 and p99 | of a server here | of another node |", "|---|---:|---:|", ...lines, ""].join("\n"));
}

function printMass(figures: MassFigures, { satellites, minutes }: NodesOptions["mass"]): void {
  const { sent, missed, stored, shares, databaseShare, residentMb, connections } = figures;
  const percent = (share: number): string => `${short(share * 100)} %`;
  console.log(`\n${satellites} satellites over ${NODES} nodes for ${minutes} minutes: ${sent} reports sent, ${missed} due while their satellite was
away, ${stored} stored; ${figures.satellites.join(", ")} agents at the end;
of a core ${shares.map(percent).join(", ")} in the nodes, ${percent(databaseShare)} in the database;
${residentMb.map((mb) => `${Math.round(mb)} MB`).join(", ")} resident, ${connections} connections`);
}

/** Prints the warnings and errors of the nodes, with their counts. */
function printComplaints(folder: string): void {
  const lines = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /Error\.[^/]*\.log$/.test(name))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "");
  const byText = Map.groupBy(lines, (line) => line.split("][")[MESSAGE] ?? line);
  console.log(`${lines.length} warnings and errors in their logs`);
  for (const [text, all] of byText) console.log(`  ${all.length} × ${text}`);
}
/** Column of the message in a log line. */
const MESSAGE = 7;

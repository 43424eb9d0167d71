import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figures, measure } from "./nodes/cost.ts";
import { openDatabase } from "./nodes/database.ts";
import { type MassFigures, measureMass } from "./nodes/mass.ts";
import { openPostgres } from "./postgres.ts";
import { startStandalone } from "./wire/processes.ts";

export interface NodesOptions {
  /** In each of the three settings. */
  readonly satellites: number;
  /** Over three nodes, for so many minutes. */
  readonly mass: { readonly satellites: number; readonly minutes: number };
  /** Parts to run: `cost`, `mass`. */
  readonly only: RegExp;
}

const NODES = 3;

/** So many stand-alone servers on a new database, with one store of files. */
async function withNodes<Answer>(
  count: number,
  place: { readonly folder: string; readonly url: string },
  work: (
    nodes: Awaited<ReturnType<typeof startStandalone>>[],
    database: Awaited<ReturnType<typeof openDatabase>>,
  ) => Promise<Answer>,
): Promise<Answer> {
  await using stack = new AsyncDisposableStack();
  const nodes: Awaited<ReturnType<typeof startStandalone>>[] = [];
  for (let index = 0; index < count; index++)
    nodes.push(stack.use(await startStandalone(place.folder, place.url, { SIGNALBOX_SERVER_ID: `own${index}` })));
  const database = stack.use(await openDatabase(place.url));
  return await work(nodes, database);
}

/** One, two and three nodes on one PostgreSQL: what a minute, a job and a list cost, and how many satellites three carry. */
export async function runNodes({ satellites, mass, only }: NodesOptions): Promise<[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-nodes-"));
  try {
    await using stack = new AsyncDisposableStack();
    const open = await openPostgres(stack, "nodes");
    if (only.test("cost")) {
      console.log(HEAD);
      for (let count = 1; count <= NODES; count++) {
        const place = { folder: join(folder, `cost${count}`), url: await open() };
        console.log(
          lineOf(count, await withNodes(count, place, (nodes, database) => measure(nodes, database, satellites))),
        );
      }
    }
    if (only.test("mass")) {
      const place = { folder: join(folder, "mass"), url: await open() };
      printMass(await withNodes(NODES, place, (nodes, database) => measureMass(nodes, database, mass)), mass);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [];
}

const HEAD = `| nodes | a minute, µs in nodes + database, bytes of log | a job | list of all servers | quick readings here, elsewhere, ms | connections | commits a second at rest |
|---:|---:|---:|---:|---:|---:|---:|`;

const short = (value: number): string => String(Number(value.toPrecision(3)));

function lineOf(nodes: number, { minute, job, list, nearMs, farMs, connections, restCommits }: Figures): string {
  const cells = [minute, job, list].map(
    (cost) => `${short(cost.nodes)} + ${short(cost.database)}, ${short(cost.logBytes)}`,
  );
  const looks = `${short(nearMs)}, ${farMs === undefined ? "" : short(farMs)}`;
  return `| ${nodes} | ${cells.join(" | ")} | ${looks} | ${connections} | ${short(restCommits)} |`;
}

function printMass(figures: MassFigures, { satellites, minutes }: NodesOptions["mass"]): void {
  const percent = (share: number): string => `${short(share * 100)} %`;
  console.log(`\n${satellites} satellites over ${NODES} nodes for ${minutes} minutes: ${figures.sent} reports sent, ${figures.stored} stored;
of a core ${figures.shares.map(percent).join(", ")} in the nodes, ${percent(figures.databaseShare)} in the database;
${figures.residentMb.map((mb) => `${Math.round(mb)} MB`).join(", ")} resident, ${figures.connections} connections`);
}

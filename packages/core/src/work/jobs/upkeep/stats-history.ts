import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { allOf, below, hasWord } from "../../../search/ast.ts";
import { jobStatsCollection } from "../collection.ts";
import { cutsId, dayOfRow, inPeriod, treeOf } from "./rules/periods.ts";
import type { Counts } from "./rules/stats.ts";

/** One counting period. */
export interface StatsPeriod {
  /** Unix seconds of the first count. */
  readonly epoch: number;
  /** "2026-11-24", local. */
  readonly date: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StatsHistory {
  /** Closed periods and their number, newest first. `sections`: false = only the sums of the installation. */
  page(
    page: { readonly offset: number; readonly limit: number },
    sections: boolean,
  ): Promise<{ rows: StatsPeriod[]; total: number }>;
  /** Counts since the day began or was cut. */
  current(sections: boolean): Promise<StatsPeriod>;
}

type Row = readonly [section: string, counts: Counts];

/** Matches ids before the end of a period's ids. "0" is the character after the slash. */
const endOf = (root: string) => below("id", `${root.slice(0, -1)}0`);

/** Lock that serialises writers of counters. */
export const STATS_LOCK = "jobs:stats";
/** Rows per read. */
const PAGE = 500;
/** Most rows of one period that are shown: statistics of a hundred thousand servers need other tools. */
const MAX_ROWS = 20_000;

/** Number of the day's current period, which is the number of resets of the statistics so far. */
export const periodOf = async (tx: ReadTx, day: string): Promise<number> =>
  (await tx.collection(jobStatsCollection).get(cutsId(day)))?.counts["cuts"] ?? 0;

/** Unix seconds of the day's last cut; 0 = never cut. */
export const cutAt = async (tx: ReadTx, day: string): Promise<number> =>
  (await tx.collection(jobStatsCollection).get(cutsId(day)))?.epoch ?? 0;

/** Cuts the day, unless nothing has been counted since it began or was cut. */
export async function closePeriod(tx: WriteTx, day: string, epoch: number): Promise<void> {
  await tx.lock(STATS_LOCK);
  const stats = tx.collection(jobStatsCollection);
  const cuts = await periodOf(tx, day);
  if (!(await stats.get(inPeriod(`${day}/`, cuts)))) return;
  const id = cutsId(day);
  const cut = { id, counts: { cuts: cuts + 1 }, epoch };
  if (cuts === 0) await stats.insert(cut);
  else await stats.update(id, () => cut);
}

interface Deps extends Pick<Cradle, "clock" | "snapshot"> {
  dayOf(time: number): string;
  /** Rows of the current periods that have not been written. */
  waiting(): readonly (readonly [string, Counts])[];
  /** Runs a read of stored rows and then of waiting ones, so that no row moves between them meanwhile. */
  still<R>(work: () => Promise<R>): Promise<R>;
}

const isPeriod = hasWord("kind", "period");

/** Id of the root row of the day's current period. */
const currentRoot = async (tx: ReadTx, day: string): Promise<string> => inPeriod(`${day}/`, await periodOf(tx, day));

/** Reads the sections of a period, whose rows follow its root row `<root>`; without sections only that row. */
async function read({ clock, snapshot }: Deps, root: string, sections: boolean): Promise<Row[]> {
  if (!sections) {
    const stored = await snapshot((tx) => tx.collection(jobStatsCollection).get(root));
    return stored ? [["", stored.counts]] : [];
  }
  const rows: Row[] = [];
  const breath = createBreath(clock);
  const walk = { where: endOf(root), size: PAGE, after: root.slice(0, -1) };
  for await (const page of pagesById(snapshot, jobStatsCollection, walk)) {
    rows.push(...page.map(({ id, counts }): Row => [id.slice(root.length), counts]));
    if (rows.length >= MAX_ROWS) break;
    await breath();
  }
  return rows;
}

export function createStatsHistory(deps: Deps): StatsHistory {
  const { clock, dayOf, snapshot, still, waiting } = deps;
  async function current(sections: boolean): Promise<StatsPeriod> {
    const day = dayOf(clock.now());
    const { root, stored } = await snapshot(async (tx) => {
      const id = await currentRoot(tx, day);
      return { root: id, stored: await tx.collection(jobStatsCollection).get(id) };
    });
    const rows = await read(deps, root, sections);
    const fresh = waiting().flatMap(([row, counts]) =>
      dayOfRow(row) === day && (sections || row.endsWith("/")) ? [[row.slice(day.length + 1), counts] as const] : [],
    );
    const data = treeOf([...rows, ...fresh]);
    return { epoch: stored?.epoch ?? Math.floor(clock.now()), date: day, data };
  }

  return {
    current: (sections) => still(() => current(sections)),
    async page({ offset, limit }, sections) {
      const day = dayOf(clock.now());
      const { rows, total } = await snapshot(async (tx) => {
        const closed = allOf([isPeriod, below("id", await currentRoot(tx, day))]);
        return tx.collection(jobStatsCollection).find(closed, { sortBy: "id", descending: true, offset, limit });
      });
      const shown: StatsPeriod[] = [];
      for (const { id, epoch = 0 } of rows)
        shown.push({ epoch, date: dayOfRow(id), data: treeOf(await read(deps, id, sections)) });
      return { rows: shown, total };
    },
  };
}

import { systemRandom } from "@signalbox/core/adapter";
import { median, type Row } from "./report.ts";

/** Result of one contender in one turn. */
export interface Turn {
  readonly perSecond: number;
  /** Processor time of the server's process for one call: steadier than throughput on a busy machine. */
  readonly cpuMicros: number;
}

/** A contender that works for a while when it is its turn. */
export interface Arm {
  readonly name: string;
  readonly unit: string;
  work(measureMs: number): Promise<Turn>;
}

/** A contender and the anchor it is compared with; `floor` and `goal` are ratios. */
export interface Comparison {
  readonly arm: string;
  readonly anchor: string;
  readonly label?: string;
  readonly floor?: number;
  readonly goal?: number;
}

export interface RaceOptions {
  /** Number of runs that medians are taken over; default 5. */
  readonly runs?: number;
  /** Alternating turns of each side of a comparison within a run; default 3. */
  readonly turns?: number;
  readonly turnMs?: number;
  /** One long turn each before the first run, as V8's compiler takes seconds to finish. Default 5000. */
  readonly warmupMs?: number;
}

interface Pairing {
  readonly arm: Turn;
  readonly anchor: Turn;
}

const random = systemRandom();

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: random.fraction() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

const middleOf = (turns: readonly Turn[]): Turn => ({
  perSecond: median(turns.map(({ perSecond }) => perSecond)),
  cpuMicros: median(turns.map(({ cpuMicros }) => cpuMicros)),
});

interface Contest {
  readonly comparison: Comparison;
  readonly arm: Arm;
  readonly anchor: Arm;
  readonly pairings: Pairing[];
}

/** Every turn that counts, by the contender's name. */
type Turns = ReadonlyMap<string, Turn[]>;

/** The two sides of a comparison in short alternating turns. */
async function pair({ arm, anchor }: Contest, all: Turns, turns: number, turnMs: number): Promise<Pairing> {
  const taken = { arm: [] as Turn[], anchor: [] as Turn[] };
  for (let turn = 0; turn < turns; turn++) {
    taken.anchor.push(await anchor.work(turnMs));
    taken.arm.push(await arm.work(turnMs));
  }
  all.get(arm.name)?.push(...taken.arm);
  all.get(anchor.name)?.push(...taken.anchor);
  return { arm: middleOf(taken.arm), anchor: middleOf(taken.anchor) };
}

function contestsOf(arms: readonly Arm[], comparisons: readonly Comparison[]): Contest[] {
  const named = (name: string): Arm | undefined => arms.find((arm) => arm.name === name);
  return comparisons.flatMap((comparison) => {
    const [arm, anchor] = [named(comparison.arm), named(comparison.anchor)];
    return arm && anchor ? [{ comparison, arm, anchor, pairings: [] }] : [];
  });
}

function contestRow({ comparison, arm, pairings }: Contest): Row {
  const { anchor, label = arm.name, arm: _name, ...wanted } = comparison;
  return {
    name: `${label} / ${anchor}`,
    value: median(pairings.map((each) => each.arm.perSecond)),
    unit: arm.unit,
    ratio: median(pairings.map((each) => each.arm.perSecond / each.anchor.perSecond)),
    byCpu: median(pairings.map((each) => each.anchor.cpuMicros / each.arm.cpuMicros)),
    ...wanted,
  };
}

/**
 * Compares contenders in pairs in short alternating turns, so that other load of the machine affects both alike; each run
 * shuffles the comparisons. Ratios are medians of the ratios within a run.
 */
export async function race(
  arms: readonly Arm[],
  comparisons: readonly Comparison[],
  { runs = 5, turns = 3, turnMs = 300, warmupMs = 5000 }: RaceOptions = {},
): Promise<Row[]> {
  const contests = contestsOf(arms, comparisons);
  const lonely = arms.filter(
    ({ name }) => !contests.some(({ arm, anchor }) => name === arm.name || name === anchor.name),
  );
  const all: Turns = new Map(arms.map(({ name }) => [name, []]));
  for (const arm of arms) await arm.work(warmupMs);
  for (let run = 0; run < runs; run++) {
    for (const contest of shuffle(contests)) contest.pairings.push(await pair(contest, all, turns, turnMs));
    for (const arm of lonely) all.get(arm.name)?.push(await arm.work(turns * turnMs));
  }
  const armRow = ({ name, unit }: Arm): Row => {
    const { perSecond, cpuMicros } = middleOf(all.get(name) ?? []);
    return { name, value: perSecond, unit, cpuMicros };
  };
  return [...arms.map(armRow), ...contests.map(contestRow)];
}

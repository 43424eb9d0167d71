import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "./postgres.ts";
import { type CallFigure, measureCalls } from "./wire/calls.ts";
import { type JobFigures, type MinuteFigures, measureJobs, measureMinutes } from "./wire/fleet.ts";
import { planOf, prepare } from "./wire/plan.ts";
import { residentMb, startFloor, startHand, startHandFleet, startStandalone } from "./wire/processes.ts";
import { measureIdle, measureMounting, measureStart } from "./wire/rest.ts";

/** One line of the table. `must` is the highest value that passes, or with `atLeast` the lowest. */
interface Line {
  readonly name: string;
  readonly floor?: string;
  /** Cost of hand-written code, and our cost as a multiple of it. */
  readonly hand?: string;
  readonly value: number;
  readonly unit: string;
  readonly must: number;
  readonly goal: number;
  readonly atLeast?: boolean;
  readonly note?: string;
}

export interface WireOptions {
  readonly tickets: number;
  readonly satellites: number;
  readonly idleSeconds: number;
  /** Parts to run: `calls`, `jobs`, `minutes`, `start` (alone), `idle`; also names of calls. */
  readonly only: RegExp;
  /** Measures on a dedicated PostgreSQL instead of SQLite, against a floor that runs one statement there. */
  readonly onPostgres: boolean;
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

const timesOf = (hand: number, floor: number, own: number): string =>
  `${short(hand * 1000)} µs: ${short(hand / floor)} × floor; ours ${short(own / hand)} × that`;

const callLine = ({ work, callers, floorMs, handMs, ownMs, ratio, lowest, highest }: CallFigure): Line => ({
  name: `${work.name}, ${callers === 1 ? "one caller" : `${callers} callers`}`,
  floor: `${short(floorMs * 1000)} µs`,
  ...(handMs === undefined ? {} : { hand: timesOf(handMs, floorMs, ownMs) }),
  value: ratio,
  unit: "× floor",
  must: work.must,
  goal: work.goal,
  note: `${short(ownMs * 1000)} µs; ${short(lowest)} to ${short(highest)}`,
});

async function* serverLines(options: WireOptions): AsyncGenerator<Line> {
  const { tickets, satellites, idleSeconds, only, onPostgres } = options;
  const folder = mkdtempSync(join(tmpdir(), "signalbox-wire-"));
  try {
    await using stack = new AsyncDisposableStack();
    const database = onPostgres ? await openPostgres(stack, "wire") : undefined;
    await using floor = await startFloor(await database?.());
    const place = await database?.();
    await using server = await startStandalone(folder, place);
    if (only.test("idle")) {
      const { own, hand } = await measureIdle(server, idleSeconds);
      const [name, unit] = [`idle for ${idleSeconds} s`, "% of a core"];
      yield { name, value: own, unit, must: 0.3, goal: 0.1, hand: `${short(hand)} %` };
    }
    const stock = await prepare(server.port, tickets);
    const plan = planOf(stock).filter(({ name }) => only.test(`calls ${name}`));
    await using hand = plan.length === 0 ? undefined : await startHand(folder, server, place);
    for await (const figure of measureCalls(plan, { server, floor, hand })) yield callLine(figure);
    const resident = residentMb(server.pid);
    yield {
      name: `resident after ${tickets} tickets and these calls`,
      value: resident,
      unit: "MB",
      must: 180,
      goal: 140,
    };
    if (!only.test("jobs") && !only.test("minutes")) return;
    const ofJobs = await measureJobs(server);
    await using handFleet = onPostgres ? undefined : await startHandFleet(folder);
    if (only.test("jobs")) yield* jobLines(ofJobs, handFleet && (await measureJobs(handFleet)));
    if (!only.test("minutes")) return;
    const ofMinutes = await measureMinutes(server, satellites);
    yield* minuteLines(ofMinutes, handFleet && (await measureMinutes(handFleet, satellites)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The figure of hand-written code, and how many times as much ours costs. */
const beside = (unit: string, hand: number | undefined, times: number): Pick<Line, "hand"> =>
  hand === undefined ? {} : { hand: `${short(hand)} ${unit}; ours costs ${short(times)} × that` };

const jobLines = (own: JobFigures, hand?: JobFigures): Line[] => [
  {
    ...{ name: "job on a satellite, ten callers", value: own.ten, unit: "ms CPU", must: 1.2, goal: 0.7 },
    ...beside("ms", hand?.ten, own.ten / (hand?.ten ?? Number.NaN)),
  },
  {
    ...{ name: "job on a satellite, one caller", value: own.one, unit: "ms CPU", must: 2, goal: 1.2 },
    ...beside("ms", hand?.one, own.one / (hand?.one ?? Number.NaN)),
  },
];

const minuteLines = (own: MinuteFigures, hand?: MinuteFigures): Line[] => [
  {
    ...{ name: "minutes in a burst", value: own.later, unit: "a second of a core" },
    ...{ must: 4000, goal: 4000, atLeast: true, ...beside("a second", hand?.later, (hand?.later ?? 0) / own.later) },
  },
  {
    ...{ name: "first minutes of new servers", value: own.first, unit: "a second of a core" },
    ...{ must: 2000, goal: 2000, atLeast: true, ...beside("a second", hand?.first, (hand?.first ?? 0) / own.first) },
  },
  {
    ...{ name: "the same, where no alert fires", value: own.quiet, unit: "a second of a core" },
    ...{ must: 2000, goal: 2000, atLeast: true, ...beside("a second", hand?.quiet, (hand?.quiet ?? 0) / own.quiet) },
  },
  {
    ...{ name: "samples of a second", value: own.secondMicros, unit: "µs CPU", must: 25, goal: 15 },
    ...beside("µs", hand?.secondMicros, own.secondMicros / (hand?.secondMicros ?? Number.NaN)),
  },
];

async function* startLines(): AsyncGenerator<Line> {
  const { own, bare, hand } = await measureStart();
  yield {
    ...{ name: "start to first answer", floor: `${short(bare.cpuMs)} ms`, value: own.cpuMs / 1000, unit: "s CPU" },
    ...{ must: 0.6, goal: 0.45, hand: `${short(hand.cpuMs)} ms` },
  };
  const [floor, least] = [`${short(bare.mb)} MB`, `${short(hand.mb)} MB`];
  yield { name: "memory then", floor, value: own.mb, unit: "MB", must: 100, goal: 85, hand: least };
  const mounted = measureMounting();
  yield {
    ...{ name: "mounted and started in Hono, heap", value: mounted.own.heapMb, unit: "MB more", must: 10, goal: 6 },
    ...{ hand: `${short(mounted.hand.heapMb)} MB`, note: `${short(mounted.own.cpuMs)} ms CPU` },
  };
  yield {
    ...{ name: "the same, resident", value: mounted.own.mb, unit: "MB more", must: 30, goal: 20 },
    ...{ hand: `${short(mounted.hand.mb)} MB`, note: `by hand ${short(mounted.hand.cpuMs)} ms CPU` },
  };
}

const isReached = ({ value, must, atLeast }: Line): boolean => (atLeast ? value >= must : value <= must);

function print(line: Line): void {
  const { name, floor = "", hand = "", value, unit, must, goal, atLeast, note = "" } = line;
  const [bound, verdict] = [`${atLeast ? "≥" : "≤"} ${must}`, isReached(line) ? "pass" : "MISS"];
  console.log(
    `| ${name} | ${floor} | ${short(value)} | ${unit} | ${bound} | ${goal} | ${verdict} | ${hand} | ${note} |`,
  );
}

/** Cost of a caller, a satellite and an idle process for the built stand-alone server, over real sockets. */
export async function runWire(options: WireOptions): Promise<[]> {
  console.log(
    "| work | floor | ours | unit | must | goal | verdict | by hand | beside |\n|---|---:|---:|---|---:|---:|---|---|---|",
  );
  const lines: Line[] = [];
  const take = (line: Line): void => {
    lines.push(line);
    print(line);
  };
  if (options.only.test("start")) for await (const line of startLines()) take(line);
  if (options.only.source !== "start") for await (const line of serverLines(options)) take(line);
  console.log(`\n${lines.filter(isReached).length} of ${lines.length} reached.`);
  return [];
}

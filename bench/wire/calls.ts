import { median } from "../report.ts";
import { drive, request } from "./drive.ts";
import type { Work } from "./plan.ts";
import { cpuMs, KEY, type ServerProcess } from "./processes.ts";

/** Cost of one kind of call on the server and on the floor, in milliseconds of processor time. */
export interface CallFigure {
  readonly work: Work;
  readonly callers: number;
  readonly floorMs: number;
  readonly ownMs: number;
  /** Cost on the hand-written server, where there is one. */
  readonly handMs?: number;
  /** Medians over all turns: our cost divided by the floor's. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

const TURNS = 5;
const FLOOR_COUNT = 1000;
const CALLERS = [1, 10] as const;
/**
 * Warm-up turns: Node keeps optimising a path for its first 16,000 calls, and until then `get_tags` costs twice as much. A server
 * that has run for a few minutes is past that.
 */
const WARM_UP_TURNS = 16;

const floorRequest = {
  GET: request("GET", "/", KEY),
  POST: request("POST", "/", KEY, { id: "x", title: "A title" }),
};

async function costOf(server: ServerProcess, connections: number, count: number, make: () => string): Promise<number> {
  const before = cpuMs(server.pid);
  await drive({ port: server.port, connections, count, request: make });
  return (cpuMs(server.pid) - before) / count;
}

/** Servers that take turns. */
export interface Contenders {
  readonly server: ServerProcess;
  readonly floor: ServerProcess;
  readonly hand?: ServerProcess | undefined;
}

async function compare(work: Work, callers: number, { server, floor, hand }: Contenders): Promise<CallFigure> {
  const bare = (): string => floorRequest[work.method];
  const take = async () => ({
    floorMs: await costOf(floor, callers, FLOOR_COUNT, bare),
    ownMs: await costOf(server, callers, work.count, work.request),
    handMs: hand ? await costOf(hand, callers, work.count, work.request) : Number.NaN,
  });
  await take();
  const turns: Awaited<ReturnType<typeof take>>[] = [];
  for (let turn = 0; turn < TURNS; turn++) turns.push(await take());
  const ratios = turns.map(({ floorMs, ownMs }) => ownMs / floorMs).toSorted((a, b) => a - b);
  return {
    ...{ work, callers },
    floorMs: median(turns.map(({ floorMs }) => floorMs)),
    ownMs: median(turns.map(({ ownMs }) => ownMs)),
    ...(hand ? { handMs: median(turns.map(({ handMs }) => handMs)) } : {}),
    ratio: median(ratios),
    lowest: ratios[1] ?? Number.NaN,
    highest: ratios.at(-2) ?? Number.NaN,
  };
}

/**
 * Measures every call with one caller and with ten, alternating with the floor, so that other load of the machine affects both
 * alike.
 */
export async function* measureCalls(plan: readonly Work[], contenders: Contenders): AsyncGenerator<CallFigure> {
  const { server, floor, hand } = contenders;
  for (const make of Object.values(floorRequest)) await costOf(floor, 10, WARM_UP_TURNS * FLOOR_COUNT, () => make);
  for (const work of plan) {
    for (const one of hand ? [server, hand] : [server]) await costOf(one, 10, WARM_UP_TURNS * work.count, work.request);
    for (const callers of CALLERS) yield await compare(work, callers, contenders);
  }
}

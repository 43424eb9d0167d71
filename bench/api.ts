import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../packages/storage-pg/test/embedded-postgres.ts";
import { type CallName, get, post, startContender, startLoad } from "./contenders.ts";
import { type Arm, type Comparison, type RaceOptions, race } from "./race.ts";
import type { Row } from "./report.ts";

const COMPARISONS: readonly Comparison[] = [
  { label: "P5 dispatch", arm: "dispatch", anchor: "bare GET", floor: 0.8, goal: 0.9 },
  { label: "P6 get_tag, SQLite", arm: "get_tag, SQLite", anchor: "bare GET of the JSON", floor: 0.6, goal: 0.8 },
  {
    label: "P6 get_tag, PostgreSQL",
    arm: "get_tag, PostgreSQL",
    anchor: "bare GET of the JSON",
    floor: 0.6,
    goal: 0.8,
  },
  { arm: "get_tag, SQLite", anchor: "bare select, SQLite" },
  { arm: "get_tag, PostgreSQL", anchor: "bare select, PostgreSQL" },
  { label: "P8 create_tag, SQLite", arm: "create_tag, SQLite", anchor: "bare POST", floor: 0.45, goal: 0.6 },
  {
    label: "P8 create_tag, SQLite",
    arm: "create_tag, SQLite",
    anchor: "usual transaction per POST, SQLite",
    floor: 12,
    goal: 15,
  },
  { arm: "create_tag, SQLite", anchor: "bare transaction per POST, SQLite" },
  { arm: "command without a write", anchor: "bare POST" },
  { arm: "rows of a create by hand, grouped", anchor: "bare POST" },
  { arm: "create_tag, PostgreSQL", anchor: "bare POST" },
  {
    label: "P9 create_tag, PostgreSQL",
    arm: "create_tag, PostgreSQL",
    anchor: "bare transaction per POST, PostgreSQL",
    goal: 2.7,
  },
  { arm: "get_tag, SQLite", anchor: "api.getTag, SQLite" },
  { arm: "create_tag, SQLite", anchor: "api.createTag, SQLite" },
  { arm: "get_tag, PostgreSQL", anchor: "api.getTag, PostgreSQL" },
  { arm: "create_tag, PostgreSQL", anchor: "api.createTag, PostgreSQL" },
];

/** Makes a fresh place for the data of one contender. */
type FreshPlace = () => string | Promise<string>;

interface Places {
  readonly sqlite: FreshPlace;
  readonly postgres: FreshPlace;
}

function createPlaces(folder: string, admin: pg.Client, url: string): Places {
  let count = 0;
  return {
    sqlite: () => join(folder, `${++count}.db`),
    async postgres() {
      const name = `bench_${++count}`;
      await admin.query(`create database ${name}`);
      return new URL(`/${name}`, url).href;
    },
  };
}

interface Contestant {
  readonly kind: string;
  readonly place: keyof Places;
  /** Arms over HTTP by name, and arms in process by name. */
  readonly requests: Readonly<Record<string, string>>;
  readonly calls?: Readonly<Record<string, CallName>>;
}

/** Reads and writes go to separate engines, so that garbage from writes does not slow the reads down. */
const onStorage = (place: keyof Places, name: string, more: Readonly<Record<string, string>>): Contestant[] => [
  {
    kind: `bare-${place}`,
    place,
    requests: {
      [`bare select, ${name}`]: get("/tag?id=bench"),
      [`bare transaction per POST, ${name}`]: post("/tag"),
    },
  },
  {
    kind: `engine-${place}`,
    place,
    requests: { ...more, [`get_tag, ${name}`]: get("/api/app/get_tag/v1?id=bench") },
    calls: { [`api.getTag, ${name}`]: "getTag" },
  },
  {
    kind: `engine-${place}`,
    place,
    requests: { [`create_tag, ${name}`]: post("/api/app/create_tag/v1") },
    calls: { [`api.createTag, ${name}`]: "createTag" },
  },
];

const CONTESTANTS: readonly Contestant[] = [
  {
    kind: "bare",
    place: "sqlite",
    requests: { "bare GET": get("/nothing"), "bare GET of the JSON": get("/tag"), "bare POST": post("/tag") },
  },
  {
    kind: "grouped-sqlite",
    place: "sqlite",
    requests: { "rows of a create by hand, grouped": post("/tag") },
  },
  {
    kind: "engine-sqlite",
    place: "sqlite",
    requests: { "command without a write": post("/api/app/bench_command/v1") },
  },
  { kind: "usual-sqlite", place: "sqlite", requests: { "usual transaction per POST, SQLite": post("/tag") } },
  ...onStorage("sqlite", "SQLite", { dispatch: get("/api/app/bench_probe/v1") }),
  ...onStorage("postgres", "PostgreSQL", {}),
];

/** Starts a process for each contestant with selected arms; the stack ends the processes. */
async function openArms(places: Places, only: RegExp, stack: AsyncDisposableStack): Promise<Arm[]> {
  const { child: load } = stack.use(startLoad());
  const arms: Arm[] = [];
  for (const { kind, place, requests, calls = {} } of CONTESTANTS) {
    const names = [...Object.keys(requests), ...Object.keys(calls)].filter((name) => only.test(name));
    if (names.length === 0) continue;
    const contender = stack.use(await startContender(kind, await places[place]()));
    for (const name of names) {
      const [request, call] = [requests[name], calls[name]];
      if (request !== undefined) arms.push(contender.http(name, load, request));
      if (call !== undefined) arms.push(contender.inProcess(name, call));
    }
  }
  return arms;
}

/** `only` selects the arms whose name it matches. */
export interface ApiBenchmarkOptions extends RaceOptions {
  readonly only?: RegExp;
}

/**
 * Reads and writes in process, over HTTP, and hand-written in bare Hono; SQLite in a file with `synchronous=FULL` and a real
 * PostgreSQL with fsync. Every write is acknowledged after its flush.
 */
export async function runApi({ only = /(?:)/, ...options }: ApiBenchmarkOptions = {}): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { url, stop } = await startPostgres({ fsync: true });
  stack.defer(stop);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  stack.defer(() => admin.end());
  const places = createPlaces(folder, admin, url);
  // V8 keeps optimising for this long; with half of it calls are a tenth slower.
  return await race(await openArms(places, only, stack), COMPARISONS, { warmupMs: 10_000, ...options });
}

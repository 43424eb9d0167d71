import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { inTurns } from "../calls/in-turns.ts";
import { oneAtATime } from "../calls/load.ts";
import { api } from "../calls/session.ts";
import { useFreshJobs } from "./fresh-jobs.ts";

/** A finished job as strips show it. */
export interface LastRun {
  readonly id: string;
  readonly event: string;
  readonly code?: unknown;
  readonly elapsed?: number;
  readonly completed: number;
  readonly description?: string;
}

/** The last runs of each event, oldest first; undefined until loaded. */
export const lastRuns = signal<ReadonlyMap<string, readonly LastRun[]> | undefined>(undefined);

/** Most runs of an event in a strip. */
export const STRIP = 30;
/** Jobs per request: the first, and later ones after jobs have ended. */
const FIRST = 1000;
const LATER = 100;
/** Most events that are asked for one by one, because they run too seldom to be among the newest jobs. */
const MOST_SINGLE = 60;
const SELECT = ["id", "event", "code", "elapsed", "completed", "description"];

async function find(query: string, limit: number): Promise<readonly LastRun[]> {
  const { rows } = await api.searchJobs({ query, limit, select: SELECT, sort_by: "completed", sort_dir: -1 });
  return rows as unknown as readonly LastRun[];
}

function merge(found: readonly LastRun[]): void {
  const byEvent = new Map(lastRuns.peek() ?? []);
  for (const [event, runs] of Map.groupBy(found, (run) => run.event)) {
    const known = new Map([...(byEvent.get(event) ?? []), ...runs].map((run) => [run.id, run]));
    const inOrder = [...known.values()].sort((left, right) => left.completed - right.completed);
    byEvent.set(event, inOrder.slice(-STRIP));
  }
  lastRuns.value = byEvent;
}

/** Keeps the last runs of these events up to date while the page is shown. */
export function useLastRuns(events: readonly string[]): void {
  const refresh = (): void => void (events.length > 0 && refreshLastRuns(events));
  useFreshJobs(refresh);
  useEffect(refresh, [events.length === 0]);
}

let wanted: readonly string[] = [];
// Errors are ignored: the banner reports a lost connection, and the old runs stay until the next refresh.
const refresh = oneAtATime(() => readRuns(wanted).catch(() => undefined));

/** Reads the newest jobs, and once the last jobs of each event that is not among them. One refresh runs at a time. */
function refreshLastRuns(events: readonly string[]): Promise<void> {
  wanted = events;
  return refresh();
}

/** When the newest known run ended, in Unix seconds. */
const knownUntil = (): number =>
  Math.max(0, ...[...(lastRuns.peek()?.values() ?? [])].map((runs) => runs.at(-1)?.completed ?? 0));

async function readRuns(events: readonly string[]): Promise<void> {
  const newest = lastRuns.peek() && (await find("*", LATER));
  // The answer is full and reaches back no further than the known runs: runs of any event may be missing between them.
  const hasGap = newest === undefined || (newest.length === LATER && (newest.at(-1)?.completed ?? 0) > knownUntil());
  const found = hasGap ? await find("*", FIRST) : newest;
  merge(found);
  const known = hasGap ? new Set(found.map(({ event }) => event)) : new Set(lastRuns.peek()?.keys());
  const unknown = events.filter((event) => !known.has(event)).slice(0, MOST_SINGLE);
  await inTurns(unknown, async (event) => {
    const own = await find(`event:${event}`, STRIP);
    if (own.length > 0) merge(own);
    else lastRuns.value = new Map(lastRuns.peek()).set(event, []);
  });
}

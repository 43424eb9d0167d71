import { signal } from "@preact/signals";
import { inTurns } from "../calls/in-turns.ts";
import { api } from "../calls/session.ts";

/** A finished job as the strips show it. */
export interface LastRun {
  readonly id: string;
  readonly event: string;
  readonly code?: unknown;
  readonly elapsed?: number;
  readonly completed: number;
  readonly description?: string;
}

/** The last runs of each event, oldest first. */
export const lastRuns = signal<ReadonlyMap<string, readonly LastRun[]> | undefined>(undefined);

/** Runs of an event that a strip shows. */
export const STRIP = 30;
/** Jobs that one question answers: asked once, and again when jobs have ended. */
const FIRST = 1000;
const LATER = 100;
/** Events that ran too seldom to be among the newest jobs are asked for one by one. */
const MOST_SINGLE = 60;
const SELECT = ["id", "event", "code", "elapsed", "completed", "description"];

async function find(query: string, limit: number): Promise<readonly LastRun[]> {
  const { rows } = await api.searchJobs({ query, limit, select: SELECT });
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

let underWay: Promise<void> | undefined;

/** Reads the newest jobs, and once the last jobs of events that are not among them; one question at a time. */
export function refreshLastRuns(events: readonly string[]): Promise<void> {
  underWay ??= refresh(events).finally(() => {
    underWay = undefined;
  });
  return underWay;
}

async function refresh(events: readonly string[]): Promise<void> {
  const isFirst = lastRuns.peek() === undefined;
  merge(await find("*", isFirst ? FIRST : LATER));
  const unknown = events.filter((event) => !lastRuns.peek()?.has(event)).slice(0, MOST_SINGLE);
  await inTurns(unknown, async (event) => {
    const found = await find(`event:${event}`, STRIP);
    if (found.length > 0) merge(found);
    else lastRuns.value = new Map(lastRuns.peek()).set(event, []);
  });
}

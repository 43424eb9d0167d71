import { api } from "../../../data/calls/session.ts";
import { isByClock } from "../../../parts/schedule/words.ts";
import { now } from "../../../texts/format.ts";
import type { Event } from "../../events/deeds.ts";
import type { PastJob } from "./rows.ts";

const SELECT = [
  "id",
  "event",
  "code",
  "description",
  "elapsed",
  "completed",
  "started",
  "now",
  "source",
  "username",
  "server",
];
/** Jobs that are read, and how far missed runs are looked for when there are fewer. */
const JOBS = 100;
const WEEK = 7 * 86_400;
/** Due runs of one question, and questions at most: an event of every minute is followed for some hours. */
const PAGE = 100;
const PAGES = 6;
/** Changes that are looked through for the one of the triggers. */
const CHANGES = 30;

export interface Past {
  readonly jobs: readonly PastJob[];
  readonly total: number;
  /** Due moments since `from`, oldest first. */
  readonly due: readonly number[];
}

/** The last jobs of an event, and when it should have run since they began. */
export async function readPast(event: Event): Promise<Past> {
  const { rows, list } = await api.searchJobs({ query: `event:${event.id}`, limit: JOBS, select: SELECT });
  const jobs = rows as unknown as readonly PastJob[];
  const isPlanned = (event.triggers ?? []).some(isByClock);
  return { jobs, total: list.length, due: isPlanned ? await readDue(event, jobs) : [] };
}

async function readDue(event: Event, jobs: readonly PastJob[]): Promise<readonly number[]> {
  const oldest = jobs.length === JOBS ? (jobs.at(-1)?.now ?? jobs.at(-1)?.started ?? 0) : 0;
  const since = Math.max(oldest, now.peek() - WEEK, await readTriggersSince(event));
  const end = Math.floor(now.peek() / 60) * 60;
  const due: number[] = [];
  for (let from = since, page = 0; from < end && page < PAGES; page += 1) {
    const { rows } = await api.getUpcomingRuns({ id: event.id, from, limit: PAGE });
    due.push(...rows.map(({ epoch }) => epoch).filter((epoch) => epoch < end));
    const last = rows.at(-1)?.epoch ?? end;
    if (rows.length < PAGE) break;
    from = Math.floor(last / 60) * 60 + 60;
    // The newest runs matter most: when there are too many for the questions left, a part of the older time is passed over.
    if (page === 0) from = Math.max(from, end - (last - since) * (PAGES - 1));
  }
  return due;
}

/** Since when the triggers are what they are: before that nobody can say today when the event was due. */
async function readTriggersSince(event: Event): Promise<number> {
  const { rows } = await api.getEventHistory({ id: event.id, limit: CHANGES });
  const current = JSON.stringify(event.triggers);
  const other = rows.findIndex((row) => JSON.stringify((row["event"] as Event | undefined)?.triggers) !== current);
  const newest = other === -1 ? rows.at(-1) : rows[other - 1];
  return Math.max(event.created, newest?.epoch ?? 0);
}

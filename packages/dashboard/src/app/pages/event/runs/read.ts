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
/** Number of jobs read. Only if an event has fewer are missed runs looked for up to a week back. */
const JOBS = 100;
const WEEK = 7 * 86_400;
/** Due runs per request, and maximum number of requests: an event that is due every minute is covered for some hours. */
const PAGE = 100;
const PAGES = 6;
/** Number of revisions searched for the last change of the triggers. */
const CHANGES = 30;

export interface Past {
  readonly jobs: readonly PastJob[];
  readonly total: number;
  /** Unix seconds of the due runs, oldest first. */
  readonly due: readonly number[];
}

/** Reads the last jobs of an event, and when it was due since the oldest of them. */
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
    // The newest runs matter most: if the remaining requests cannot cover the whole span, skips part of its older end.
    if (page === 0) from = Math.max(from, end - (last - since) * (PAGES - 1));
  }
  return due;
}

/** Since when the triggers are unchanged. Before that, the current triggers do not say when the event was due. */
async function readTriggersSince(event: Event): Promise<number> {
  const { rows } = await api.getEventHistory({ id: event.id, limit: CHANGES });
  const current = JSON.stringify(event.triggers);
  const other = rows.findIndex((row) => JSON.stringify((row["event"] as Event | undefined)?.triggers) !== current);
  const newest = other === -1 ? rows.at(-1) : rows[other - 1];
  return Math.max(event.created, newest?.epoch ?? 0);
}

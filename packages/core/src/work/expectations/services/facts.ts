import type { ReadTx } from "../../../ports/storage/storage.ts";
import { above, allOf, hasWord } from "../../../search/ast.ts";
import type { EventHistory } from "../../events/model.ts";
import { eventHistoryRecords } from "../../events/records.ts";
import type { FinalJob, Job } from "../../jobs/model.ts";
import { activeJobRecords, jobRecords } from "../../jobs/records.ts";
import type { EventSight } from "../model.ts";
import { type DueAfter, dueTimeOf, firstDue, JUST_ENDED_SEC, outcomeOf } from "../rules/runs.ts";
import { type Expecting, failuresPer, sightOf } from "../rules/sight.ts";

/** Most runs of an event that are read for one fact; further runs do not count. */
const MOST = 2000;
/** Most final jobs that are read to find the last success: newer runs that do not count may come first. */
const LOOK_BACK = 100;
/** States of a job before its work begins. */
const WAITING: readonly string[] = ["queued", "start_delay", "retry_delay", "ready"];

const BY_CLOCK = hasWord("source", "scheduler");
const ofEvent = (id: string) => hasWord("event", id);
const isSuccess = hasWord("code", ["0", "warning", "false"]);

interface Look {
  readonly now: number;
  readonly from: number;
  readonly dueAfter: DueAfter | undefined;
}

/** Current values for alerts on an event. Reads only values that the event's expectations need. */
export async function sightNow(tx: ReadTx, event: Expecting, { now, from, dueAfter }: Look): Promise<EventSight> {
  const { expect } = event;
  const history = await tx.collection(eventHistoryRecords).get(event.id);
  const last = history?.last_completed;
  const isFine = history !== undefined && (await isSuccessful(tx, history));
  const running = await runningOf(tx, event.id);
  const long = running.map(({ started }) => now - started);
  if (expect.finish_within !== undefined) long.push(...(await justEnded(tx, event.id, now)));
  return sightOf(event, {
    now,
    from,
    last,
    running: running.length,
    longest: Math.max(0, ...long),
    lastSuccess: isFine ? last : await lastSuccess(tx, event),
    due: dueAfter && firstDue(await startedOf(tx, event.id, running), from, dueAfter),
    failures: expect.max_failures === undefined ? 0 : await failuresOf(tx, event.id, now - failuresPer(expect)),
  });
}

/**
 * True when the last run was a success. The history includes runs that leave no record, but does not know which ones were tests.
 */
async function isSuccessful(tx: ReadTx, { last_code: code = 0, last_job: id }: EventHistory): Promise<boolean> {
  if (outcomeOf({ code }) !== "success") return false;
  const job = id === undefined ? undefined : await tx.collection(jobRecords).get(id);
  return !job?.test;
}

async function runningOf(tx: ReadTx, id: string): Promise<Job[]> {
  const { rows } = await tx.collection(activeJobRecords).find(ofEvent(id), { limit: MOST });
  return rows.flatMap(({ job }) => (WAITING.includes(job.state) || job.test ? [] : [job]));
}

/** Due times of the scheduled runs that have started. */
async function startedOf(tx: ReadTx, id: string, running: readonly Job[]): Promise<number[]> {
  const page = { sortBy: "completed", descending: true, limit: LOOK_BACK };
  const { rows } = await tx.collection(jobRecords).find(allOf([ofEvent(id), BY_CLOCK]), page);
  return [...running, ...rows].flatMap((job) => dueTimeOf(job) ?? []);
}

/** Durations of runs that have just ended: a run between two evaluations would otherwise be missed. */
async function justEnded(tx: ReadTx, id: string, now: number): Promise<number[]> {
  const where = allOf([ofEvent(id), above("completed", now - JUST_ENDED_SEC)]);
  const { rows } = await tx.collection(jobRecords).find(where, { limit: MOST });
  return rows.flatMap(({ started, completed = started, test }) => (test ? [] : [completed - started]));
}

async function lastSuccess(tx: ReadTx, { id, expect }: Expecting): Promise<number | undefined> {
  if (expect.success_every === undefined) return undefined;
  const page = { sortBy: "completed", descending: true, limit: LOOK_BACK };
  const { rows } = await tx.collection(jobRecords).find(allOf([ofEvent(id), isSuccess]), page);
  return rows.find((job) => outcomeOf(job) === "success")?.completed;
}

async function failuresOf(tx: ReadTx, id: string, after: number): Promise<number> {
  const where = allOf([ofEvent(id), { kind: "not", node: isSuccess }, above("completed", after)]);
  const { rows } = await tx.collection(jobRecords).find(where, { limit: MOST });
  return rows.filter((job: FinalJob) => outcomeOf(job) === "failure").length;
}

import type { PastMinute, Span } from "../../../fleet/alerts/rules/backtest/replay.ts";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { above, allOf, atMost, below, hasWord } from "../../../search/ast.ts";
import type { FinalJob } from "../../jobs/model.ts";
import { jobRecords } from "../../jobs/records.ts";
import { createPast, type DueAfter, dueTimeOf, outcomeOf, type Run } from "../rules/runs.ts";
import { type Expecting, failuresPer, sightOf } from "../rules/sight.ts";

/** Opens a short snapshot. */
type Reads = Pick<PrepareContext, "read">;

const PAGE = 500;
/** Most runs of one event that are read; the newest ones. */
const MOST = 20_000;
const MINUTE = 60;

interface Asking extends Span, Reads {
  readonly dueAfter: DueAfter | undefined;
}

/** Past values for alerts on an event, one per minute, as if judging had begun one period before the first one. */
export async function* pastOf(event: Expecting, { from, to, read, dueAfter }: Asking): AsyncGenerator<PastMinute> {
  const period = Math.max(event.expect.success_every ?? 0, failuresPer(event.expect));
  const runs = await runsOf(event.id, { after: from * MINUTE - period, before: to * MINUTE, read });
  const judged = { from: runs[0]?.completed ?? from * MINUTE, failuresPer: failuresPer(event.expect), dueAfter };
  const past = createPast(runs, judged);
  for (let minute = from; minute < to; minute++) {
    const date = minute * MINUTE;
    yield { date, context: sightOf(event, past.at(date)) };
  }
}

interface Asked extends Reads {
  /** Unix seconds. */
  readonly after: number;
  readonly before: number;
}

/** Runs of an event in the order of their ends. */
async function runsOf(id: string, { after, before, read }: Asked): Promise<Run[]> {
  const runs: Run[] = [];
  // Runs at the edge of a page: others may have ended at the same time.
  let edge = new Set<string>();
  for (let until = below("completed", before); runs.length < MOST; ) {
    const where = allOf([hasWord("event", id), above("completed", after), until]);
    const page = { sortBy: "completed", descending: true, limit: PAGE + edge.size };
    const { rows } = await read((tx) => tx.collection(jobRecords).find(where, page));
    runs.push(...rows.filter((job) => !edge.has(job.id)).flatMap(runOf));
    if (rows.length < page.limit) break;
    const last = rows.at(-1)?.completed ?? after;
    edge = new Set(rows.filter(({ completed }) => completed === last).map((job) => job.id));
    until = atMost("completed", last);
  }
  return runs.reverse();
}

const runOf = (job: FinalJob): Run[] =>
  job.test || job.completed === undefined
    ? []
    : [{ started: job.started, completed: job.completed, outcome: outcomeOf(job), due: dueTimeOf(job) }];

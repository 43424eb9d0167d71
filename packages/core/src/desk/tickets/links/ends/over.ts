import * as z from "zod";
import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import type { FinalJob } from "../../../../work/jobs/model.ts";
import { jobRecords } from "../../../../work/jobs/records.ts";
import { systemAuthor } from "../../model.ts";
import { type TicketProblem, ticketProblemCollection } from "../collection.ts";
import { isGoingOn } from "../joint.ts";
import { alertProblem, alertSubjectKey, eventSubject, isClosing, isOpen } from "../rules/problem.ts";

export const OVER_KIND = "tickets.over";

const Item = object(() => ({
  subject: z.string(),
  /** Key of the problem that all subjects of the alert share; its ticket is closed with the last firing. */
  joint: z.string().optional(),
  kind: z.enum(["job", "alert"]),
  /** Id of the job that succeeded, or of the invocation that ended. */
  id: z.string(),
  /** Unix seconds; problems that came back later are not over. */
  until: z.number(),
}));
type Item = z.infer<typeof Item>;

/** Tolerated clock skew between nodes, in seconds. A time further ahead was written by a clock that has been set back since. */
const AHEAD_SEC = 60;
/** Most tickets closed for one problem. */
const MAX_TICKETS = 1000;

export async function noteCleared(tx: WriteTx, invocation: Invocation, now: number): Promise<void> {
  const { id, alert, tickets } = invocation;
  // Without a ticket there is nothing to close, and most alerts have none.
  if (tickets.length === 0) return;
  const subjects = { subject: alertSubjectKey(alert, placeOf(invocation)), joint: alertProblem(alert) };
  const item: Item = { ...subjects, kind: "alert", id, until: now };
  await tx.enqueue(OVER_KIND, item);
}

export async function noteSuccess(tx: WriteTx, job: FinalJob): Promise<void> {
  const { id, event, code, actions, retried, started } = job;
  if (code !== 0 || retried || job.test || !actions?.some(isClosing)) return;
  // A run that began before the failure does not show that the failure is over.
  const item: Item = { subject: eventSubject(event), kind: "job", id, until: started };
  await tx.enqueue(OVER_KIND, item);
}

/** Closes the tickets of a problem that is over. */
export const overWorker: WorkHandler = async ({ payload }, cradle) => {
  const item = Item.parse(payload);
  const text = await textOf(cradle, item);
  await cradle.transact(async (unit) => {
    const words = [item.subject, ...(item.joint === undefined ? [] : [item.joint])];
    const where = hasWord("subject", words);
    const { rows } = await unit.tx.collection(ticketProblemCollection).find(where, { limit: MAX_TICKETS });
    for (const row of rows) {
      const isOver = row.subject !== item.joint || !(await isGoingOn(unit.tx, row.ticket));
      const isBefore = row.last <= item.until || row.last > cradle.clock.now() + AHEAD_SEC;
      if (row.closes && isBefore && isOver) await closeProblem(cradle, unit, row, text);
    }
  });
};

/** Closes the ticket with a comment if people still have it open; the next occurrence makes a new one. */
export async function closeProblem(
  { tickets }: Pick<Cradle, "tickets">,
  unit: Unit,
  { id, ticket: ticketId }: TicketProblem,
  text: string,
): Promise<void> {
  const ticket = await tickets.lock(unit, ticketId);
  if (ticket && isOpen(ticket)) {
    const told = await tickets.addChange(unit, ticketId, { type: "comment", body: text }, systemAuthor);
    await tickets.update(unit, told, { status: "closed" }, systemAuthor);
  }
  await unit.tx.collection(ticketProblemCollection).delete(id);
}

type Deps = Pick<Cradle, "alerts" | "jobs" | "snapshot" | "ticketTemplates">;

async function textOf(
  { alerts, jobs, snapshot, ticketTemplates: templates }: Deps,
  { kind, id }: Item,
): Promise<string> {
  if (kind === "alert") {
    const invocation = await snapshot((tx) => tx.collection(invocationRecords).get(id));
    const data = invocation && (await alerts.hookData(invocation));
    return data ? templates.expand("alert_over", data) : "The alert is over.";
  }
  const job = await snapshot((tx) => tx.collection(jobRecords).get(id));
  if (!job) return "The job succeeded.";
  const data = await jobs.hookData({ id, job, details: { activity: [] }, launched: job.started });
  return templates.expand("job_over", data);
}

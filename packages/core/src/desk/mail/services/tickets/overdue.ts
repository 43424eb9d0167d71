import type { Cradle } from "../../../../kernel/container.ts";
import { searchCondition } from "../../../../kernel/searches/search-page.ts";
import { putRecord } from "../../../../kernel/transactions/update-if-there.ts";
import { createCalendar, OWN_ZONE } from "../../../../lib/time/calendar.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, type SearchNode } from "../../../../search/ast.ts";
import type { Ticket } from "../../../tickets/model.ts";
import { ticketRecords, ticketTarget } from "../../../tickets/records.ts";
import { overdueRunCollection } from "../../collection.ts";
import type { OverdueRun } from "../../model.ts";
import { dayAndTime, isDayDue, timeOfDay } from "../../rules/schedule.ts";
import { overdueMail, serversOf } from "./ticket-letters.ts";
import { madeMail } from "./ticket-worker.ts";

/** Tickets per transaction. */
const PAGE = 50;
const RUN_ID = "overdue";
const DAY_SEC = 86_400;

type Deps = Pick<
  Cradle,
  "clock" | "config" | "definitions" | "expressions" | "log" | "lookups" | "mailer" | "outbox" | "snapshot" | "transact"
>;

/** Notifies assignees of overdue tickets once per local day (docs/contract/mail.md#overdue). */
export interface OverdueNotices {
  /**
   * Sends the notices that are due. The progress of the day's run is stored with the mails, so that it resumes after a crash and
   * two nodes do not do the same work. A missed run is made up for on the same day.
   */
  run(signal: AbortSignal): Promise<void>;
}

export function createOverdueNotices(deps: Deps): OverdueNotices {
  const { clock, config, mailer, snapshot } = deps;
  const calendar = createCalendar();
  return {
    async run(signal) {
      const now = clock.now();
      const schedule = timeOfDay(config.tickets.overdue_schedule);
      if (!config.tickets.email_enabled || !mailer || config.email_from === "" || schedule === undefined) return;
      const zone = config.tz ?? OWN_ZONE;
      const wall = calendar.wallOf(Math.floor(now / 60) * 60, zone);
      const local = dayAndTime(wall);
      const { day: tomorrow } = dayAndTime(wall + DAY_SEC);
      const last = await snapshot((tx) => lastRun(tx, tomorrow));
      const isUnfinished = last?.day === local.day && !last.done;
      if (!isUnfinished && !isDayDue(local, schedule, last?.day)) return;
      const { where } = searchCondition({ now: Math.floor(now), config }, config.tickets.overdue_query, ticketTarget);
      const page = { day: local.day, tomorrow, where };
      while (!signal.aborted && (await tellPage(deps, page)));
    },
  };
}

/** The last run. A day after tomorrow comes from a clock that was ahead, and would block all runs until then. */
async function lastRun(tx: ReadTx, tomorrow: string): Promise<OverdueRun | undefined> {
  const run = await tx.collection(overdueRunCollection).get(RUN_ID);
  return run && run.day <= tomorrow ? run : undefined;
}

interface TellPage {
  readonly day: string;
  readonly tomorrow: string;
  readonly where: SearchNode;
}

/** Queues the mails for a page of tickets; true = there may be more. */
function tellPage(deps: Deps, { day, tomorrow, where }: TellPage): Promise<boolean> {
  return deps.transact(async ({ tx }) => {
    await tx.lock(overdueRunCollection.name);
    const stored = await lastRun(tx, tomorrow);
    if (stored?.done && stored.day >= day) return false;
    const upTo = stored?.day === day ? stored.upTo : 0;
    const tickets = await ticketsAfter(tx, where, upTo);
    await postNotices(deps, tx, { tickets, day });
    const run: OverdueRun = { id: RUN_ID, day, upTo: tickets.at(-1)?.num ?? upTo, done: tickets.length < PAGE };
    await putRecord(tx.collection(overdueRunCollection), run);
    return !run.done;
  });
}

/** Tickets after a number, oldest first. Numbers do not change while tickets are created and deleted. */
async function ticketsAfter(tx: WriteTx, where: SearchNode, upTo: number): Promise<readonly Ticket[]> {
  const rest = allOf([where, above("num", upTo)]);
  const { rows } = await tx.collection(ticketRecords).find(rest, { sortBy: "num", limit: PAGE });
  return rows;
}

async function postNotices(
  deps: Deps,
  tx: WriteTx,
  { tickets, day }: { readonly tickets: readonly Ticket[]; readonly day: string },
): Promise<void> {
  const servers = await serversOf(tx, tickets);
  for (const ticket of tickets) {
    if (ticket.status === "draft") continue;
    const mail = madeMail(deps, ticket.id, () => overdueMail(deps, day, { ticket, servers }));
    if (mail) await deps.outbox.post(tx, mail, { ticket: ticket.id });
  }
}

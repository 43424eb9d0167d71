import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { everything, hasWord } from "../../../search/ast.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { ActiveJob } from "../model.ts";

/** The links from jobs to tickets. */
export interface JobTickets {
  /** Does nothing if the job no longer exists. */
  add(unit: Pick<Unit, "emit" | "tx">, id: string, ticket: string): Promise<void>;
  /** Removes a ticket from all active jobs. */
  removeActive(ticket: string, signal: AbortSignal): Promise<void>;
  /** Removes a ticket from one page of ended jobs; true when there may be more. */
  removePage(tx: WriteTx, ticket: string): Promise<boolean>;
}

/** Records per transaction; small, so that other work can run in between. */
const PAGE = 100;

type Tickets = readonly string[] | null | undefined;
const withTicket = (tickets: Tickets, ticket: string): string[] => [...new Set([...(tickets ?? []), ticket])];
const without = (tickets: Tickets, ticket: string): string[] => (tickets ?? []).filter((one) => one !== ticket);

export function createJobTickets({ snapshot }: Pick<Cradle, "snapshot">, desk: JobDesk): JobTickets {
  return {
    async add({ tx, emit }, id, ticket) {
      const actives = tx.collection(activeJobCollection);
      const finals = tx.collection(jobCollection);
      if (await actives.get(id))
        await actives.update(id, ({ job, ...record }) => ({
          ...record,
          job: { ...job, tickets: withTicket(job.tickets, ticket) },
        }));
      else if (await finals.get(id))
        await finals.update(id, (stored) => ({ ...stored, tickets: withTicket(stored.tickets, ticket) }));
      else return;
      emit("job.updated", { id });
    },
    // Active jobs have no index of their tickets: there are few of them, and it would make each launch slower.
    async removeActive(ticket, signal) {
      for (let offset = 0, count = PAGE; count === PAGE; offset += PAGE) {
        signal.throwIfAborted();
        const page = { sortBy: "id", offset, limit: PAGE };
        const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find(everything, page));
        count = rows.length;
        for (const { id, job } of rows)
          if (job.tickets?.includes(ticket)) await desk.change(id, (_unit, record) => withoutTicket(record, ticket));
      }
    },
    async removePage(tx, ticket) {
      const jobs = tx.collection(jobCollection);
      const { rows } = await jobs.find(hasWord("tickets", ticket), { limit: PAGE });
      for (const { id } of rows)
        await jobs.update(id, (stored) => ({ ...stored, tickets: without(stored.tickets, ticket) }));
      return rows.length === PAGE;
    },
  };
}

const withoutTicket = (record: ActiveJob, ticket: string): ActiveJob => ({
  ...record,
  job: { ...record.job, tickets: without(record.job.tickets, ticket) },
});

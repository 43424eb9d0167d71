import type { Invocation } from "../../../fleet/alerts/model.ts";
import type { ActionOutcome, ActionRun } from "../../../kernel/plugins/action-type.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { FinalJob } from "../../../work/jobs/model.ts";
import type { Ticket } from "../model.ts";
import { attachTicket, type LinkDeps, runTicketAction } from "./action.ts";
import { noteCleared, noteSuccess } from "./ends/over.ts";
import { prune } from "./ends/prune.ts";
import { UNLINK_KIND } from "./ends/unlink.ts";
import type { TicketOrigin } from "./templates.ts";

/** Links between tickets and jobs or alerts. */
export interface TicketLinks {
  /** Adds the ticket to the list of the job or invocation that it was created from; does nothing if that no longer exists. */
  link(unit: Pick<Unit, "tx" | "emit">, origin: TicketOrigin, ticket: Pick<Ticket, "id">): Promise<void>;
  /**
   * Call it when removing a ticket. In the background, records that name the ticket drop their references and its files are
   * deleted (docs/contract/tickets.md#removal).
   */
  unlink(unit: Pick<Unit, "tx">, ticket: Pick<Ticket, "id">): Promise<void>;
  /** A live invocation has ended: tickets that close with it are closed shortly after. */
  noteCleared(unit: Pick<Unit, "tx">, invocation: Invocation): Promise<void>;
  /** A job has succeeded: tickets about earlier failures of its event that close on success are closed shortly after. */
  noteSuccess(unit: Pick<Unit, "tx">, job: FinalJob): Promise<void>;
  /** Executes the `ticket` action of a job or an alert. */
  run(run: ActionRun): Promise<ActionOutcome>;
  /** Forgets links that nothing needs any more; `now` is Unix seconds. */
  prune(now: number, signal: AbortSignal): Promise<void>;
}

export function createTicketLinks(deps: LinkDeps): TicketLinks {
  return {
    link: (unit, origin, { id }) => attachTicket(deps, unit, { origin, ticket: id }),
    unlink: ({ tx }, { id }) => tx.enqueue(UNLINK_KIND, { id }, { key: id }),
    noteCleared: ({ tx }, invocation) => noteCleared(tx, invocation, deps.clock.now()),
    noteSuccess: ({ tx }, job) => noteSuccess(tx, job),
    run: (run) => runTicketAction(run, deps),
    prune: (now, signal) => prune(deps, now, signal),
  };
}

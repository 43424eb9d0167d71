import * as z from "zod";
import { invocationCollection } from "../../../fleet/alerts/collection.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugin.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { everything } from "../../../search/ast.ts";
import { activeJobCollection, jobCollection } from "../../../work/jobs/collection.ts";
import { ticketCollection } from "../collection.ts";
import { ticketProblemCollection } from "./collection.ts";

export const UNLINK_KIND = "tickets.unlink";

/** Records per transaction, so that others get their turn. */
const PAGE = 100;
const Item = z.object({ id: z.string() });

const without = (tickets: readonly string[] | undefined, ticket: string): string[] =>
  (tickets ?? []).filter((id) => id !== ticket);

/**
 * What a removed ticket leaves behind (docs/contract/tickets.md#removal), in bounded steps; each of them may be
 * repeated.
 */
export const unlinkWorker: WorkHandler = async ({ payload }, cradle, signal) => {
  const { id } = Item.parse(payload);
  // Somebody made a ticket of the same name meanwhile: what names it now means the new one.
  if (await cradle.snapshot((tx) => tx.collection(ticketCollection).get(id))) return;
  const where: SearchNode = { kind: "term", field: "tickets", words: [id] };
  await unlinkActive(cradle, id, signal);
  await untilDone(cradle, signal, async (tx) => {
    const jobs = tx.collection(jobCollection);
    const { rows } = await jobs.find(where, { limit: PAGE });
    for (const job of rows)
      await jobs.update(job.id, (stored) => ({ ...stored, tickets: without(stored.tickets, id) }));
    return rows.length;
  });
  await untilDone(cradle, signal, async (tx) => {
    const invocations = tx.collection(invocationCollection);
    const { rows } = await invocations.find(where, { limit: PAGE });
    for (const row of rows)
      await invocations.update(row.id, (stored) => ({ ...stored, tickets: without(stored.tickets, id) }));
    return rows.length;
  });
  await untilDone(cradle, signal, async (tx) => {
    const problems = tx.collection(ticketProblemCollection);
    const { rows } = await problems.find({ kind: "term", field: "ticket", words: [id] }, { limit: PAGE });
    for (const row of rows) await problems.delete(row.id);
    return rows.length;
  });
  await cradle.ticketFiles.removeAll(id, signal);
};

type Deps = Pick<Cradle, "jobs" | "snapshot" | "transact">;

/** A step says how many records it changed; a full page may not have been the last. */
async function untilDone(
  { transact }: Deps,
  signal: AbortSignal,
  step: (tx: WriteTx) => Promise<number>,
): Promise<void> {
  do signal.throwIfAborted();
  while ((await transact(({ tx }) => step(tx))) === PAGE);
}

/** Active jobs have no index of their tickets: they are few, and the launch of each would pay for it. */
async function unlinkActive({ jobs, snapshot }: Deps, ticket: string, signal: AbortSignal): Promise<void> {
  for (let offset = 0, count = PAGE; count === PAGE; offset += PAGE) {
    signal.throwIfAborted();
    const page = { sortBy: "id", offset, limit: PAGE };
    const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find(everything, page));
    count = rows.length;
    for (const { id, job } of rows)
      if (job.tickets?.includes(ticket))
        await jobs.desk.change(id, (_unit, record) => ({
          ...record,
          job: { ...record.job, tickets: without(record.job.tickets, ticket) },
        }));
  }
}

import * as z from "zod";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import { deleteFound } from "../../../../kernel/searches/delete-found.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import { ticketCollection } from "../../collection.ts";
import { ticketProblemCollection } from "../collection.ts";

export const UNLINK_KIND = "tickets.unlink";

/** Records per transaction, so that other writers get their turn. */
const PAGE = 100;
const Item = object(() => ({ id: z.string() }));

/** Cleans up after a removed ticket (docs/contract/tickets.md#removal), in bounded, idempotent steps. */
export const unlinkWorker: WorkHandler = async ({ payload }, cradle, signal) => {
  const { id } = Item.parse(payload);
  const { alerts, jobs, snapshot, ticketFiles } = cradle;
  // A ticket with the same id was created meanwhile: references to the id now mean the new ticket.
  if (await snapshot((tx) => tx.collection(ticketCollection).get(id))) return;
  await jobs.tickets.removeActive(id, signal);
  await untilDone(cradle, signal, (tx) => jobs.tickets.removePage(tx, id));
  await untilDone(cradle, signal, (tx) => alerts.tickets.removePage(tx, id));
  await untilDone(cradle, signal, (tx) => forgetProblems(tx, id));
  await ticketFiles.removeAll(id, signal);
};

/** Repeats a step until it reports that nothing is left. */
async function untilDone(
  { transact }: Pick<Cradle, "transact">,
  signal: AbortSignal,
  step: (tx: WriteTx) => Promise<boolean>,
): Promise<void> {
  do signal.throwIfAborted();
  while (await transact(({ tx }) => step(tx)));
}

const forgetProblems = async (tx: WriteTx, ticket: string): Promise<boolean> =>
  (await deleteFound(tx.collection(ticketProblemCollection), hasWord("ticket", ticket), { limit: PAGE })) === PAGE;

import type { WriteTx } from "../../../ports/storage/storage.ts";
import { hasWord } from "../../../search/ast.ts";
import { invocationCollection } from "../collection.ts";

/** Links from invocations to tickets. */
export interface AlertTickets {
  /** Does nothing if the invocation no longer exists. */
  add(tx: WriteTx, id: string, ticket: string): Promise<void>;
  /** Removes a ticket from one page of invocations; true when there may be more. */
  removePage(tx: WriteTx, ticket: string): Promise<boolean>;
}

/** Records per transaction, so that others get their turn. */
const PAGE = 100;

export const alertTickets: AlertTickets = {
  async add(tx, id, ticket) {
    const invocations = tx.collection(invocationCollection);
    if (!(await invocations.get(id))) return;
    await invocations.update(id, (stored) => ({ ...stored, tickets: [...new Set([...stored.tickets, ticket])] }));
  },
  async removePage(tx, ticket) {
    const invocations = tx.collection(invocationCollection);
    const { rows } = await invocations.find(hasWord("tickets", ticket), { limit: PAGE });
    for (const { id } of rows)
      await invocations.update(id, (stored) => ({
        ...stored,
        tickets: stored.tickets.filter((one) => one !== ticket),
      }));
    return rows.length === PAGE;
  },
};

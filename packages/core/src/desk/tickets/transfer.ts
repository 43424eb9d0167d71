import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { everything } from "../../search/ast.ts";
import { ticketCollection } from "./collection.ts";
import { ticketProblemCollection, ticketRunCollection } from "./links/collection.ts";
import { ticketFolder } from "./links/rules/file-path.ts";
import { Ticket } from "./model.ts";

/** Defaults for members that tickets of other systems may leave out. */
const EMPTY = { body: "", status: "open", assignees: [], cc: [], notify: [], tags: [], due: 0, changes: [] };

export const ticketTransfer: Transfer = {
  tables: {
    tickets: {
      shape: Ticket,
      take: (members) => ({ record: { ...EMPTY, ...members } as unknown as Ticket }),
      newest: "created",
      async remove({ tickets }, unit, { id }: Ticket) {
        await tickets.remove(unit, id, { username: "system", isAdmin: true });
      },
      /** Numbers are never reused, so the next number must be above all imported ones. */
      raise: ({ transact, tickets }) =>
        transact(async ({ tx }) => {
          const newest = { sortBy: "num", descending: true, limit: 1 };
          const { rows } = await tx.collection(ticketCollection).find(everything, newest);
          await tickets.raiseNumber(tx, rows[0]?.num ?? 0);
        }),
    },
  },
  files: {
    ticket_files: {
      item: "ticketFiles",
      part: "files",
      index: "tickets",
      keys: "files/*/*/*/*",
      of: ({ id }: Ticket) => [ticketFolder(id)],
    },
  },
  own: [ticketRunCollection, ticketProblemCollection],
};

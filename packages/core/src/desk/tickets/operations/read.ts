import * as z from "zod";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { readByIds } from "../../../kernel/searches/search-rows.ts";
import { readOne, readText } from "../../../kernel/transactions/read-once.ts";
import { andThen } from "../../../lib/turns/awaitable.ts";
import { equal } from "../../../search/ast.ts";
import { idsOf, lenient, number, optionalFlag, WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { ticketCollection } from "../collection.ts";
import { Ticket } from "../model.ts";
import { malformed, noSuchTicket } from "../services/faults.ts";
import { maySeeTicket, requireTicket, seesAllTickets } from "./inputs.ts";

/** Clients put both members into the query and leave one of them blank. */
const unlessBlank = <S extends z.ZodType>(schema: S) =>
  lenient((value) => (value === "" ? null : value), schema.nullable()).optional();

const ByIdOrNumber = looseObject(() => ({
  id: unlessBlank(WordId),
  num: unlessBlank(number()).describe("Read when there is no `id`."),
})).transform((input) => {
  const { id, num } = input;
  if (!id && (num === undefined || num === null)) throw malformed("No ticket ID or number specified.");
  return input;
});

export const getTicket = defineQuery({
  name: "get_ticket",
  summary: "Read one ticket, by its id or its number.",
  access: credentials,
  refuses: ["notfound", "ticket"],
  example: { num: 42 },
  input: ByIdOrNumber,
  output: object(() => ({ ticket: Ticket })),
  handler({ id, num }, context) {
    const text = id && seesAllTickets(context.actor) ? readText(context, ticketCollection, id) : undefined;
    if (text) return { ticket: text as never };
    const found = id ? readOne(context, ticketCollection, id) : numbered(num ?? 0, context);
    return andThen(found, (ticket) => {
      if (!ticket) throw id ? noSuchTicket(id) : new NotFoundError(`Ticket not found: ${num}`);
      requireTicket(context.actor, ticket);
      return { ticket };
    });
  },
});

const numbered = async (num: number, { tx }: QueryContext): Promise<Ticket | undefined> =>
  (await tx.collection(ticketCollection).find(equal("num", num), { limit: 1 })).rows[0];

export const getTickets = defineQuery({
  name: "get_tickets",
  method: "POST",
  parameters: "merged",
  summary: "Read several tickets in the order of their ids; a missing or forbidden one has only `err`.",
  access: credentials,
  refuses: ["ticket"],
  input: looseObject(() => ({
    ids: idsOf("ticket"),
    verbose: optionalFlag().describe("With `body` and `changes`."),
  })),
  output: object(() => ({ tickets: z.array(z.looseObject({})) })),
  async handler({ ids, verbose = false }, { actor, reply, tx }) {
    const tickets = await readByIds(
      { reply },
      { ids, noun: "ticket" },
      {
        async read(some) {
          // A text that cannot be an id is not looked up in the storage.
          const keys = some.map((id) => (WordId.safeParse(id).success ? id : ""));
          const found = await tx.collection(ticketCollection).getMany(keys);
          // The same answer for an unknown and a hidden ticket, on purpose.
          return found.map((ticket) => (ticket && maySeeTicket(actor, ticket) ? ticket : undefined));
        },
        show: (ticket) => (verbose ? ticket : light(ticket)),
      },
    );
    return { tickets };
  },
});

const light = ({ body: _body, changes: _changes, ...ticket }: Ticket): Omit<Ticket, "body" | "changes"> => ticket;

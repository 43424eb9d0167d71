import type { Cradle } from "../../../../kernel/container.ts";
import type { Mail } from "../../../../ports/outside/mailer.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import type { Ticket, TicketChange } from "../../../tickets/model.ts";
import type { TicketMailBatch } from "../../model.ts";
import { entriesToTell } from "../../rules/tickets/batch.ts";
import { bodyBlock, changeBlocks } from "../../rules/tickets/ticket-blocks.ts";
import { changeRecipients, overdueRecipients } from "../../rules/tickets/ticket-recipients.ts";
import { type TicketNames, ticketWords } from "../../rules/tickets/ticket-words.ts";
import { composeMail, type Letter, mailHost } from "../compose.ts";
import { accountOf, createTicketNames, storedServerNames } from "./ticket-names.ts";

type Deps = Pick<Cradle, "config" | "definitions" | "expressions" | "lookups">;

/** Records that a mail is composed from. `servers`: titles of servers that are not connected. */
export interface TicketFacts {
  readonly ticket: Ticket;
  readonly servers: ReadonlyMap<string, string>;
}

/**
 * The mail about the changes in a batch; undefined if there is no recipient or no news. Throws `Error` if the mail cannot be
 * composed.
 */
export function batchMail(
  deps: Deps,
  batch: Pick<TicketMailBatch, "key" | "entries" | "isNew">,
  { ticket, servers }: TicketFacts,
): Mail | undefined {
  const entries = entriesToTell(batch, ticket.changes);
  const authors = entries.map(({ username }) => username);
  const to = changeRecipients(ticket, { accountOf: accountOf(deps), authors });
  if (to.length === 0 || (entries.length === 0 && !batch.isNew)) return undefined;
  const names = createTicketNames(deps, servers);
  const blocks = batch.isNew ? { ticket_body: bodyBlock(ticket) } : { ...changeBlocks(ticket, entries, names) };
  const letter = { template: batch.isNew ? "ticket_new" : "ticket_update", to, blocks, key: `ticket/${batch.key}` };
  const data = { ...dataOf(deps, ticket, names), entries };
  return composeMail(deps, { ...letter, ...aboutTicket(deps, ticket), data });
}

/** The mail of a day about an overdue ticket; undefined if there is no recipient. Throws like `batchMail`. */
export function overdueMail(deps: Deps, day: string, { ticket, servers }: TicketFacts): Mail | undefined {
  const to = overdueRecipients(ticket, { accountOf: accountOf(deps) });
  if (to.length === 0) return undefined;
  const names = createTicketNames(deps, servers);
  const letter = { template: "ticket_overdue", to, key: `ticket/${ticket.id}/overdue/${day}` };
  return composeMail(deps, { ...letter, ...aboutTicket(deps, ticket), data: dataOf(deps, ticket, names) });
}

/** Titles of the servers that mails about these tickets mention. */
export function serversOf(
  tx: ReadTx,
  tickets: readonly Ticket[],
  entries: readonly TicketChange[] = [],
): Promise<ReadonlyMap<string, string>> {
  const changed = entries.filter(({ key }) => key === "server").map(({ value }) => value);
  const ids = [...tickets.map(({ server }) => server), ...changed];
  return storedServerNames(
    tx,
    ids.filter((id): id is string => typeof id === "string" && id !== ""),
  );
}

/** All mails about a ticket refer to the same id, so that mail programs group them. */
function aboutTicket({ config }: Pick<Deps, "config">, { id }: Ticket): Pick<Letter, "headers"> {
  return { headers: { References: `<ticket-${id.replace(/\W/g, "")}@${mailHost(config.base_app_url)}>` } };
}

function dataOf({ config }: Pick<Deps, "config">, ticket: Ticket, names: TicketNames): Letter["data"] {
  const base = config.base_app_url;
  return { ticket, ...ticketWords(ticket, names), links: { ticket: `${base}/#${ticket.num}` } };
}

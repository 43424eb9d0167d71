import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { numberCollection, ticketCollection, ticketSearch } from "./collection.ts";
import type { ticketsClientConfig, ticketsConfig } from "./config.ts";
import type { TicketEvents } from "./events.ts";
import { ticketAction } from "./links/action.ts";
import { ticketProblemCollection, ticketRunCollection } from "./links/collection.ts";
import { TICKET_LINK_WORKERS } from "./links/ends/workers.ts";
import { createTicketFiles, type TicketFiles } from "./links/files.ts";
import { createTicketLinks, type TicketLinks } from "./links/service.ts";
import { createTicketTemplates, type TicketTemplates } from "./links/templates.ts";
import { addTicketChange, updateTicketChange } from "./operations/changes.ts";
import { createTicket } from "./operations/create.ts";
import { bulkSearchDeleteTickets, deleteTicket } from "./operations/delete.ts";
import { deleteTicketFile } from "./operations/files/delete-file.ts";
import { uploadUserTicketFiles } from "./operations/files/upload-files.ts";
import { getTicket, getTickets } from "./operations/read.ts";
import { runTicketEvent } from "./operations/run-event.ts";
import { searchTickets } from "./operations/search.ts";
import { updateTicket } from "./operations/update.ts";
import type { TicketDesk } from "./service.ts";
import {
  BULK_KIND,
  bulkDelete,
  createTicketDeletion,
  removeTicket,
  type TicketDeletion,
} from "./services/bulk-delete.ts";
import { createTicketDesk } from "./services/desk.ts";
import { ticketTransfer } from "./transfer.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof ticketsConfig> {}
  interface ClientConfig extends ConfigOf<typeof ticketsClientConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends TicketEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly ticketDeletion: TicketDeletion;
    readonly tickets: TicketDesk;
    readonly ticketFiles: TicketFiles;
    readonly ticketLinks: TicketLinks;
    readonly ticketTemplates: TicketTemplates;
  }
}

export const tickets = definePlugin({
  id: "tickets",
  after: ["auth", "activity", "tags", "categories", "events", "jobs", "mail", "files"],
  collections: [ticketCollection, numberCollection, ticketRunCollection, ticketProblemCollection],
  transfer: ticketTransfer,
  searchTables: {
    tickets: { collection: ticketCollection, table: ticketSearch, code: "ticket", remove: removeTicket },
  },
  operations: [
    getTicket,
    getTickets,
    searchTickets,
    createTicket,
    updateTicket,
    addTicketChange,
    updateTicketChange,
    deleteTicket,
    bulkSearchDeleteTickets,
    uploadUserTicketFiles,
    deleteTicketFile,
    runTicketEvent,
  ],
  actionTypes: { ticket: ticketAction },
  services: {
    ticketDeletion: createTicketDeletion,
    tickets: createTicketDesk,
    ticketFiles: createTicketFiles,
    ticketTemplates: createTicketTemplates,
    ticketLinks: createTicketLinks,
  },
  workers: { [BULK_KIND]: bulkDelete, ...TICKET_LINK_WORKERS },
  loops: [
    {
      name: "tickets.prune",
      everySec: 3600,
      on: "leader",
      run: (now, { ticketLinks }, signal) => ticketLinks.prune(now, signal),
    },
  ],
});

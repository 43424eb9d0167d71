import type { ConfigOf } from "../../kernel/config/config.ts";
import type { Following } from "../../kernel/nodes/following.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { mailCountCollection, overdueRunCollection, ticketMailCollection } from "./collection.ts";
import type { mailConfig } from "./config.ts";
import type { MailEvents } from "./events.ts";
import { adminBroadcastMessage } from "./operations/broadcast.ts";
import { adminSendTestEmail, sendEmail } from "./operations/send.ts";
import { emailAction } from "./services/action.ts";
import { createMails, type Mails } from "./services/mails.ts";
import { createNotices } from "./services/notices.ts";
import { createOutbox, MAIL_KIND, type Outbox, sendPostedMail } from "./services/outbox.ts";
import { createOverdueNotices, type OverdueNotices } from "./services/tickets/overdue.ts";
import {
  createTicketMails,
  NEW_TICKET_MAIL_KIND,
  TICKET_MAIL_KIND,
  type TicketMails,
} from "./services/tickets/ticket-mails.ts";
import { makeTicketMail, sendNewTicketMail } from "./services/tickets/ticket-worker.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof mailConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends MailEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly mails: Mails;
    readonly ticketMails: TicketMails;
    readonly outbox: Outbox;
    readonly overdueNotices: OverdueNotices;
    readonly notices: Following;
  }
}

/** Mails about jobs, alerts and tickets, and mails that people write. Mails about accounts are sent elsewhere. */
export const mail = definePlugin({
  id: "mail",
  after: ["auth", "users"],
  collections: [mailCountCollection, ticketMailCollection, overdueRunCollection],
  transfer: { own: [mailCountCollection, overdueRunCollection] },
  actionTypes: { email: emailAction },
  operations: [sendEmail, adminSendTestEmail, adminBroadcastMessage],
  services: {
    mails: createMails,
    outbox: createOutbox,
    ticketMails: createTicketMails,
    overdueNotices: createOverdueNotices,
    notices: createNotices,
  },
  workers: {
    [TICKET_MAIL_KIND]: makeTicketMail,
    [NEW_TICKET_MAIL_KIND]: sendNewTicketMail,
    [MAIL_KIND]: sendPostedMail,
  },
  loops: [
    {
      name: "mail.overdue",
      everySec: 60,
      on: "leader",
      run: (_now, { overdueNotices }, signal) => overdueNotices.run(signal),
    },
  ],
  start: ({ notices }) => notices.begin(),
  stop: async ({ notices }) => notices.end(),
});

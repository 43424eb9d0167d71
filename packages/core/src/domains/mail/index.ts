import { definePlugin } from "../../kernel/plugin.ts";
import { mailCountCollection, overdueRunCollection, ticketMailCollection } from "./collection.ts";
import { adminBroadcastMessage } from "./operations/broadcast.ts";
import { adminSendTestEmail, sendEmail } from "./operations/send.ts";
import { emailAction } from "./services/action.ts";
import { createMails } from "./services/mails.ts";
import { createNotices } from "./services/notices.ts";
import { createOutbox, MAIL_KIND, sendPostedMail } from "./services/outbox.ts";
import { createOverdueNotices } from "./services/overdue.ts";
import { createTicketMails, TICKET_MAIL_KIND } from "./services/ticket-mails.ts";
import { makeTicketMail } from "./services/ticket-worker.ts";

/** Mails of jobs, alerts and tickets, and those that people write; those about accounts are the accounts' own. */
export const mail = definePlugin({
  id: "mail",
  after: ["auth", "users"],
  collections: [mailCountCollection, ticketMailCollection, overdueRunCollection],
  actionTypes: { email: emailAction },
  operations: [sendEmail, adminSendTestEmail, adminBroadcastMessage],
  services: {
    mails: createMails,
    outbox: createOutbox,
    ticketMails: createTicketMails,
    overdueNotices: createOverdueNotices,
    notices: createNotices,
  },
  workers: { [TICKET_MAIL_KIND]: makeTicketMail, [MAIL_KIND]: sendPostedMail },
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

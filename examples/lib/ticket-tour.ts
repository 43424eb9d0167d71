import type { ActionInput, createSignalbox } from "@signalbox/core";
import type { Mailer } from "@signalbox/core/adapter";
import { until } from "./until.ts";

type Box = Awaited<ReturnType<typeof createSignalbox>>;
type Mail = Parameters<Mailer["send"]>[0];

export interface TicketStage {
  readonly url: string;
  readonly administratorKey: string;
  /** Mails that would have been sent; a real host gives Signalbox its SMTP server. */
  readonly mails: readonly Mail[];
}

/** Action of an alert that opens a ticket; each repetition becomes a comment in the open ticket. */
export const ticketAction: ActionInput = {
  enabled: true,
  condition: "alert_new",
  type: "ticket",
  ticket_type: "incident",
  ticket_assignees: [],
  ticket_tags: [],
  reuse: "open",
};

const MAIL_MS = 20_000;
const say = (text: string): void => console.log(text);

/** Shows the ticket that an alert has opened, with the log of its job, found by a search and mailed. */
export async function tellTicket(
  signalbox: Box,
  stage: TicketStage,
  { invocation, job }: { readonly invocation: string; readonly job: string },
): Promise<void> {
  const { api } = signalbox;
  const { alerts } = await api.getAlertInvocations({ ids: [invocation] });
  const [id = ""] = (alerts[0] as { tickets?: string[] }).tickets ?? [];
  const { ticket } = await api.getTicket({ id });
  say(`Ticket opened      #${ticket.num} "${ticket.subject}", ${ticket.type}, ${ticket.status}`);
  await attachLog(signalbox, stage, { id, job });
  const { rows } = await api.searchTickets({ query: "memory status:open type:incident" });
  say(`Ticket found       "memory status:open type:incident" finds ${rows.map(({ num }) => `#${num}`).join(", ")}`);
  const mailed = () => stage.mails.find(({ subject }) => subject.includes(`#${ticket.num}`));
  await until(() => mailed() !== undefined, MAIL_MS);
  const { subject = "nothing", to = [] } = mailed() ?? {};
  say(`Mail captured      "${subject}" to ${to.join(", ")}\n`);
}

/** Uploads the file over HTTP, as a browser does. */
async function attachLog(
  { api }: Box,
  { url, administratorKey }: TicketStage,
  { id, job }: { readonly id: string; readonly job: string },
): Promise<void> {
  const { output = "" } = (await api.getJob({ id: job })).job as { output?: string };
  const form = new FormData();
  form.set("ticket", id);
  form.set("save", "true");
  form.set("log", new File([output], `${job}.log`, { type: "text/plain" }));
  const response = await fetch(`${url}/ops/api/app/upload_user_ticket_files/v1`, {
    method: "POST",
    headers: { "X-API-Key": administratorKey },
    body: form,
  });
  const { files = [] } = (await response.json()) as { files?: { filename: string; size: number; path: string }[] };
  for (const { filename, size, path } of files)
    say(`    attached       ${filename}, ${size} bytes: ${url}/ops/${path}`);
}

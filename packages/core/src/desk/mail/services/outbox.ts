import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { causeIn } from "../../../kernel/transactions/unit-scope.ts";
import { retryPause } from "../../../lib/network/mail-retry.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { Cause } from "../../../wire/cause.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { ticketRecords } from "../../tickets/records.ts";
import { renderMarkdown } from "../rules/markdown.ts";
import { composeWritten } from "./compose.ts";

/** Mails that leave after a commit: kept with it, sent by one node, again when a server is busy. */
export interface Outbox {
  /** `ticket`: the ticket that the mail is about; when it is gone or a draft by then, the mail is not sent. */
  post(tx: WriteTx, mail: Mail, about?: { readonly ticket: string }): Promise<void>;
  /** A report in Markdown, of which nothing is expanded. Throws `Error` in words when the mail cannot be made. */
  postReport(tx: WriteTx, report: MailedReport): Promise<void>;
}

export interface MailedReport {
  readonly to: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Idempotency key, the same for every attempt at the same mail. */
  readonly key: string;
}

/** Kind of the queued item that carries one mail. */
export const MAIL_KIND = "mail.send";

const Addresses = z.array(z.string()).readonly();
const Posted = object(() => ({
  mail: z.object({
    from: z.string(),
    to: Addresses,
    cc: Addresses.optional(),
    bcc: Addresses.optional(),
    subject: z.string(),
    text: z.string(),
    html: z.string().optional(),
    messageId: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  ticket: z.string().optional(),
  /** Cause of the mail; absent on mails that an older release queued. */
  cause: Cause.optional(),
  /** Attempts that failed. */
  failures: z.int(),
}));
type Posted = z.infer<typeof Posted>;

export function createOutbox({ config }: Pick<Cradle, "config">): Outbox {
  const post: Outbox["post"] = (tx, mail, about) => {
    const cause: Cause = about ? { kind: "ticket", id: about.ticket } : causeIn(tx);
    return tx.enqueue(MAIL_KIND, { mail, failures: 0, cause, ...about } satisfies Posted);
  };
  return {
    post,
    async postReport(tx, { to, title, text, key }) {
      const subject = `${config.client.name}: ${title}`;
      const body = { text, html: renderMarkdown(text) };
      const letter = { to: [to], cc: [], bcc: [], subject, title, button: "", body, headers: {}, attachments: [], key };
      await post(tx, composeWritten(config, letter));
    },
  };
}

/** Worker of posted mails. */
export const sendPostedMail: WorkHandler = async (item, cradle, signal) => {
  const posted = Posted.parse(item.payload);
  if (await isWanted(posted, cradle)) await deliver(posted, cradle, { attempts: item.attempts, signal });
};

/** Worker's part: sends a mail that no queued item holds yet; when the server is too busy, the mail is queued. */
export const sendAboutTicket = (mail: Mail, ticket: string, deps: Sending, attempt: Attempt): Promise<void> =>
  deliver({ mail, failures: 0, cause: { kind: "ticket", id: ticket }, ticket }, deps, attempt);

type Sending = Pick<Cradle, "clock" | "log" | "mails" | "transact">;

interface Attempt {
  /** Claims of the item before this one. */
  readonly attempts: number;
  readonly signal: AbortSignal;
}

/**
 * A crash after the server took the mail sends it again with the same Message-ID, by which the receiver knows it.
 */
async function deliver(posted: Posted, deps: Sending, { attempts, signal }: Attempt): Promise<void> {
  const { log, mails } = deps;
  const facts = { message_id: posted.mail.messageId, subject: posted.mail.subject };
  try {
    // Counted once: neither a busy server nor a crash makes another mail of it.
    const isCounted = posted.failures > 0 || attempts > 0;
    await mails.transmit(posted.mail as Mail, { signal, isCounted });
  } catch (error) {
    // Stopping: the next engine sends it.
    if (signal.aborted) throw error;
    const pauseSec = retryPause(error, posted.failures + 1);
    if (pauseSec === undefined) return log.error({ ...facts, error }, "A mail could not be sent");
    log.warn({ ...facts, error, retry_sec: pauseSec }, "A mail could not be sent; it is tried again");
    await postAgain(posted, pauseSec, deps);
  }
}

function postAgain(posted: Posted, pauseSec: number, { clock, transact }: Sending): Promise<void> {
  const again: Posted = { ...posted, failures: posted.failures + 1 };
  return transact(({ tx }) => tx.enqueue(MAIL_KIND, again, { runAt: clock.now() + pauseSec }));
}

/** A ticket may have been deleted or withdrawn while its mail waited for the server. */
async function isWanted(
  { ticket }: Posted,
  { config, snapshot }: Pick<Cradle, "config" | "snapshot">,
): Promise<boolean> {
  if (ticket === undefined) return true;
  if (!config.tickets.email_enabled) return false;
  const stored = await snapshot((tx) => tx.collection(ticketRecords).get(ticket));
  return stored !== undefined && stored.status !== "draft";
}

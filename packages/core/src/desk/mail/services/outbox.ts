import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { lateSignal } from "../../../kernel/running/loops.ts";
import { causeIn } from "../../../kernel/transactions/unit-scope.ts";
import { renderMarkdown } from "../../../lib/markdown/render.ts";
import { isTemporary, pauseAfter } from "../../../lib/network/mail-retry.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { Cause } from "../../../wire/cause.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { ticketRecords } from "../../tickets/records.ts";
import { composeWritten } from "./compose.ts";

/** Mails that leave after a commit: kept with it, sent by one node, again when a server is busy. */
export interface Outbox {
  /** `ticket`: the ticket that the mail is about; when it is gone or a draft by then, the mail is not sent. */
  post(tx: WriteTx, mail: Mail, about?: { readonly ticket: string }): Promise<void>;
  /** Sends a mail to the recipients whom the mail server refused for the moment, from a minute on. */
  postRest(tx: WriteTx, mail: Mail, later: readonly string[]): Promise<void>;
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
    only: Addresses.optional(),
  }),
  ticket: z.string().optional(),
  /** Cause of the mail; absent on mails that an older release queued. */
  cause: Cause.optional(),
  /** Attempts that failed. */
  failures: z.int(),
}));
type Posted = z.infer<typeof Posted>;

export function createOutbox({ clock, config }: Pick<Cradle, "clock" | "config">): Outbox {
  const post: Outbox["post"] = (tx, mail, about) => {
    const cause: Cause = about ? { kind: "ticket", id: about.ticket } : causeIn(tx);
    return tx.enqueue(MAIL_KIND, { mail, failures: 0, cause, ...about } satisfies Posted);
  };
  return {
    post,
    async postRest(tx, mail, later) {
      await enqueueAgain(tx, onlyTo(later, { mail, failures: 0, cause: causeIn(tx) }), { clock });
    },
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
  const { clock, log, mails } = deps;
  const facts = { message_id: posted.mail.messageId, subject: posted.mail.subject };
  let later: readonly string[] = [];
  using late = lateSignal(clock, signal);
  try {
    // Counted once: neither a busy server nor a crash makes another mail of it.
    const isCounted = posted.failures > 0 || attempts > 0;
    ({ later } = await mails.transmit(posted.mail as Mail, { signal: late.signal, isCounted }));
  } catch (error) {
    // Stopping: the next engine sends it.
    if (late.signal.aborted) throw error;
    const pauseSec = isTemporary(error) ? await postAgain(posted, deps) : undefined;
    if (pauseSec === undefined) return log.error({ ...facts, error }, "A mail could not be sent");
    log.warn({ ...facts, error, retry_sec: pauseSec }, "A mail could not be sent; it is tried again");
  }
  if (later.length > 0) await postAgain(onlyTo(later, posted), deps);
}

const onlyTo = (only: readonly string[], posted: Posted): Posted => ({ ...posted, mail: { ...posted.mail, only } });

const postAgain = (posted: Posted, deps: Sending): Promise<number | undefined> =>
  deps.transact(({ tx }) => enqueueAgain(tx, posted, deps));

/** Queues a further attempt. Resolves with the seconds until then; undefined = there were enough. */
async function enqueueAgain(
  tx: WriteTx,
  posted: Posted,
  { clock }: Pick<Cradle, "clock">,
): Promise<number | undefined> {
  const failures = posted.failures + 1;
  const pauseSec = pauseAfter(failures);
  if (pauseSec === undefined) return undefined;
  await tx.enqueue(MAIL_KIND, { ...posted, failures } satisfies Posted, { runAt: clock.now() + pauseSec });
  return pauseSec;
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

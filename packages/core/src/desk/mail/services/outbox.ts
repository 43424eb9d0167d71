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

/** Mails that are sent after a commit: stored with it, sent by one node, and retried when a mail server is busy. */
export interface Outbox {
  /** `ticket`: the ticket that the mail is about. The mail is dropped if the ticket is deleted or a draft by then. */
  post(tx: WriteTx, mail: Mail, about?: { readonly ticket: string }): Promise<void>;
  /** Sends a mail to recipients whom the mail server refused temporarily; the first attempt is a minute later. */
  postRest(tx: WriteTx, mail: Mail, later: readonly string[]): Promise<void>;
  /**
   * Sends a report in Markdown without expanding macros. Throws `Error` with a readable message if the mail cannot be composed.
   */
  postReport(tx: WriteTx, report: MailedReport): Promise<void>;
}

export interface MailedReport {
  readonly to: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Idempotency key, the same for all attempts at a mail. */
  readonly key: string;
}

/** Kind of the queued work that sends one mail. */
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
  /** Number of failed attempts. */
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

/** Worker of queued mails. */
export const sendPostedMail: WorkHandler = async (item, cradle, signal) => {
  const posted = Posted.parse(item.payload);
  if (await isWanted(posted, cradle)) await deliver(posted, cradle, { attempts: item.attempts, signal });
};

/** Sends a mail from within a worker, without queueing it first; queues it when the mail server is too busy. */
export const sendAboutTicket = (mail: Mail, ticket: string, deps: Sending, attempt: Attempt): Promise<void> =>
  deliver({ mail, failures: 0, cause: { kind: "ticket", id: ticket }, ticket }, deps, attempt);

type Sending = Pick<Cradle, "clock" | "log" | "mails" | "transact">;

interface Attempt {
  /** Earlier claims of the item. */
  readonly attempts: number;
  readonly signal: AbortSignal;
}

/** Sends a mail. After a crash it is sent again with the same Message-ID, by which receivers recognize it. */
async function deliver(posted: Posted, deps: Sending, { attempts, signal }: Attempt): Promise<void> {
  const { clock, log, mails } = deps;
  const facts = { message_id: posted.mail.messageId, subject: posted.mail.subject };
  let later: readonly string[] = [];
  using late = lateSignal(clock, signal);
  try {
    // A retry after a failure or crash does not count towards the daily bound again.
    const isCounted = posted.failures > 0 || attempts > 0;
    ({ later } = await mails.transmit(posted.mail as Mail, { signal: late.signal, isCounted }));
  } catch (error) {
    // The engine stops, so the next one sends it.
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

/** Queues another attempt and resolves with the seconds until then; undefined = there were enough attempts. */
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

/** Whether the mail must still be sent: its ticket may have been deleted, or may be a draft again. */
async function isWanted(
  { ticket }: Posted,
  { config, snapshot }: Pick<Cradle, "config" | "snapshot">,
): Promise<boolean> {
  if (ticket === undefined) return true;
  if (!config.tickets.email_enabled) return false;
  const stored = await snapshot((tx) => tx.collection(ticketRecords).get(ticket));
  return stored !== undefined && stored.status !== "draft";
}

import type { Cradle } from "../../../kernel/container.ts";
import { createDailyCount } from "../../../kernel/daily-count.ts";
import { lateSignal, pause } from "../../../kernel/running/loops.ts";
import { withLogo } from "../../../lib/mail/logo.ts";
import { isTemporary } from "../../../lib/network/mail-retry.ts";
import type { Mail, Mailer } from "../../../ports/outside/mailer.ts";
import { mailCountCollection } from "../collection.ts";
import { composeMail, type Letter } from "./compose.ts";

/** Result of a mail that was accepted for at least one recipient, or skipped. */
export interface Delivery {
  /** Nothing was sent, because the installation has no sender's address. */
  readonly isSkipped: boolean;
  /** Addresses, without names, that the mail server refused. */
  readonly refused: readonly string[];
  /** Refused addresses that the mail server may accept later. */
  readonly later: readonly string[];
}

export interface SentMail extends Delivery {
  readonly mail: Mail;
  readonly attempts: number;
}

/** Sends mails. */
export interface Mails {
  /** Composes and sends a mail. Retries temporary failures within `patienceSec`; rejects with a readable message. */
  send(letter: Letter, options: SendOptions): Promise<SentMail>;
  /** Makes one attempt at a composed mail. Rejects like `send`. */
  transmit(mail: Mail, options: TransmitOptions): Promise<Delivery>;
}

export interface TransmitOptions {
  readonly signal: AbortSignal;
  /** The mail already counts towards the daily bound. */
  readonly isCounted?: boolean;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Seconds in which retries may be made. */
  readonly patienceSec: number;
}

/** Seconds before the second and the third attempt (docs/contract/mail.md#sending). */
const PAUSES = [60, 300];
const COUNTER = "email_sent";
const SKIPPED: Delivery = { isSkipped: true, refused: [], later: [] };

type Deps = Pick<Cradle, "clock" | "config" | "expressions" | "jobs" | "log" | "mailer" | "transact">;

export function createMails(deps: Deps): Mails {
  const { config, log } = deps;
  const admit = createAdmission(deps);
  const isSilent = (): boolean => config.email_from === "";
  return {
    async send(letter, options) {
      const mail = composeMail(deps, letter);
      if (isSilent()) {
        log.info({ template: letter.template }, "Mail not sent: there is no sender's address");
        return { mail, attempts: 0, ...SKIPPED };
      }
      const mailer = await admit();
      const sent = await sendPatiently(deps, { mailer, mail, options });
      deps.jobs.stats.count([COUNTER]);
      return { mail, isSkipped: false, ...sent };
    },
    async transmit(mail, { signal, isCounted = false }) {
      if (isSilent()) {
        log.info({ message_id: mail.messageId }, "Mail not sent: there is no sender's address");
        return SKIPPED;
      }
      const mailer = await admit(isCounted);
      const receipt = await mailer.send(withLogo(mail), signal);
      deps.jobs.stats.count([COUNTER]);
      return { isSkipped: false, ...refusedIn(receipt) };
    },
  };
}

/** Answers the mailer once the mail is counted towards the daily bound, which counts mails and not recipients. */
function createAdmission(deps: Deps) {
  const { config, mailer } = deps;
  const countMail = createDailyCount(deps, mailCountCollection);
  return async (isCounted = false): Promise<Mailer> => {
    if (!mailer) throw new Error("Mail is not configured: the host gave no mailer");
    const limit = config.max_emails_per_day;
    if (limit > 0 && !isCounted && !(await countMail(COUNTER, limit)))
      throw new Error(`Maximum email daily limit has been reached (${limit}/day)`);
    return mailer;
  };
}

const refusedIn = (receipt: Awaited<ReturnType<Mailer["send"]>>): Pick<Delivery, "refused" | "later"> => ({
  refused: receipt?.refused ?? [],
  later: receipt?.later ?? [],
});

async function sendPatiently(
  { clock }: Deps,
  { mailer, mail, options }: { readonly mailer: Mailer; readonly mail: Mail; readonly options: SendOptions },
): Promise<Omit<SentMail, "mail" | "isSkipped">> {
  let left = options.patienceSec;
  for (let attempt = 1; ; attempt++)
    try {
      using late = lateSignal(clock, options.signal);
      const receipt = await mailer.send(withLogo(mail), late.signal);
      return { attempts: attempt, ...refusedIn(receipt) };
    } catch (error) {
      const wait = PAUSES[attempt - 1];
      if (!isTemporary(error) || wait === undefined || wait > left) throw error;
      left -= wait;
      await pause(clock, wait * 1000, options.signal);
      options.signal.throwIfAborted();
    }
}

import type { Logger } from "@signalbox/core";
import type { Mail, Mailer } from "@signalbox/core/adapter";

/** A mailer that delivers nothing; `sent` counts the mails it took. */
export interface LogMailer extends Mailer {
  readonly sent: number;
}

const MAX_NAMED_RECIPIENTS = 10;

/**
 * Writes one log line for each mail instead of sending it, for development and for hosts without a mail server.
 *
 * The line contains recipients, subject, message id and the length of the text, never the text itself: mails contain links that
 * grant access to their reader. `send` rejects with the reason of an aborted signal.
 */
export function logMailer(log: Logger): LogMailer {
  if (typeof log?.info !== "function") throw new TypeError("logMailer: the logger is missing");
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    async send(mail, signal) {
      signal.throwIfAborted();
      sent += 1;
      log.info({ ...summaryOf(mail), count: sent }, "Mail not sent: no mail server is configured");
    },
  };
}

function summaryOf(mail: Mail): Record<string, unknown> {
  return {
    from: mail.from,
    to: mail.to.slice(0, MAX_NAMED_RECIPIENTS),
    recipients: mail.to.length + (mail.cc?.length ?? 0) + (mail.bcc?.length ?? 0),
    subject: mail.subject,
    message_id: mail.messageId,
    text_length: mail.text.length,
    html_length: mail.html?.length ?? 0,
  };
}

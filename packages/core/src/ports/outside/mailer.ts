/** An attachment of a mail. */
export interface MailAttachment {
  readonly filename: string;
  /** Id by which the HTML refers to it (`cid:`); absent = a plain attachment. */
  readonly contentId?: string;
  /** Called once per attempt to send. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** One mail, ready to be sent. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[];
  /** Recipients hidden from the others. */
  readonly bcc?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Message id, which is also the idempotency key: retries carry the same one. */
  readonly messageId: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly MailAttachment[];
  /** Addresses to send to when the other recipients already have the mail; its headers still name all of them. */
  readonly only?: readonly string[];
}

/** Answer of a next hop that accepted a mail. */
export interface MailReceipt {
  /** Addresses, without names, that it refused; the others were accepted. */
  readonly refused: readonly string[];
  /** Refused addresses for which it may accept the same mail later. */
  readonly later?: readonly string[];
}

/** Sends mails for the engine, for example by SMTP (`smtpMailer` of `@signalbox/adapters/mail`). */
export interface Mailer {
  /**
   * Resolves when the next hop has accepted the mail for at least one recipient; rejects otherwise. An error whose member
   * `temporary` is true says that a retry may succeed. No receipt = no recipient was refused.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a mailer that knows nothing of single recipients returns nothing
  send(mail: Mail, signal: AbortSignal): Promise<MailReceipt | void>;
}

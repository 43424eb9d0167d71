/** A file of a mail. */
export interface MailAttachment {
  readonly filename: string;
  /** The HTML refers to it by `cid:` and this; absent = a file beside the text. */
  readonly contentId?: string;
  /** Called once in each attempt to send. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** One mail, ready to be sent. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[];
  /** Recipients that the others do not see. */
  readonly bcc?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Message id, which is also the idempotency key: repeats carry the same one. */
  readonly messageId: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly MailAttachment[];
  /** Addresses that the mail goes to when its other recipients have it already; its text still names all of them. */
  readonly only?: readonly string[];
}

/** Answer of a next hop that took a mail. */
export interface MailReceipt {
  /** Addresses, without names, that it refused; others were taken. */
  readonly refused: readonly string[];
  /** Refused addresses for which it may take the same mail later. */
  readonly later?: readonly string[];
}

/** Sends mails for the engine, for example by SMTP (`smtpMailer` of `@signalbox/adapters/mail`). */
export interface Mailer {
  /**
   * Resolves when the next hop has taken the mail for at least one recipient; rejects otherwise. An error whose member
   * `temporary` is true says that the same mail may be taken later. No receipt = no recipient was refused.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a mailer that knows nothing of single recipients returns nothing
  send(mail: Mail, signal: AbortSignal): Promise<MailReceipt | void>;
}

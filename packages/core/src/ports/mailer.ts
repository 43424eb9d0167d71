export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[];
  /** Seen by nobody else. */
  readonly bcc?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Also the idempotency key: repeats carry the same one. */
  readonly messageId: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /**
   * Resolves when the next hop has taken the mail; rejects otherwise. An error whose member `temporary` is true says that
   * the same mail may be taken later.
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

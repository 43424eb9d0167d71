export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Also the idempotency key: repeats carry the same one. */
  readonly messageId: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Resolves when the next hop has taken the mail; rejects otherwise. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

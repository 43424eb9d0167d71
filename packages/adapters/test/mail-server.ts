import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it was received. */
export interface TakenMail {
  readonly messageId: string;
  readonly recipients: readonly string[];
  /** Headers by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  /** The whole content, with quoted-printable lines joined and decoded. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  /** Every accepted mail in the order of arrival, repeats included. */
  readonly taken: readonly TakenMail[];
  /** Resolves when `count` mails have been accepted in total. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Called when a mail has been received completely, before the sender is told so. */
  readonly onTaken?: (mail: TakenMail) => void | Promise<void>;
}

/** Starts a real mail server on this machine. */
export async function startMailServer({ onTaken, ...options }: MailServerOptions = {}): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const waiting = new Set<{ readonly count: number; resolve(): void }>();
  const take = async (raw: Buffer, recipients: readonly string[]): Promise<void> => {
    const mail = parseMail(raw.toString("latin1"), recipients);
    taken.push(mail);
    await onTaken?.(mail);
    for (const waiter of waiting) if (taken.length >= waiter.count) waiter.resolve();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((raw) => take(raw, recipients))
        .then(() => done(), done);
    },
    ...options,
  });
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    taken,
    arrived: (count) =>
      taken.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.add({ count, resolve });
          }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parseMail(raw: string, recipients: readonly string[]): TakenMail {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const text = raw
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { messageId: headers.get("message-id") ?? "", recipients, headers, text };
}

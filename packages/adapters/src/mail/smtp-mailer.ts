import { Readable } from "node:stream";
import type { ConnectionOptions } from "node:tls";
import {
  checkOptions,
  given,
  type Logger,
  type Mail,
  type Mailer,
  type MailReceipt,
  type OptionRules,
  optional,
  optionalCount,
  optionalPositive,
  required,
} from "@signalbox/core/adapter";
import type { SendMailOptions, SentMessageInfo } from "nodemailer";
import { checkServer, connectionOf, parseSmtpUrl, type SmtpServerOptions } from "./smtp-options.ts";

export interface SmtpMailerOptions {
  /** `smtp://user:password@host:587` or `smtps://…`, with `?tls=starttls|opportunistic|none`; or the same as an object. */
  readonly server: string | SmtpServerOptions;
  /** TLS options: trusted authorities, lowest version and so on. */
  readonly tls?: ConnectionOptions;
  /** Most concurrent connections, which stay open while they are in use. Default 4. */
  readonly maxConnections?: number;
  /** Most mails waiting for a connection; further ones are refused. Default 1000. */
  readonly maxWaiting?: number;
  /** Milliseconds to connect, TLS included. Default 10000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds without data from the server before the connection is closed. Default 60000. */
  readonly idleTimeoutMs?: number;
  /** Logs mails that a server accepted for only some of their recipients. */
  readonly log?: Logger;
}

export interface SmtpMailer extends Mailer {
  /** Closes idle connections at once and the others after their current mail; `send` rejects afterwards. */
  close(): void;
}

const RULES: OptionRules<SmtpMailerOptions> = {
  server: required,
  tls: given,
  maxConnections: optionalCount,
  maxWaiting: optionalCount,
  connectTimeoutMs: optionalPositive,
  idleTimeoutMs: optionalPositive,
  log: optional,
};

/** Throws `TypeError` with the name of the option. */
function readServer(server: string): SmtpServerOptions {
  try {
    return parseSmtpUrl(server);
  } catch (error) {
    throw new TypeError(`smtpMailer: server ${(error as Error).message}`);
  }
}

/**
 * Sends mails through an SMTP server, over a pool of connections, with the optional peer `nodemailer`.
 *
 * `send` resolves when the server has accepted the mail for at least one recipient; the result lists the refused ones. It rejects
 * with an `Error` whose message is for people and never contains a credential; its member `temporary` is true when a later
 * attempt may work (no connection, a reply that begins with 4, too many waiting mails). Mails are built only from memory: files
 * and URLs mentioned in a text are never read. Credentials travel over TLS unless `tls` says otherwise.
 *
 * @throws TypeError for a malformed address, which it never repeats, and for an unknown option.
 * @see docs/contract/mail.md#sending
 */
export function smtpMailer(options: SmtpMailerOptions): SmtpMailer {
  checkOptions("smtpMailer", options, RULES);
  const server = typeof options.server === "string" ? readServer(options.server) : options.server;
  checkServer(server);
  const { maxWaiting = 1000, maxConnections = 4 } = options;
  const pool = createPool(options, server);
  const explain = createExplain(server);
  let open = 0;
  let isClosed = false;
  return {
    async send(mail, signal) {
      signal.throwIfAborted();
      if (isClosed) throw mailError("The mailer is closed");
      if (open >= maxWaiting + maxConnections) throw mailError(`Too many mails are waiting: ${maxWaiting}`, true);
      open += 1;
      try {
        const transport = await pool.open();
        const attachments = await filesOf(mail);
        const receipt = receiptOf(await transport.sendMail({ ...messageOf(mail), attachments, signal }));
        const { refused: rejected, later } = receipt;
        const facts = { message_id: mail.messageId, rejected, later };
        if (rejected.length > 0) options.log?.warn(facts, "The mail server refused some recipients");
        return receipt;
      } catch (error) {
        throw signal.aborted ? signal.reason : explain(error);
      } finally {
        open -= 1;
      }
    },
    close() {
      isClosed = true;
      pool.close();
    },
  };
}

/** Loads the library with the first mail, so that hosts that send none need not install it. */
function createPool(options: SmtpMailerOptions, server: SmtpServerOptions) {
  const load = async () => {
    const { createTransport } = await import("nodemailer").catch((cause: unknown) => {
      throw new Error("Mails over SMTP need the package nodemailer", { cause });
    });
    return createTransport({ pool: true, ...poolOptions(options, server) });
  };
  let transport: ReturnType<typeof load> | undefined;
  return {
    open() {
      transport ??= load();
      return transport;
    },
    close() {
      void transport?.then(
        (opened) => opened.close(),
        // The pool was never opened.
        () => undefined,
      );
    },
  };
}

function poolOptions(options: SmtpMailerOptions, server: SmtpServerOptions) {
  const { maxConnections = 4, connectTimeoutMs = 10_000, idleTimeoutMs = 60_000 } = options;
  return {
    ...connectionOf(server, options.tls),
    maxConnections,
    maxMessages: 100,
    // The sender decides whether to retry a mail whose connection broke.
    maxRequeues: 0,
    idleTimeout: 10_000,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  };
}

interface Refusal {
  readonly recipient?: string;
  readonly responseCode?: number;
}

/** A reply that begins with 4 is temporary: servers with greylisting defer the first mail of a sender to each recipient. */
function receiptOf({ rejected = [], rejectedErrors = [] }: SentMessageInfo): Required<MailReceipt> {
  const refusals: readonly Refusal[] = rejectedErrors;
  const passing = refusals.filter(({ responseCode = 500 }) => responseCode < 500);
  return {
    refused: rejected.map((each: string | { readonly address: string }) =>
      typeof each === "string" ? each : each.address,
    ),
    later: passing.flatMap(({ recipient }) => recipient ?? []),
  };
}

/** Tells auto-responders not to answer (RFC 3834); Exchange reads the second header. */
const AUTOMATIC = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };

/** Text and HTML as alternatives. The library removes line breaks from headers. */
function messageOf({ from, to, cc, bcc, subject, text, html, messageId, headers, only }: Mail): SendMailOptions {
  return {
    from,
    to: [...to],
    ...(cc ? { cc: [...cc] } : {}),
    ...(bcc ? { bcc: [...bcc] } : {}),
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    messageId,
    headers: { ...AUTOMATIC, ...headers },
    ...(only ? { envelope: { from, to: [...only] } } : {}),
  };
}

/** Attachments, read when the mail is sent. */
const filesOf = ({ attachments = [] }: Mail) =>
  Promise.all(
    attachments.map(async ({ filename, contentId, open }) => ({
      filename,
      content: Readable.from(await open(), { objectMode: false }),
      ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: "inline" as const }),
    })),
  );

/** Failures after which a retry may succeed. */
const PASSING: ReadonlySet<unknown> = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "EPROTOCOL"]);

interface MailError extends Error {
  readonly temporary: boolean;
}

const mailError = (text: string, temporary = false): MailError => Object.assign(new Error(text), { temporary });

/** Creates errors without credentials: the library's errors contain commands and replies, which may repeat one. */
function createExplain({ auth }: SmtpServerOptions): (error: unknown) => MailError {
  const secrets = auth ? [auth.pass, Buffer.from(auth.pass).toString("base64"), plainToken(auth)] : [];
  return (error) => {
    const { message, responseCode, code } = Object(error) as {
      message?: unknown;
      responseCode?: unknown;
      code?: unknown;
    };
    const isTemporary = typeof responseCode === "number" ? responseCode < 500 : PASSING.has(code);
    const text = String(message ?? error).replace(/[\p{Cc}]+/gu, " ");
    return mailError(
      secrets.reduce((all, secret) => all.replaceAll(secret || "\0", "•••"), text),
      isTemporary,
    );
  };
}

/** The token of `AUTH PLAIN`. */
const plainToken = ({ user, pass }: { readonly user: string; readonly pass: string }): string =>
  Buffer.from(`\0${user}\0${pass}`).toString("base64");

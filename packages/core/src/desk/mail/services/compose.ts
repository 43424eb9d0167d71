import type { Expressions } from "../../../expressions/index.ts";
import type { Config } from "../../../kernel/config/config.ts";
import { type Frame, mailPage, mailText } from "../../../lib/mail/frame.ts";
import { logoOf } from "../../../lib/mail/logo.ts";
import { renderMarkdown } from "../../../lib/markdown/render.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import { oneLine } from "../../../lib/text/one-line.ts";
import type { Mail, MailAttachment } from "../../../ports/outside/mailer.ts";
import { readAddresses } from "../../texts/addresses.ts";
import { expandMail, fillHtml, fillText, type MailHeaders, splitTemplate } from "../../texts/template.ts";
import { type Block, NO_CONTENT } from "../../texts/user-content.ts";
import { withGivenRows } from "../rules/given-rows.ts";
import { MAIL_TEMPLATES } from "../rules/texts.ts";
import { TICKET_TEMPLATES } from "../rules/tickets/ticket-texts.ts";

/** A mail to compose from a template. */
export interface Letter {
  /** Key of the template, like "job_start". */
  readonly template: string;
  /** Built-in template for the subject of the mail; absent = the usual built-in one. A configured template takes precedence. */
  readonly standard?: string | undefined;
  /**
   * Text that replaces the body of the template. Header lines of the template stay unless the text has its own
   * (docs/contract/mail.md#mail-of-jobs-and-alerts).
   */
  readonly body?: string | undefined;
  /** Text with macros below the body, even if the body comes from the action or the configuration. */
  readonly closing?: string | undefined;
  /** Header addresses. */
  readonly to: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** Blocks that replace macros with these names, such as `{{ user_content }}`, if the macro has a line to itself. */
  readonly blocks?: Readonly<Record<string, Block>>;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Idempotency key, the same for all attempts at a mail. */
  readonly key: string;
}

type Deps = { readonly config: Config; readonly expressions: Expressions };

const MAX_SUBJECT = 500;
const MAX_RECIPIENTS = 500;

/** Composes the mail. Throws `Error` with a readable message on failure. */
export function composeMail({ config, expressions }: Deps, letter: Letter): Mail {
  const baseUrl = config.base_app_url;
  const data = {
    ...letter.data,
    email_to: letter.to.join(", "),
    config: { client: config.client, email_from: config.email_from, base_app_url: baseUrl },
  };
  const own = templateOf({ config, expressions }, letter, data);
  const template = [own, ...(letter.closing ? [letter.closing] : [])].join("\n\n");
  const blocks: Readonly<Record<string, Block>> = { user_content: NO_CONTENT, ...letter.blocks };
  const slots = new Set(Object.keys(blocks));
  const { headers, body } = expandMail(template, { expressions, data, slots });
  const frame = frameOf(config, baseUrl, headers);
  const page = (): string => mailPage({ ...frame, content: fillHtml(renderMarkdown(body("html")), blocks) });
  return {
    ...envelopeOf(config, headers),
    text: mailText({ ...frame, content: fillText(body("text"), blocks) }),
    ...(config.email_format === "html" ? { html: page() } : {}),
    messageId: messageIdOf(letter.key, baseUrl),
    ...(letter.headers ? { headers: letter.headers } : {}),
  };
}

/**
 * The template, with its body replaced by `body` if that is given. Header lines in `body` take precedence. Only a built-in body
 * leaves out rows without a value: a row that an administrator configured stays.
 */
function templateOf({ config, expressions }: Deps, letter: Letter, data: Letter["data"]): string {
  const { template, body } = letter;
  const configured = config.mail_templates[template];
  const builtIn = letter.standard ?? MAIL_TEMPLATES[template] ?? TICKET_TEMPLATES[template];
  const standard = configured ?? (builtIn && withGivenRows(builtIn, expressions, data));
  if (standard === undefined) throw new Error(`Mail template not found: ${template}`);
  if (body === undefined || !/\S/.test(body)) return standard;
  const { headers } = splitTemplate(standard);
  const own = splitTemplate(body);
  const all = Object.entries({ ...headers, ...own.headers });
  return `${all.map(([name, value]) => `<!-- ${name}: ${value} -->`).join("\n")}\n${own.body}`;
}

function envelopeOf(config: Config, headers: MailHeaders): Pick<Mail, "from" | "to" | "subject" | "cc" | "bcc"> {
  const list = (name: string): readonly string[] => readAddresses(headers[name] ?? "").addresses;
  const [to, cc, bcc] = [list("to"), list("cc"), list("bcc")];
  if (to.length === 0) throw new Error("No recipient is a mail address");
  if (to.length + cc.length + bcc.length > MAX_RECIPIENTS) throw new Error(`More than ${MAX_RECIPIENTS} recipients`);
  const [from = config.email_from] = list("from");
  const subject = (headers["subject"] || config.client.name).slice(0, MAX_SUBJECT);
  return { from, to, subject, ...(cc.length > 0 ? { cc } : {}), ...(bcc.length > 0 ? { bcc } : {}) };
}

function frameOf(config: Config, url: string, headers: MailHeaders): Omit<Frame, "content"> {
  const { title, subject = "", button = "", logo_url: logo = "", version, copyright } = headers;
  const [label = "", address = ""] = button.split("|", 2).map((part) => part.trim());
  return {
    product: config.client.name,
    title: title || subject || config.client.name,
    url,
    ...(label !== "" && /^https?:\/\/\S+$/i.test(address) ? { button: { label, url: address } } : {}),
    logo: logoOf(config.email_logo, logo),
    version,
    copyright,
  };
}

/** Message id, derived from the key, so that receivers recognize a mail that is sent again after a crash. */
export const messageIdOf = (key: string, baseUrl: string): string =>
  `<${sha256Hex(key).slice(0, 40)}@${mailHost(baseUrl)}>`;

/** Host name of the installation for ids in mails. */
export const mailHost = (baseUrl: string): string =>
  URL.parse(baseUrl)?.hostname.replace(/[^\w.-]/g, "") || "signalbox";

/** A mail that a person wrote, without a template. */
export interface WrittenMail {
  /** Header addresses. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly title: string;
  /** Text like "Label | address". */
  readonly button: string;
  readonly body: Block;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MailAttachment[];
  readonly key: string;
}

/** Composes the mail without expanding macros. Throws `Error` with a readable message on failure. */
export function composeWritten(config: Config, written: WrittenMail): Mail {
  const baseUrl = config.base_app_url;
  const { subject, title, button, body, headers, attachments, key } = written;
  const lists = { to: written.to.join(","), cc: written.cc.join(","), bcc: written.bcc.join(",") };
  const words = { subject: oneLine(subject), title: oneLine(title), button: oneLine(button) };
  const frame = frameOf(config, baseUrl, words);
  return {
    ...envelopeOf(config, { ...lists, ...words }),
    text: mailText({ ...frame, content: body.text }),
    ...(config.email_format === "html" ? { html: mailPage({ ...frame, content: body.html }) } : {}),
    messageId: messageIdOf(key, baseUrl),
    headers,
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

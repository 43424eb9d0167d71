import type { Config } from "../../../config.ts";
import type { Expressions } from "../../../expressions/index.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import type { Mail } from "../../../ports/mailer.ts";
import { readAddresses } from "../rules/addresses.ts";
import { type Frame, mailPage, mailText } from "../rules/frame.ts";
import { renderMarkdown } from "../rules/markdown.ts";
import { expandMail, type MailHeaders, slotOf, splitTemplate } from "../rules/template.ts";
import { MAIL_TEMPLATES } from "../rules/texts.ts";
import type { UserContent } from "../rules/user-content.ts";

/** One mail to be made of a template. */
export interface Letter {
  /** Key of a template: "job_start". */
  readonly template: string;
  /** In place of the template's own text; its header lines stay unless the body brings its own (part 43 §2). */
  readonly body?: string | undefined;
  /** As they go into the header. */
  readonly to: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** What `{{ user_content }}` stands for. */
  readonly userContent?: UserContent;
  /** The same for every attempt at the same mail. */
  readonly key: string;
}

type Deps = { readonly config: Config; readonly expressions: Expressions };

const SLOT_NAME = "user_content";
const MAX_SUBJECT = 500;
const MAX_RECIPIENTS = 500;

/** Makes the mail; throws `Error` in words for one that cannot be made. */
export function composeMail({ config, expressions }: Deps, letter: Letter): Mail {
  const template = templateOf(config, letter);
  const baseUrl = config.base_app_url.replace(/\/+$/, "");
  const data = {
    ...letter.data,
    email_to: letter.to.join(", "),
    config: { client: config.client, email_from: config.email_from, base_app_url: baseUrl },
  };
  const { text = "n/a", html = "<p>n/a</p>" } = letter.userContent ?? {};
  const plain = expandMail(template, { expressions, data: { ...data, user_content: text }, form: "text" });
  const frame = frameOf(config, baseUrl, plain.headers);
  const page = (): string => {
    const filled = { ...data, user_content: slotOf(SLOT_NAME) };
    const { body } = expandMail(template, { expressions, data: filled, form: "html" });
    const content = renderMarkdown(body).replaceAll(`<p>${slotOf(SLOT_NAME)}</p>`, () => html);
    return mailPage({ ...frame, content: content.replaceAll(slotOf(SLOT_NAME), () => "") });
  };
  return {
    ...envelopeOf(config, plain.headers),
    text: mailText({ ...frame, content: plain.body }),
    ...(config.email_format === "html" ? { html: page() } : {}),
    messageId: messageIdOf(letter.key, baseUrl),
  };
}

/** The standard header lines below those of a body of its own. */
function templateOf(config: Config, { template, body }: Letter): string {
  const standard = config.mail_templates[template] ?? MAIL_TEMPLATES[template];
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
  const hasLogo = config.email_logo !== "none" && /^https?:\/\/\S+$/i.test(logo);
  return {
    product: config.client.name,
    title: title || subject || config.client.name,
    url,
    ...(label !== "" && /^https?:\/\/\S+$/i.test(address) ? { button: { label, url: address } } : {}),
    ...(hasLogo ? { logo } : {}),
    version,
    copyright,
  };
}

/** Of the key alone, so that a repeat after a crash is the same mail for whoever receives it. */
function messageIdOf(key: string, baseUrl: string): string {
  const host = URL.parse(baseUrl)?.hostname.replace(/[^\w.-]/g, "") || "signalbox";
  return `<${sha256Hex(key).slice(0, 40)}@${host}>`;
}

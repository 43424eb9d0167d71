import { type Frame, mailPage, mailText } from "../../../lib/mail/frame.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import { oneLine } from "../../../lib/text/one-line.ts";

/** Templates of mails that inform owners about changes of their accounts. */
export type AccountMailTemplate = "welcome_new_user" | "changed_password" | "recover_password" | "logout_all_sessions";

export interface AccountMailFacts {
  /** Name of the product, as the host calls it. */
  readonly product: string;
  readonly url: string;
  readonly username: string;
  readonly fullName: string;
  /** Address of the caller; empty for calls inside the process. */
  readonly ip: string;
  readonly userAgent: string;
  /** Key of the link, for `recover_password`. */
  readonly key?: string;
  /** For `logout_all_sessions`: number of ended sessions. */
  readonly sessions?: number;
}

interface AccountMailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Subject and both forms of a mail about an account; `logo` is the address of the image at its head. */
export function accountMailText(
  template: AccountMailTemplate,
  facts: AccountMailFacts,
  logo?: string,
): AccountMailText {
  const { subject, lines, button } = TEMPLATES[template](facts);
  const content = [`Hello ${oneLine(facts.fullName)},`, "", ...lines].join("\n");
  const frame = { product: facts.product, url: facts.url, title: oneLine(subject), button, logo };
  return {
    subject: frame.title,
    text: mailText({ ...frame, content }),
    html: mailPage({ ...frame, content: paragraphsOf(content) }),
  };
}

/** Plain text as HTML: names and programs of strangers stay text. */
const paragraphsOf = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>\n")}</p>`)
    .join("\n");

type Template = (facts: AccountMailFacts) => Pick<Frame, "button"> & {
  readonly subject: string;
  readonly lines: readonly string[];
};

const TEMPLATES: Readonly<Record<AccountMailTemplate, Template>> = {
  welcome_new_user: ({ product, url, username }) => ({
    subject: `Welcome to ${product}`,
    lines: [`an account was made for you. Your user name is ${username}.`],
    button: { label: "Sign In", url },
  }),
  changed_password: (facts) => ({
    subject: `Your ${facts.product} password was changed`,
    lines: [
      `the password of your account ${facts.username} was changed, and its other sessions were ended.`,
      ...origin(facts),
      "",
      "If this was not you, have your password reset and tell your administrator.",
    ],
  }),
  recover_password: (facts) => ({
    subject: `Reset your ${facts.product} password`,
    lines: [
      `somebody asked to reset the password of your account ${facts.username}.`,
      ...origin(facts),
      "",
      "To choose a new password, open the address below within 24 hours. It works once.",
      "",
      "If this was not you, do nothing: your password stays as it is.",
    ],
    button: {
      label: "Choose a Password",
      url: `${facts.url}/#Login?u=${encodeURIComponent(facts.username)}&h=${facts.key ?? ""}`,
    },
  }),
  logout_all_sessions: (facts) => ({
    subject: `Your ${facts.product} sessions were ended`,
    lines: [
      `all other sessions of your account ${facts.username} were ended (${facts.sessions ?? 0}).`,
      ...origin(facts),
      "",
      "If this was not you, change your password and tell your administrator.",
    ],
  }),
};

/** Lines about the caller. Strangers choose the name of their program, so it is shortened and kept on one line. */
function origin({ ip, userAgent }: AccountMailFacts): string[] {
  if (ip === "") return [];
  return ["", `Address: ${ip}`, `Program: ${oneLine(userAgent).slice(0, 200) || "unknown"}`];
}

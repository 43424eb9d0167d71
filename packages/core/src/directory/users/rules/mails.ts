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

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Subject and plain text of a mail about an account. */
export function accountMailText(template: AccountMailTemplate, facts: AccountMailFacts): MailText {
  const { subject, lines } = TEMPLATES[template](facts);
  const greeting = `Hello ${oneLine(facts.fullName)},`;
  return {
    subject: oneLine(subject),
    text: [greeting, "", ...lines, "", `${facts.product}, ${facts.url}`, ""].join("\n"),
  };
}

type Template = (facts: AccountMailFacts) => { readonly subject: string; readonly lines: readonly string[] };

const TEMPLATES: Readonly<Record<AccountMailTemplate, Template>> = {
  welcome_new_user: ({ product, url, username }) => ({
    subject: `Welcome to ${product}`,
    lines: [`an account was made for you. Your user name is ${username}.`, "", `Sign in here: ${url}`],
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
      "To choose a new password, open this address within 24 hours. It works once.",
      "",
      `${facts.url}/#Login?u=${encodeURIComponent(facts.username)}&h=${facts.key ?? ""}`,
      "",
      "If this was not you, do nothing: your password stays as it is.",
    ],
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

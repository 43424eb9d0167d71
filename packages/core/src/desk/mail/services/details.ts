import type { Mail } from "../../../ports/outside/mailer.ts";
import { plainAddress } from "../../texts/addresses.ts";
import type { Delivery } from "./mails.ts";

/** A sentence about a sent mail: the recipients that the mail server accepted, and the addresses that it refused. */
export function deliveryText(recipients: readonly string[], { isSkipped, refused }: Delivery): string {
  if (isSkipped) return "No email was sent: there is no sender's address.";
  const isRefused = new Set(refused.map((address) => address.toLowerCase()));
  const taken = recipients.filter((recipient) => !isRefused.has(plainAddress(recipient).toLowerCase()));
  const rest = refused.length > 0 ? ` (refused by the mail server: ${refused.join(", ")})` : "";
  return `Email sent successfully to: ${taken.join(", ")}${rest}`;
}

/** Report on a sent mail in Markdown, without the text of the mail. */
export function mailDetails(
  mail: Mail,
  more: {
    readonly malformed?: readonly string[];
    readonly refused?: readonly string[];
    readonly later?: readonly string[];
    readonly attempts?: number;
  } = {},
): string {
  const { from, to, cc, bcc, subject, messageId, attachments = [] } = mail;
  const line = (name: string, values: readonly string[] = []): string[] =>
    values.length > 0
      ? [`- **${name}:** ${values.map((value) => `\`${value.replaceAll("`", "'")}\``).join(", ")}`]
      : [];
  return [
    ...line("From", [from]),
    ...line("To", to),
    ...line("Cc", cc),
    ...line("Bcc", bcc),
    ...line("Subject", [subject]),
    ...line("Message-ID", [messageId]),
    ...line(
      "Attachments",
      attachments.map(({ filename }) => filename),
    ),
    ...line("Not an address", more.malformed),
    ...line("Refused by the mail server", more.refused),
    ...line("Tried again later", more.later),
    ...(more.attempts === undefined ? [] : [`- **Attempts:** ${more.attempts}`]),
  ].join("\n");
}
